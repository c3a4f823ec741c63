/** Why there is nothing to consent to. */
import type { PageContent } from '../../../runtime/page.ts'
import { hostOf } from './client.ts'
import { answerUrl } from './redirect.ts'
import type { AuthorizationRequest, Parameters, Ungrantable } from './request.ts'

/** Something is wrong with it that the client can be told of, by who wants to go back. */
export function ungrantable({ client, redirectUri, error, message }: Ungrantable, { state }: Parameters, iss: string): PageContent {
  const back = answerUrl(redirectUri, { error, error_description: message, state, iss })
  return trouble(`${client.name} asked for something that there is not here: ${message}`, { back, host: hostOf('', redirectUri) })
}

export function nowhere({ client, redirectUri }: AuthorizationRequest, { state }: Parameters, iss: string): PageContent {
  const back = answerUrl(redirectUri, { error: 'access_denied', state, iss })
  const message = `There is no workspace that you could let ${client.name} into: you are a member of none, or it asks for more than your sign-in has shown.`
  return trouble(message, { back, host: hostOf('', redirectUri) })
}

export function trouble(message: string, to?: { readonly back: string; readonly host: string }): PageContent {
  return {
    title: 'This cannot be connected',
    status: 400,
    width: 'narrow',
    content: (
      <section class="card">
        <h1>This cannot be connected</h1>
        <p>{message}</p>
        <p>
          {to ? (
            <a href={to.back} rel="noreferrer">
              Back to {to.host}
            </a>
          ) : (
            <a href="/">To your sites</a>
          )}
        </p>
      </section>
    ),
  }
}

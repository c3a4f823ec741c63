/** Why there is nothing to consent to. */
import type { Say } from '../../../runtime/texts/index.ts'
import type { PageContent } from '../../../runtime/table/page.ts'
import { hostOf } from './client.ts'
import { answerUrl } from './redirect.ts'
import type { AuthorizationRequest, Parameters, Ungrantable } from './request.ts'

/** Something is wrong with it that the client can be told of, by who wants to go back. */
export function ungrantable(
  { client, redirectUri, error, message }: Ungrantable,
  { state }: Parameters,
  iss: string,
  say: Say,
): PageContent {
  const back = answerUrl(redirectUri, { error, error_description: message, state, iss })
  const text = say('{client} asked for something that there is not here: {what}', { client: client.name, what: say(message) })
  return trouble(text, say, { back, host: hostOf('', redirectUri) })
}

export function nowhere({ client, redirectUri }: AuthorizationRequest, { state }: Parameters, iss: string, say: Say): PageContent {
  const back = answerUrl(redirectUri, { error: 'access_denied', state, iss })
  const text = say(
    'There is no workspace that you could let {client} into: you are a member of none, or it asks for more than your sign-in has shown.',
    { client: client.name },
  )
  return trouble(text, say, { back, host: hostOf('', redirectUri) })
}

export function trouble(message: string, say: Say, to?: { readonly back: string; readonly host: string }): PageContent {
  return {
    title: say('This cannot be connected'),
    status: 400,
    width: 'narrow',
    content: (
      <section class="card">
        <h1>{say('This cannot be connected')}</h1>
        <p>{message}</p>
        <p>
          {to ? (
            <a href={to.back} rel="noreferrer">
              {say('Back to {host}', { host: to.host })}
            </a>
          ) : (
            <a href="/">{say('To your sites')}</a>
          )}
        </p>
      </section>
    ),
  }
}

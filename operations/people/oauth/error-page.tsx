/** Error pages of the consent page. */
import type { PageContent } from '../../../runtime/table/page.ts'
import { hostOf } from './client.ts'
import { domainText } from '../../../runtime/ui/domain-text.ts'
import { answerUrl } from './redirect.ts'
import type { AuthorizationRequest, Parameters, Ungrantable } from './request.ts'
import { m } from './messages.ts'
import type { Say } from '../../../runtime/texts/say.ts'

/** A request that cannot be granted. The person may go back, and the client then receives the error. */
export function ungrantable(
  { client, redirectUri, error, message }: Ungrantable,
  { given: { state }, iss, say }: { given: Parameters; iss: string; say: Say },
): PageContent {
  const back = answerUrl(redirectUri, { error, error_description: String(message), state, iss })
  const text = say(m.client_request_not_granted, { client: client.name, what: message })
  return trouble(text, say, { back, host: domainText(hostOf('', redirectUri)) })
}

export function nowhere(
  { client, redirectUri }: AuthorizationRequest,
  { given: { state }, iss, say }: { given: Parameters; iss: string; say: Say },
): PageContent {
  const back = answerUrl(redirectUri, { error: 'access_denied', state, iss })
  const text = say(m.no_workspace_to_grant, { client: client.name })
  return trouble(text, say, { back, host: domainText(hostOf('', redirectUri)) })
}

export function trouble(message: string, say: Say, to?: { readonly back: string; readonly host: string }): PageContent {
  return {
    title: say(m.this_cannot_be_connected),
    status: 400,
    width: 'narrow',
    content: (
      <section class="card">
        <h1>{say(m.this_cannot_be_connected)}</h1>
        <p>{message}</p>
        <p>
          {to ? (
            <a href={to.back} rel="noreferrer">
              {say(m.back_to_host, { host: to.host })}
            </a>
          ) : (
            <a href="/">{say(m.to_your_sites)}</a>
          )}
        </p>
      </section>
    ),
  }
}

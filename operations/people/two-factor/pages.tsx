/** Pages shown only once: the secret for an app, and recovery codes. */
import { raw } from 'hono/html'
import { Faults, Field } from '../../../runtime/form.tsx'
import type { Say } from '../../../runtime/languages/index.ts'
import { withParts } from '../../../runtime/languages/parts.ts'
import { type Content, type PageContent, page, type Refused } from '../../../runtime/page.ts'

interface Setup {
  readonly secret: string
  readonly uri: string
  readonly qr: string
}

export function setupShown({ secret, uri, qr }: Setup, _: URLSearchParams, say: Say): PageContent {
  return {
    title: say('Second factor'),
    width: 'narrow',
    content: (
      <section class="card">
        <h1>{say('Second factor')}</h1>
        <p>{say('Scan this with an app such as Aegis, 2FAS, Google Authenticator or your password manager.')}</p>
        <div class="qr" role="img" aria-label={say('The secret as a picture to be scanned; it stands below as text')}>
          {raw(qr)}
        </div>
        <p class="help">
          {withParts(say('Or {link}, or type {secret}'), {
            link: <a href={uri}>{say('open it on this device')}</a>,
            secret: <code>{secret}</code>,
          })}
        </p>
        <CodeForm refused={undefined} say={say} />
      </section>
    ),
  }
}

export function codesShown({ recovery_codes }: { readonly recovery_codes: readonly string[] }, _: URLSearchParams, say: Say): PageContent {
  return {
    title: say('Recovery codes'),
    width: 'narrow',
    content: (
      <section class="card">
        <h1>{say('Recovery codes')}</h1>
        <p>
          {say('Keep these where you keep what you must not lose. Each lets you in once when the app is gone. They are not shown again.')}
        </p>
        <ul class="codes">
          {recovery_codes.map(code => (
            <li>{code}</li>
          ))}
        </ul>
        <p>
          <a class="button" href="/account">
            {say('I have kept them')}
          </a>
        </p>
      </section>
    ),
  }
}

function CodeForm({ refused, say }: { refused: Refused | undefined; say: Say }): Content {
  return (
    <form method="post" action="/account/two_factor?_method=PATCH">
      <Field
        name="code"
        label={say('The six digits that it shows')}
        autocomplete="one-time-code"
        inputmode="numeric"
        maxlength={8}
        refused={refused}
        autofocus
      />
      <button type="submit">{say('Turn it on')}</button>
    </form>
  ) as Content
}

/** Asks for the first code again when it was wrong. The secret itself is shown only once. */
export const two_factor = page({
  route: 'GET /account/two_factor',
  summary: 'The second factor',
  access: 'session',
  async show({ refused, say }) {
    if (!refused) return { location: '/account' }
    return {
      title: say('Second factor'),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say('Second factor')}</h1>
          <Faults refused={refused} fields={['code']} />
          <CodeForm refused={refused} say={say} />
          <p class="beside">
            <a href="/account">{say('Begin again')}</a>
          </p>
        </section>
      ),
    }
  },
})

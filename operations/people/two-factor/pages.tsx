/** The page that sets a second factor up, and recovery codes, which are shown only once. */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { ButtonForm, Faults, Field } from '../../../runtime/ui/form.tsx'
import { isFresh } from '../../../runtime/call/recent-sign-in.ts'
import type { Say } from '../../../runtime/texts/index.ts'
import { withParts } from '../../../runtime/texts/with-elements.ts'
import { type PageContent, page } from '../../../runtime/table/page.ts'
import { setupOf } from './setup.ts'
import { begunTotp } from './totp.ts'

/**
 * Shows the secret until its first code was right, also when a code was wrong or the page is loaded again. Like all that
 * concerns factors, only to a person who has just signed in: the secret is the factor.
 */
export const two_factor = page({
  route: 'GET /account/two_factor',
  summary: 'Set up the second factor',
  access: 'session',
  async show({ refused, caller, now, say }, { store, use }) {
    const { accountId = '', email = '' } = caller?.member ?? {}
    if (!isFresh(caller, now) || caller?.withoutAccount)
      return { location: `/sign-in?${new URLSearchParams({ again: '1', next: '/account/two_factor' })}` }
    const begun = await begunTotp({ db: store.read, use }, accountId)
    if (begun === undefined) return { location: '/account' }
    const { secret, uri, qr } = await setupOf(begun, email)
    return {
      title: say('Second factor'),
      width: 'narrow',
      scripts: ['keep'],
      content: (
        <section class="card">
          <h1>{say('Second factor')}</h1>
          <Faults refused={refused} fields={['code']} />
          <p>{say('Scan this with an app such as Aegis, 2FAS, Google Authenticator or your password manager.')}</p>
          <div class="qr" role="img" aria-label={say('The secret as a picture to scan; the same secret follows as text')}>
            {raw(qr)}
          </div>
          <p class="help">{withParts(say('Or {link}, or type this:'), { link: <a href={uri}>{say('open it on this device')}</a> })}</p>
          <Kept text={secret} say={say} />
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
          <p class="beside">
            <a href="/account">{say('Not now')}</a>
          </p>
          <ButtonForm action="/account/two_factor" label={say('Begin again with another secret')} />
        </section>
      ),
    }
  },
})

/** Text to be kept: copied by a button where scripts run, else by one click into it, which selects all. @param children other ways */
const Kept = ({ text, say, children }: { text: string; say: Say; children?: Child }) => (
  <div class="kept">
    <pre tabindex={0}>{text}</pre>
    <button type="button" class="plain" hidden data-copy={say('Copied')}>
      {say('Copy')}
    </button>
    {children}
  </div>
)

export function codesShown({ recovery_codes }: { readonly recovery_codes: readonly string[] }, _: URLSearchParams, say: Say): PageContent {
  const title = say('Recovery codes for Footfall')
  const file = `${title}\r\n\r\n${recovery_codes.join('\r\n')}\r\n`
  return {
    title: say('Recovery codes'),
    width: 'narrow',
    scripts: ['keep'],
    content: (
      <section class="card">
        <h1>{title}</h1>
        <p>
          {say(
            'Keep these where you keep what you must not lose. Each lets you in once when the app is gone. They are shown for ten minutes, and then not again.',
          )}
        </p>
        <Kept text={recovery_codes.join('\n')} say={say}>
          <a class="button plain" download="footfall-recovery-codes.txt" href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}>
            {say('Download')}
          </a>
          <button type="button" class="plain" hidden data-print>
            {say('Print')}
          </button>
        </Kept>
        <p>
          <a class="button" href="/account">
            {say('I have kept them')}
          </a>
        </p>
      </section>
    ),
  }
}

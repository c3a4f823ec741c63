/** The page that sets a second factor up, and recovery codes, which are shown only once. */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { ButtonForm, Faults, Field } from '../../../runtime/ui/form.tsx'
import { isFresh } from '../../../runtime/call/recent-sign-in.ts'
import { type PageContent, page } from '../../../runtime/table/page.ts'
import { setupOf } from './setup.ts'
import { begunTotp } from './totp.ts'
import { common } from '../../../runtime/texts/common.ts'
import { m } from './messages.ts'
import { type Say, sayParts } from '../../../runtime/texts/say.ts'

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
      title: say(common.second_factor),
      width: 'narrow',
      scripts: ['keep'],
      content: (
        <section class="card">
          <h1>{say(common.second_factor)}</h1>
          <Faults refused={refused} fields={['code']} />
          <p>{say(m.scan_this_with_an_app_such)}</p>
          <div class="qr" role="img" aria-label={say(m.the_secret_as_a_picture_to)}>
            {raw(qr)}
          </div>
          <p class="help">{sayParts(say, m.or_link_or_type_this, { link: <a href={uri}>{say(m.open_it_on_this_device)}</a> })}</p>
          <Kept text={secret} say={say} />
          <form method="post" action="/account/two_factor?_method=PATCH">
            <Field
              name="code"
              label={say(m.the_six_digits_that_it_shows)}
              autocomplete="one-time-code"
              inputmode="numeric"
              maxlength={8}
              refused={refused}
              autofocus
            />
            <button type="submit">{say(m.turn_it_on)}</button>
          </form>
          <p class="beside">
            <a href="/account">{say(m.not_now)}</a>
          </p>
          <ButtonForm action="/account/two_factor" label={say(m.begin_again_with_another_secret)} />
        </section>
      ),
    }
  },
})

/** Text to be kept: copied by a button where scripts run, else by one click into it, which selects all. @param children other ways */
const Kept = ({ text, say, children }: { text: string; say: Say; children?: Child }) => (
  <div class="kept">
    <pre tabindex={0}>{text}</pre>
    <button type="button" class="plain" hidden data-copy={say(m.copied)}>
      {say(m.copy)}
    </button>
    {children}
  </div>
)

export function codesShown({ recovery_codes }: { readonly recovery_codes: readonly string[] }, _: URLSearchParams, say: Say): PageContent {
  const title = say(m.recovery_codes_for_footfall)
  const file = `${title}\r\n\r\n${recovery_codes.join('\r\n')}\r\n`
  return {
    title: say(m.recovery_codes),
    width: 'narrow',
    scripts: ['keep'],
    content: (
      <section class="card">
        <h1>{title}</h1>
        <p>{say(m.keep_these_where_you_keep_what)}</p>
        <Kept text={recovery_codes.join('\n')} say={say}>
          <a class="button plain" download="footfall-recovery-codes.txt" href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}>
            {say(m.download)}
          </a>
          <button type="button" class="plain" hidden data-print>
            {say(m.print)}
          </button>
        </Kept>
        <p>
          <a class="button" href="/account">
            {say(m.i_have_kept_them)}
          </a>
        </p>
      </section>
    ),
  }
}

/** The page that sets a second factor up. */
import { raw } from 'hono/html'
import { Faults, OperationForm } from '../../../runtime/ui/form.tsx'
import { isFresh } from '../../../runtime/call/recent-sign-in.ts'
import { page } from '../../../runtime/table/page.ts'
import { two_factor_enable } from './operations.ts'
import { KeptText } from './recovery-codes-page.tsx'
import { setupOf } from './setup.ts'
import { begunTotp } from './totp.ts'
import { common } from '../../../runtime/texts/common.ts'
import { m } from './messages.ts'
import { sayParts } from '../../../runtime/texts/say.ts'

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
          <p>{say(m.scan_the_code)}</p>
          <div class="qr" role="img" aria-label={say(m.qr_code_of_the_secret)}>
            {raw(qr)}
          </div>
          <p class="help">{sayParts(say, m.or_link_or_type_this, { link: <a href={uri}>{say(m.open_it_on_this_device)}</a> })}</p>
          <KeptText text={secret} say={say} />
          <OperationForm of={two_factor_enable} refused={refused}>
            {({ field }) => (
              <>
                {field('code', {
                  label: say(m.six_digit_code_from_the_app),
                  autocomplete: 'one-time-code',
                  inputmode: 'numeric',
                  maxlength: 8,
                  autofocus: true,
                })}
                <button type="submit">{say(m.turn_it_on)}</button>
              </>
            )}
          </OperationForm>
          <p class="beside">
            <a href="/account">{say(m.not_now)}</a>
          </p>
        </section>
      ),
    }
  },
})

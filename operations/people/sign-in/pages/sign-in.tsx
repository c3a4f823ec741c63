/** The pages on which people sign in. */
import type { PlainMessage } from '../../../../runtime/texts/message.ts'
import { Faults, OperationForm } from '../../../../runtime/ui/form.tsx'
import { ownPath, type PageContent, page, type Refused } from '../../../../runtime/table/page.ts'
import { canMail } from '../../mail/index.ts'
import { activeFor } from '../../sso/index.ts'
import { passwords_forgot, sessions_create } from '../operations.ts'
import { SIGN_UP } from '../settings.ts'
import { Message } from './message.tsx'
import { passkeyTrouble } from './passkey-trouble.ts'
import { m } from '../messages.ts'
import { common } from '../../../../runtime/texts/common.ts'
import { type Say, sayParts } from '../../../../runtime/texts/say.ts'

/** Whether a person who signed out of a session that their identity provider began is signed out there as well. */
const outThere: Readonly<Record<string, PlainMessage>> = {
  everywhere: m.signed_out_everywhere,
  here: m.signed_out_only_here,
}

/** Why a person who was signed in is asked to sign in. */
const reasons = {
  otherwise: m.signed_in_by_provider,
  again: m.sign_in_again_to_confirm,
  ended: m.you_are_signed_out_your_session,
}

export const sign_in = page({
  route: 'GET /sign-in',
  summary: 'Sign in',
  access: 'optional',
  signsIn: true,
  async show({ query, refused, caller, say }, { store, config }) {
    const next = ownPath(refused?.values.get('_next') ?? query.get('next'))
    const again = query.has('again')
    if (caller && !again && !refused) return { location: next ?? '/' }
    if (refused?.values.get('_step') === 'code') return codePage({ next, isRecovery: refused.values.has('_recovery'), refused, say })
    const asked = caller?.signedInBy === undefined ? reasons.again : reasons.otherwise
    const why = again ? asked : query.has('ended') ? reasons.ended : undefined
    const isKept = next !== undefined && new URLSearchParams(next.split('?')[1]).has('kept')
    const out = query.get('signed_out') ?? ''
    const signedOut = Object.hasOwn(outThere, out) ? outThere[out] : undefined
    const email = refused?.values.get('email') ?? ''
    const onwards = { ...(next !== undefined && { next }) }
    // Only the domain is looked up: the answer never shows whether the address has an account.
    const isOfCompany = refused !== undefined && (await activeFor(store.read, email)) !== undefined
    return {
      title: say(common.sign_in),
      width: 'narrow',
      scripts: ['passkeys'],
      content: (
        <section class="card">
          <h1>{say(common.sign_in)}</h1>
          {signedOut !== undefined && !refused && (
            <p class="notice" role="status">
              {say(signedOut)}
            </p>
          )}
          {why !== undefined && !refused && (
            <p class="notice" role="status">
              {say(why)} {isKept && say(m.input_is_kept)}
            </p>
          )}
          <Faults refused={refused} fields={['email', 'password']} />
          {isOfCompany && (
            <p class="notice">
              {sayParts(say, m.people_with_an_address_like_this, {
                link: <a href={`/sign-in/sso?${new URLSearchParams({ email, ...onwards })}`}>{say(m.continue_with_single_sign_on)}</a>,
              })}
            </p>
          )}
          <OperationForm of={sessions_create} hidden={{ _next: next }} refused={refused}>
            {({ field }) => (
              <>
                {field('email', {
                  label: say(common.e_mail_address),
                  type: 'email',
                  autocomplete: 'username webauthn',
                  value: again ? caller?.member?.email : undefined,
                  maxlength: 254,
                  autofocus: true,
                })}
                {field('password', { label: say(common.password), type: 'password', autocomplete: 'current-password' })}
                <button type="submit">{say(common.sign_in)}</button>
              </>
            )}
          </OperationForm>
          <div data-passkey="sign-in" data-next={next ?? '/'} {...passkeyTrouble(say)} hidden>
            <p class="or">{say(m.or)}</p>
            <button type="button" class="plain">
              {say(m.sign_in_with_a_passkey)}
            </button>
            <p class="fault" role="alert" hidden />
          </div>
          <p class="beside">
            <a href="/password/forgot">{say(m.forgot_your_password)}</a>
          </p>
          <p class="beside">
            <a href={`/sign-in/sso?${new URLSearchParams(onwards)}`.replace(/\?$/, '')}>{say(m.single_sign_on_of_your_company)}</a>
          </p>
          {config.of(SIGN_UP) === 'open' && canMail(config) && (
            <p class="beside">
              <a href="/sign-up">{say(m.make_an_account)}</a>
            </p>
          )}
        </section>
      ),
    }
  },
})

export const code = page({
  route: 'GET /sign-in/code',
  summary: 'Sign in: the second factor',
  access: 'optional',
  show: async ({ query, say }) =>
    codePage({ next: ownPath(query.get('next')), isRecovery: query.has('recovery'), refused: undefined, say }),
})

interface CodePage {
  readonly next: string | undefined
  readonly isRecovery: boolean
  readonly refused: Refused | undefined
  readonly say: Say
}

function codePage({ next, isRecovery, refused, say }: CodePage): PageContent {
  const other = new URLSearchParams({ ...(!isRecovery && { recovery: '1' }), ...(next !== undefined && { next }) })
  return {
    title: say(common.second_factor),
    width: 'narrow',
    content: (
      <section class="card">
        <h1>{say(common.second_factor)}</h1>
        <Faults refused={refused} fields={['code', 'recovery_code']} />
        <OperationForm
          of={sessions_create}
          hidden={{ _next: next, _step: 'code', _recovery: isRecovery ? '1' : undefined }}
          refused={refused}
        >
          {({ field }) => (
            <>
              {isRecovery
                ? field('recovery_code', { label: say(m.a_recovery_code), autocomplete: 'off', maxlength: 40, autofocus: true })
                : field('code', {
                    label: say(m.six_digit_code_from_your_app),
                    autocomplete: 'one-time-code',
                    inputmode: 'numeric',
                    maxlength: 8,
                    autofocus: true,
                  })}
              <button type="submit">{say(common.sign_in)}</button>
            </>
          )}
        </OperationForm>
        <p class="beside">
          <a href={`/sign-in/code?${other}`}>{say(isRecovery ? m.use_the_app : m.use_a_recovery_code)}</a> ·{' '}
          <a href="/sign-in">{say(m.start_over)}</a>
        </p>
      </section>
    ),
  }
}

export const forgot = page({
  route: 'GET /password/forgot',
  summary: 'Forgot the password',
  access: 'optional',
  async show({ query, refused, say }, { config }) {
    const title = say(m.a_new_password)
    if (query.has('sent')) {
      return {
        title,
        width: 'narrow',
        content: (
          <Message title={say(common.look_into_your_mail)} say={say}>
            <p>{say(m.if_an_account_has_that_address)}</p>
          </Message>
        ),
      }
    }
    return {
      title,
      width: 'narrow',
      content: canMail(config) ? (
        <section class="card">
          <h1>{title}</h1>
          <Faults refused={refused} fields={['email']} />
          <OperationForm of={passwords_forgot} refused={refused}>
            {({ field }) => (
              <>
                {field('email', {
                  label: say(common.e_mail_address),
                  type: 'email',
                  autocomplete: 'username',
                  maxlength: 254,
                  autofocus: true,
                })}
                <button type="submit">{say(common.mail_me_a_link)}</button>
              </>
            )}
          </OperationForm>
          <p class="beside">
            <a href="/sign-in">{say(m.back_to_sign_in)}</a>
          </p>
        </section>
      ) : (
        <Message title={title} say={say}>
          <p>{say(m.no_mails_sent_here)}</p>
          <p>
            <code>npm run -s sign-in-link -- --email you@example.com</code>
          </p>
          <p class="help">{say(m.with_smtp_url_set_this_page)}</p>
        </Message>
      ),
    }
  },
})

/** The pages on which people sign in. */
import { Faults, Field } from '../../../../runtime/ui/form.tsx'
import { phrases, type Say } from '../../../../runtime/texts/index.ts'
import { withParts } from '../../../../runtime/texts/with-elements.ts'
import { ownPath, type PageContent, page, type Refused } from '../../../../runtime/table/page.ts'
import { canMail } from '../../mail/index.ts'
import { activeFor } from '../../sso/index.ts'
import { SIGN_UP } from '../settings.ts'
import { Message } from './message.tsx'
import { passkeyTrouble } from './passkey-trouble.ts'

/** Whether somebody who signed out of a session that their identity provider began is signed out there as well. */
const outThere: Readonly<Record<string, string>> = phrases({
  everywhere: 'You are signed out, here and at your identity provider.',
  here: 'You are signed out here. Your identity provider has not confirmed that you are signed out there: sign out there as well.',
})

/** Why somebody who was signed in is asked to sign in. */
const reasons = phrases({
  otherwise:
    'You are signed in by single sign-on, which opens the workspace that it belongs to. For everything else sign in with your password or a passkey.',
  again: 'This change wants to know that it is you: please sign in once more.',
  ended: 'You are signed out: your session has ended, by its age or from elsewhere.',
})

/** A hidden field with the page to go on to. */
function Next({ next }: { next: string | undefined }) {
  return next === undefined ? null : <input type="hidden" name="_next" value={next} />
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
    if (refused?.values.get('_step') === 'code') return codePage(next, refused.values.has('_recovery'), refused, say)
    const asked = caller?.signedInBy === undefined ? reasons.again : reasons.otherwise
    const why = again ? asked : query.has('ended') ? reasons.ended : undefined
    const isKept = next !== undefined && new URLSearchParams(next.split('?')[1]).has('kept')
    const out = query.get('signed_out') ?? ''
    const signedOut = Object.hasOwn(outThere, out) ? outThere[out] : undefined
    const email = refused?.values.get('email') ?? ''
    const onwards = { ...(next !== undefined && { next }) }
    // It is the domain that is looked up: whether anybody has the address is told to nobody.
    const isOfCompany = refused !== undefined && (await activeFor(store.read, email)) !== undefined
    return {
      title: say('Sign in'),
      width: 'narrow',
      scripts: ['passkeys'],
      content: (
        <section class="card">
          <h1>{say('Sign in')}</h1>
          {signedOut !== undefined && !refused && (
            <p class="notice" role="status">
              {say(signedOut)}
            </p>
          )}
          {why !== undefined && !refused && (
            <p class="notice" role="status">
              {say(why)} {isKept && say('What you typed is kept for an hour: you find it again.')}
            </p>
          )}
          <Faults refused={refused} fields={['email', 'password']} />
          {isOfCompany && (
            <p class="notice">
              {withParts(say('People with an address like this can sign in with their company: {link}.'), {
                link: <a href={`/sign-in/sso?${new URLSearchParams({ email, ...onwards })}`}>{say('continue with single sign-on')}</a>,
              })}
            </p>
          )}
          <form method="post" action="/session">
            <Next next={next} />
            <Field
              name="email"
              label={say('E-mail address')}
              type="email"
              autocomplete="username webauthn"
              value={again ? caller?.member?.email : undefined}
              maxlength={254}
              refused={refused}
              autofocus
            />
            <Field name="password" label={say('Password')} type="password" autocomplete="current-password" refused={refused} />
            <button type="submit">{say('Sign in')}</button>
          </form>
          <div data-passkey="sign-in" data-next={next ?? '/'} {...passkeyTrouble(say)} hidden>
            <p class="or">{say('or')}</p>
            <button type="button" class="plain">
              {say('Sign in with a passkey')}
            </button>
            <p class="fault" role="alert" hidden />
          </div>
          <p class="beside">
            <a href="/password/forgot">{say('Forgot your password?')}</a>
          </p>
          <p class="beside">
            <a href={`/sign-in/sso?${new URLSearchParams(onwards)}`.replace(/\?$/, '')}>{say('Single sign-on of your company')}</a>
          </p>
          {config.of(SIGN_UP) === 'open' && canMail(config) && (
            <p class="beside">
              <a href="/sign-up">{say('Make an account')}</a>
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
  show: async ({ query, say }) => codePage(ownPath(query.get('next')), query.has('recovery'), undefined, say),
})

function codePage(next: string | undefined, isRecovery: boolean, refused: Refused | undefined, say: Say): PageContent {
  const other = new URLSearchParams({ ...(!isRecovery && { recovery: '1' }), ...(next !== undefined && { next }) })
  return {
    title: say('Second factor'),
    width: 'narrow',
    content: (
      <section class="card">
        <h1>{say('Second factor')}</h1>
        <Faults refused={refused} fields={['code', 'recovery_code']} />
        <form method="post" action="/session">
          <Next next={next} />
          <input type="hidden" name="_step" value="code" />
          {isRecovery ? (
            <>
              <input type="hidden" name="_recovery" value="1" />
              <Field name="recovery_code" label={say('A recovery code')} autocomplete="off" maxlength={40} refused={refused} autofocus />
            </>
          ) : (
            <Field
              name="code"
              label={say('The six digits that your app shows')}
              autocomplete="one-time-code"
              inputmode="numeric"
              maxlength={8}
              refused={refused}
              autofocus
            />
          )}
          <button type="submit">{say('Sign in')}</button>
        </form>
        <p class="beside">
          <a href={`/sign-in/code?${other}`}>{say(isRecovery ? 'Use the app' : 'Use a recovery code')}</a> ·{' '}
          <a href="/sign-in">{say('Start over')}</a>
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
    const title = say('A new password')
    if (query.has('sent')) {
      return {
        title,
        width: 'narrow',
        content: (
          <Message title={say('Look into your mail')} say={say}>
            <p>{say('If an account has that address, a link is on its way to it. It is good for an hour.')}</p>
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
          <form method="post" action="/password/forgot">
            <Field
              name="email"
              label={say('E-mail address')}
              type="email"
              autocomplete="username"
              maxlength={254}
              refused={refused}
              autofocus
            />
            <button type="submit">{say('Mail me a link')}</button>
          </form>
          <p class="beside">
            <a href="/sign-in">{say('Back to sign in')}</a>
          </p>
        </section>
      ) : (
        <Message title={title} say={say}>
          <p>{say('This installation sends no mails. Whoever runs it can print a link for you on its machine:')}</p>
          <p>
            <code>npm run -s sign-in-link -- --email you@example.com</code>
          </p>
          <p class="help">{say('With SMTP_URL set, this page mails such a link.')}</p>
        </Message>
      ),
    }
  },
})

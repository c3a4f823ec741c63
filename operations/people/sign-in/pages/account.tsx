/** The account, plain: what there is to change, and where it is signed in. */
import { LRUCache } from 'lru-cache'
import { ButtonForm, DrawnFrom, Faults, Field } from '../../../../runtime/ui/form.tsx'
import type { Say } from '../../../../runtime/texts/index.ts'
import { withParts } from '../../../../runtime/texts/with-elements.ts'
import { page, type Refused } from '../../../../runtime/table/page.ts'
import type { Static } from '../../../../runtime/table/schema.ts'
import type { Account } from '../../account/records.ts'
import { canMail } from '../../mail/index.ts'
import type { Membership } from '../../members/records.ts'
import type { Passkey } from '../../passkeys/records.ts'
import type { Session } from '../../sessions/records.ts'
import { recoveryCodes } from '../../two-factor/index.ts'
import type { TwoFactor } from '../../two-factor/records.ts'
import { browserOf } from '../../sessions/index.ts'
import { least } from '../password.ts'
import { Looks } from './appearance.tsx'
import { passkeyTrouble } from './passkey-trouble.ts'

export const account = page({
  route: 'GET /account',
  summary: 'The account',
  access: 'session',
  async show({ read, refused, caller, say }, { config }) {
    const of = (...operations: string[]) => (refused && operations.includes(refused.operation) ? refused : undefined)
    const [person, memberships, sessions] = (await Promise.all([
      read('account_get'),
      read('memberships_list', first),
      read('sessions_list', first),
    ])) as [Person, readonly Member[], readonly SignedIn[]] // as they are declared
    const isOwn = !caller?.withoutAccount
    const passkeys = isOwn && person.passkeys > 0 ? ((await read('passkeys_list', first)) as readonly Key[]) : []
    const twoFactor = isOwn && person.two_factor ? ((await read('two_factor_get')) as SecondFactor) : undefined
    return {
      title: say('Your account'),
      scripts: ['passkeys'],
      content: (
        <>
          <h1>{say('Your account')}</h1>
          <section class="card" aria-labelledby="person">
            <h2 id="person">{say('You')}</h2>
            <Faults refused={of('account_update', 'account_email_resend', 'account_email_cancel')} fields={['name', 'email']} />
            {person.unconfirmed_email !== null && (
              <div class="notice">
                <p>
                  {say('{new} waits to be confirmed by the link that was mailed to it. Until then {old} stays in force.', {
                    new: person.unconfirmed_email,
                    old: person.email,
                  })}
                </p>
                {isOwn && (
                  <div class="acts">
                    <ButtonForm action="/account/email/resend" label={say('Mail the link again')} />
                    <ButtonForm action="/account/email?_method=DELETE" label={say('Give it up')} />
                  </div>
                )}
              </div>
            )}
            {person.email_verified_at === null && (
              <div class="notice">
                <p>
                  {say('Nothing proves yet that {email} is your address. Whoever proves it first takes this account over.', {
                    email: person.email,
                  })}
                </p>
                <Faults refused={of('account_email_verify')} />
                {isOwn && canMail(config) && <ButtonForm action="/account/email/verify" label={say('Mail me a link')} />}
              </div>
            )}
            <form method="post" action="/account?_method=PATCH">
              <DrawnFrom record={person} fields={['name', 'email']} refused={of('account_update')} />
              <Field
                name="name"
                label={say('Name')}
                autocomplete="name"
                required={false}
                value={person.name ?? ''}
                maxlength={100}
                refused={of('account_update')}
              />
              {isOwn && (
                <Field
                  name="email"
                  label={say('E-mail address')}
                  type="email"
                  autocomplete="email"
                  value={person.email}
                  maxlength={254}
                  refused={of('account_update')}
                />
              )}
              <button type="submit">{say('Save')}</button>
            </form>
          </section>
          <Looks person={person} refused={of('account_update')} say={say} />
          {isOwn ? <Password refused={of('passwords_update')} email={person.email} say={say} /> : <BySso email={person.email} say={say} />}
          <Workspaces
            memberships={memberships}
            hasFactor={person.two_factor || passkeys.length > 0}
            refused={of('members_leave')}
            say={say}
          />
          {isOwn && (
            <Factors
              passkeys={passkeys}
              person={person}
              twoFactor={twoFactor}
              refused={of('two_factor_setup', 'two_factor_disable', 'two_factor_codes', 'passkeys_delete')}
              say={say}
            />
          )}
          <Sessions sessions={sessions} person={person} say={say} />
          {isOwn && (
            <section class="card" aria-labelledby="delete">
              <h2 id="delete">{say('Delete the account')}</h2>
              <Faults refused={of('account_delete')} fields={['confirm']} />
              <p class="help">{say('With it go your memberships, API tokens and sessions. What you made in workspaces stays there.')}</p>
              <form method="post" action="/account?_method=DELETE">
                <Field
                  name="confirm"
                  label={say('Type {text} to confirm', { text: person.email })}
                  autocomplete="off"
                  maxlength={254}
                  refused={of('account_delete')}
                />
                <button type="submit" class="danger">
                  {say('Delete my account')}
                </button>
              </form>
            </section>
          )}
        </>
      ),
    }
  },
})

type Person = Static<typeof Account>
type Member = Static<typeof Membership>
type SignedIn = Static<typeof Session>
type Key = Static<typeof Passkey>
type SecondFactor = Static<typeof TwoFactor>
/** Nobody has more, but for tests. */
const first = { per_page: 100 }

/** Why somebody sees nothing of a workspace that they are a member of, and what lets them in. */
function Closed({ workspace_id, state, hasFactor, say }: Member & { hasFactor: boolean; say: Say }) {
  if (state === 'deactivated') return <p class="bad">{say('You were deactivated here.')}</p>
  if (state === 'unverified') return <p class="bad">{say('An identity provider added you. Prove your address above, then you see it.')}</p>
  if (state === 'single_sign_on')
    return (
      <p class="bad">
        {withParts(say('It is open only by single sign-on: {link}.'), {
          link: <a href={`/sso/start?${new URLSearchParams({ workspace: workspace_id })}`}>{say('continue with your company')}</a>,
        })}
      </p>
    )
  return hasFactor ? (
    <p class="bad">
      {withParts(say('It asks for a second factor, which this sign-in did not show: {link}.'), {
        link: <a href="/sign-in?again=1&next=%2Faccount">{say('sign in with a passkey, or with password and code')}</a>,
      })}
    </p>
  ) : (
    <p class="bad">{say('It asks for a second factor: set one up below, then you see it again.')}</p>
  )
}

/** What an identity provider does not open: the account, and other workspaces. */
function BySso({ email, say }: { email: string; say: Say }) {
  return (
    <section class="card" aria-labelledby="by-sso">
      <h2 id="by-sso">{say('Signed in by single sign-on')}</h2>
      <p>
        {withParts(
          say(
            'You are signed in as {email} by the identity provider of a workspace, and see that workspace. Your password, passkeys, address and other workspaces open when you {link}.',
          ),
          { email, link: <a href="/sign-in?again=1&next=%2Faccount">{say('sign in with a password or a passkey')}</a> },
        )}
      </p>
    </section>
  )
}

interface Listed {
  readonly memberships: readonly Member[]
  readonly hasFactor: boolean
  readonly refused: Refused | undefined
  readonly say: Say
}

function Workspaces({ memberships, hasFactor, refused, say }: Listed) {
  return (
    <section class="card" aria-labelledby="workspaces">
      <h2 id="workspaces">{say('Workspaces')}</h2>
      <Faults refused={refused} />
      {memberships.length === 0 && <p class="help">{say('You are a member of none. Somebody who is can invite you.')}</p>}
      <ul class="rows">
        {memberships.map(each => (
          <li>
            <div>
              <b>{each.workspace_name}</b>
              <p class="help">
                {say(each.role)}
                {each.state === 'open' && (
                  <>
                    {' · '}
                    <a href={`/workspaces/${each.workspace_id}/connected_clients`}>{say('Connected clients')}</a>
                    {each.role === 'owner' && (
                      <>
                        {' · '}
                        <a href={`/workspaces/${each.workspace_id}/sso/link`}>{say('Single sign-on')}</a>
                      </>
                    )}
                  </>
                )}
              </p>
              {each.state !== 'open' && <Closed {...each} hasFactor={hasFactor} say={say} />}
            </div>
            {each.state === 'open' && <ButtonForm action={`/workspaces/${each.workspace_id}/leave`} label={say('Leave')} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Password({ refused, email, say }: { refused: Refused | undefined; email: string; say: Say }) {
  return (
    <section class="card" aria-labelledby="password-title">
      <h2 id="password-title">{say('Password')}</h2>
      <Faults refused={refused} fields={['password']} />
      <form method="post" action="/account/password?_method=PATCH">
        <input type="hidden" name="_username" autocomplete="username" value={email} />
        <Field
          name="password"
          label={say('New password')}
          type="password"
          autocomplete="new-password"
          help={say('At least {least} characters. All other browsers are signed out.', { least })}
          refused={refused}
        />
        <button type="submit">{say('Change it')}</button>
      </form>
    </section>
  )
}

interface FactorsProps {
  readonly passkeys: readonly Key[]
  readonly person: Person
  /** Undefined where there is none. */
  readonly twoFactor: SecondFactor | undefined
  readonly refused: Refused | undefined
  readonly say: Say
}

function Factors({ passkeys, person, twoFactor, refused, say }: FactorsProps) {
  return (
    <section class="card" aria-labelledby="factors">
      <h2 id="factors">{say('Second factor and passkeys')}</h2>
      <Faults refused={refused} />
      <ul class="rows">
        <li>
          <div>
            <b>{say('Codes of an app')}</b> {twoFactor && <span class="tag">{say('on')}</span>}
            <p class="help">
              {say(
                twoFactor ? 'Sign-in asks for a code as well as the password.' : 'Sign-in then asks for a code as well as the password.',
              )}
            </p>
            {twoFactor && <CodesLeft {...twoFactor} say={say} />}
          </div>
          {twoFactor ? (
            <>
              <ButtonForm action="/account/two_factor/codes" label={say('New recovery codes')} />
              <ButtonForm action="/account/two_factor?_method=DELETE" label={say('Turn off')} danger />
            </>
          ) : (
            <ButtonForm action="/account/two_factor" label={say('Set up')} />
          )}
        </li>
        {passkeys.map(({ id, name, created_at, last_used_at }) => (
          <li>
            <div>
              <b>{name}</b> <span class="tag">{say('passkey')}</span>
              <p class="help">
                {last_used_at === null
                  ? withParts(say('Made {at}'), { at: <Time at={created_at} person={person} /> })
                  : withParts(say('Made {at}, last used {used}'), {
                      at: <Time at={created_at} person={person} />,
                      used: <Time at={last_used_at} person={person} />,
                    })}
              </p>
            </div>
            <ButtonForm action={`/account/passkeys/${id}?_method=DELETE`} label={say('Delete')} danger />
          </li>
        ))}
      </ul>
      <div data-passkey="create" data-next="/account" {...passkeyTrouble(say)} hidden>
        <button type="button" class="plain">
          {say('Add a passkey')}
        </button>
        <p class="fault" role="alert" hidden />
      </div>
      <noscript>
        <p class="help">{say('Passkeys need scripts.')}</p>
      </noscript>
    </section>
  )
}

/** How many recovery codes there are, and why to make new ones. */
function CodesLeft({ recovery_codes_left: left, recovery_codes_outdated: isOutdated, say }: SecondFactor & { say: Say }) {
  return (
    <p class={left < 3 ? 'bad' : 'help'}>
      {say('Recovery codes left: {left} of {all}.', { left: String(left), all: String(recoveryCodes) })}{' '}
      {left < 3 || isOutdated
        ? say(isOutdated ? 'They are from an older version: new ones are longer.' : 'Make new ones before you need them.')
        : null}
    </p>
  )
}

interface SessionsProps {
  readonly sessions: readonly SignedIn[]
  readonly person: Person
  readonly say: Say
}

function Sessions({ sessions, person, say }: SessionsProps) {
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">{say('Where you are signed in')}</h2>
      <ul class="rows">
        {sessions.map(({ id, user_agent, current, ip, started_at, last_used_at, ends_at }) => (
          <li>
            <div>
              <b>{browserOf(user_agent, say)}</b> {current && <span class="tag">{say('this browser')}</span>}
              <p class="help">
                {withParts(say('Signed in {at} from {ip}'), { at: <Time at={started_at} person={person} />, ip })}
                <br />
                {withParts(say('Last used {at}; ends {end} at the latest'), {
                  at: <Time at={last_used_at} person={person} />,
                  end: <Time at={ends_at} person={person} />,
                })}
              </p>
            </div>
            <ButtonForm action={`/account/sessions/${id}?_method=DELETE`} label={say('Sign out')} />
          </li>
        ))}
      </ul>
      {sessions.length > 1 && <ButtonForm action="/account/sessions?_method=DELETE" label={say('Sign out all others')} danger />}
    </section>
  )
}

/** As the person reads times: in their language and zone; in UTC, and saying so, for who has none. */
function Time({ at, person }: { at: string; person: Person }) {
  const shown = timesIn(person.locale, person.timezone ?? 'UTC').format(Date.parse(at))
  return <time datetime={at}>{person.timezone === null ? `${shown} UTC` : shown}</time>
}

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })
/** Making one takes as long as a quarter of the page. */
function timesIn(locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  formats.set(key, format)
  return format
}

/** The page that a mail links to for a new address. Its button confirms it: mail scanners open links. */
export const email_confirm = page({
  route: 'GET /account/email/confirm',
  summary: 'Confirm a new e-mail address',
  access: 'session',
  async show({ query, refused, caller, say }) {
    const token = refused?.values.get('token') ?? query.get('token') ?? ''
    return {
      title: say('Confirm your address'),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say('Confirm your address')}</h1>
          <Faults refused={refused} />
          <p>
            {say('Your account, until now {email}, gets the address that this link was mailed to.', { email: caller?.member?.email ?? '' })}
          </p>
          <form method="post" action="/account/email/confirm">
            <input type="hidden" name="token" value={token} />
            <input type="hidden" name="_next" value={`/account/email/confirm?${new URLSearchParams({ token })}`} />
            <button type="submit">{say('Confirm')}</button>
          </form>
        </section>
      ),
    }
  },
})

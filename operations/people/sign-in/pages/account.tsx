/** The account, plain: what there is to change, and where it is signed in. */
import { ButtonForm, Faults, Field } from '../../../../runtime/form.tsx'
import { workspacesOf } from '../../../../runtime/caller.ts'
import { page, type Refused } from '../../../../runtime/page.ts'
import type { Db } from '../../../../storage/store.ts'
import type { PasskeyRow } from '../../../../storage/tables/factors.ts'
import type { SessionRow } from '../../../../storage/tables/sign-in.ts'
import { browserOf } from '../../sessions/index.ts'
import { hasTotp } from '../../two-factor/index.ts'
import { least } from '../password.ts'
import { Looks } from './looks.tsx'

export const account = page({
  route: 'GET /account',
  summary: 'The account',
  access: 'session',
  async show({ caller, now, refused }, { store }) {
    const accountId = caller?.member?.accountId ?? ''
    const of = (...operations: string[]) => (refused && operations.includes(refused.operation) ? refused : undefined)
    const person = await store.read.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
    const [memberships, sessions, passkeys, totp] = [
      await membershipsOf(store.read, accountId),
      await sessionsOf(store.read, accountId, now),
      await store.read.selectFrom('passkeys').selectAll().where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute(),
      await hasTotp(store.read, accountId),
    ]
    return {
      title: 'Your account',
      scripts: ['passkeys'],
      content: (
        <>
          <h1>Your account</h1>
          <section class="card" aria-labelledby="person">
            <h2 id="person">You</h2>
            <Faults refused={of('account_update')} fields={['name', 'email']} />
            {person.unconfirmed_email !== null && (
              <p class="notice">
                {person.unconfirmed_email} waits to be confirmed by the link that was mailed to it. Until then {person.email} stays in
                force.
              </p>
            )}
            <form method="post" action="/account?_method=PATCH">
              <Field
                name="name"
                label="Name"
                autocomplete="name"
                required={false}
                value={person.name ?? ''}
                maxlength={100}
                refused={of('account_update')}
              />
              <Field
                name="email"
                label="E-mail address"
                type="email"
                autocomplete="email"
                value={person.email}
                maxlength={254}
                refused={of('account_update')}
              />
              <button type="submit">Save</button>
            </form>
          </section>
          <Looks person={person} refused={of('account_update')} />
          <Password refused={of('passwords_update')} email={person.email} />
          <Workspaces memberships={memberships} seen={caller ? workspacesOf(caller) : []} refused={of('members_leave')} />
          <Factors
            totp={totp}
            passkeys={passkeys}
            refused={of('two_factor_setup', 'two_factor_disable', 'two_factor_codes', 'passkeys_delete')}
          />
          <Sessions sessions={sessions} current={caller?.credentialId} />
          <section class="card" aria-labelledby="delete">
            <h2 id="delete">Delete the account</h2>
            <Faults refused={of('account_delete')} fields={['confirm']} />
            <p class="help">With it go your memberships, API tokens and sessions. What you made in workspaces stays there.</p>
            <form method="post" action="/account?_method=DELETE">
              <Field
                name="confirm"
                label={`Type ${person.email} to confirm`}
                autocomplete="off"
                maxlength={254}
                refused={of('account_delete')}
              />
              <button type="submit" class="danger">
                Delete my account
              </button>
            </form>
          </section>
        </>
      ),
    }
  },
})

function membershipsOf(db: Db, accountId: string) {
  const own = db.selectFrom('members as m').innerJoin('workspaces as w', 'w.id', 'm.workspace_id').where('m.account_id', '=', accountId)
  return own.select(['w.id', 'w.name', 'm.role', 'm.active']).orderBy('m.created_at').orderBy('m.id').limit(100).execute()
}
type Memberships = Awaited<ReturnType<typeof membershipsOf>>

function Workspaces({ memberships, seen, refused }: { memberships: Memberships; seen: readonly string[]; refused: Refused | undefined }) {
  return (
    <section class="card" aria-labelledby="workspaces">
      <h2 id="workspaces">Workspaces</h2>
      <Faults refused={refused} />
      {memberships.length === 0 && <p class="help">You are a member of none. Somebody who is can invite you.</p>}
      <ul class="rows">
        {memberships.map(({ id, name, role, active }) => (
          <li>
            <div>
              <b>{name}</b>
              <p class="help">
                {role}
                {seen.includes(id) && (
                  <>
                    {' · '}
                    <a href={`/workspaces/${id}/connected_clients`}>Connected clients</a>
                  </>
                )}
              </p>
              {active === 0 && <p class="bad">You were deactivated here.</p>}
              {active === 1 && !seen.includes(id) && (
                <p class="bad">It asks for a second factor: set one up below, then you see it again.</p>
              )}
            </div>
            {seen.includes(id) && <ButtonForm action={`/workspaces/${id}/leave`} label="Leave" />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function sessionsOf(db: Db, accountId: string, now: number): Promise<SessionRow[]> {
  const own = db.selectFrom('sessions').selectAll().where('account_id', '=', accountId).where('expires_at', '>', now)
  return own.orderBy('last_used_at', 'desc').orderBy('id').limit(100).execute()
}

function Password({ refused, email }: { refused: Refused | undefined; email: string }) {
  return (
    <section class="card" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <Faults refused={refused} fields={['password']} />
      <form method="post" action="/account/password?_method=PATCH">
        <input type="hidden" name="_username" autocomplete="username" value={email} />
        <Field
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          help={`At least ${least} characters. All other browsers are signed out.`}
          refused={refused}
        />
        <button type="submit">Change it</button>
      </form>
    </section>
  )
}

function Factors({ totp, passkeys, refused }: { totp: boolean; passkeys: readonly PasskeyRow[]; refused: Refused | undefined }) {
  return (
    <section class="card" aria-labelledby="factors">
      <h2 id="factors">Second factor and passkeys</h2>
      <Faults refused={refused} />
      <ul class="rows">
        <li>
          <div>
            <b>Codes of an app</b> {totp && <span class="tag">on</span>}
            <p class="help">
              {totp ? 'Sign-in asks for a code beside the password.' : 'Sign-in then asks for a code beside the password.'}
            </p>
          </div>
          {totp ? (
            <>
              <ButtonForm action="/account/two_factor/codes" label="New recovery codes" />
              <ButtonForm action="/account/two_factor?_method=DELETE" label="Turn off" danger />
            </>
          ) : (
            <ButtonForm action="/account/two_factor" label="Set up" />
          )}
        </li>
        {passkeys.map(({ id, name, created_at, last_used_at }) => (
          <li>
            <div>
              <b>{name}</b> <span class="tag">passkey</span>
              <p class="help">
                Made <Time at={created_at} />
                {last_used_at !== null && (
                  <>
                    , last used <Time at={last_used_at} />
                  </>
                )}
              </p>
            </div>
            <ButtonForm action={`/account/passkeys/${id}?_method=DELETE`} label="Delete" danger />
          </li>
        ))}
      </ul>
      <div data-passkey="create" data-next="/account" hidden>
        <button type="button" class="plain">
          Add a passkey
        </button>
        <p class="fault" role="alert" hidden />
      </div>
      <noscript>
        <p class="help">Passkeys need scripts.</p>
      </noscript>
    </section>
  )
}

function Sessions({ sessions, current }: { sessions: readonly SessionRow[]; current: string | undefined }) {
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="rows">
        {sessions.map(({ id, user_agent, ip, last_used_at }) => (
          <li>
            <div>
              <b>{browserOf(user_agent)}</b> {id === current && <span class="tag">this browser</span>}
              <p class="help">
                From {ip}, last used <Time at={last_used_at} />
              </p>
            </div>
            <ButtonForm action={`/account/sessions/${id}?_method=DELETE`} label="Sign out" />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Time({ at }: { at: number }) {
  const iso = new Date(at).toISOString()
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>
}

/** The page that a mail links to for a new address. Its button confirms it: mail scanners open links. */
export const email_confirm = page({
  route: 'GET /account/email/confirm',
  summary: 'Confirm a new e-mail address',
  access: 'session',
  async show({ query, refused, caller }) {
    const token = refused?.values.get('token') ?? query.get('token') ?? ''
    return {
      title: 'Confirm your address',
      width: 'narrow',
      content: (
        <section class="card">
          <h1>Confirm your address</h1>
          <Faults refused={refused} />
          <p>Your account, until now {caller?.member?.email}, gets the address that this link was mailed to.</p>
          <form method="post" action="/account/email/confirm">
            <input type="hidden" name="token" value={token} />
            <input type="hidden" name="_next" value={`/account/email/confirm?${new URLSearchParams({ token })}`} />
            <button type="submit">Confirm</button>
          </form>
        </section>
      ),
    }
  },
})

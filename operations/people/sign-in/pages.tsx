/** The pages that somebody sees who is not signed in yet, and the account that they come to. */
import { Faults, Field, ButtonForm } from '../../../runtime/form.tsx'
import { ownPath, page } from '../../../runtime/page.ts'
import { browserOf } from '../sessions/index.ts'
import { findLink } from './links.ts'
import { least } from './password.ts'

export const sign_in = page({
  route: 'GET /sign-in',
  summary: 'Sign in',
  access: 'optional',
  signsIn: true,
  async show({ query, refused, caller }) {
    const next = ownPath(refused?.values.get('_next') ?? query.get('next'))
    const again = query.has('again')
    if (caller && !again && !refused) return { location: next ?? '/account' }
    return {
      title: 'Sign in',
      width: 'narrow',
      content: (
        <section class="card">
          <h1>Sign in</h1>
          {again && <p class="help">This change wants to know that it is you: sign in once more.</p>}
          <Faults refused={refused} fields={['email', 'password']} />
          <form method="post" action="/session">
            {next !== undefined && <input type="hidden" name="_next" value={next} />}
            <Field
              name="email"
              label="E-mail address"
              type="email"
              autocomplete="username"
              value={again ? caller?.member?.email : undefined}
              autofocus
              refused={refused}
              maxlength={254}
            />
            <Field name="password" label="Password" type="password" autocomplete="current-password" refused={refused} />
            <button type="submit">Sign in</button>
          </form>
          <p class="beside">
            No way in any more? <a href="/docs/sign-in">What to do</a>
          </p>
        </section>
      ),
    }
  },
})

export const one_time_link = page({
  route: 'GET /links/{token}',
  summary: 'Set a password by a link',
  access: 'optional',
  async show({ path, refused, now }, { store }) {
    const link = await findLink(store.read, ['set_up', 'reset'], path.token ?? '', now)
    if (!link) {
      return {
        title: 'This link has ended',
        status: 410,
        width: 'narrow',
        content: (
          <section class="card">
            <h1>This link has ended</h1>
            <p>It was used, or its time is over. Each is good once.</p>
            <p>
              <a href="/sign-in">Sign in</a>
            </p>
          </section>
        ),
      }
    }
    const isSetUp = link.kind === 'set_up'
    const title = isSetUp ? 'Set up your account' : 'Choose a new password'
    return {
      title,
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{title}</h1>
          <Faults refused={refused} fields={['email', 'password']} />
          <form method="post" action={`/links/${path.token}`}>
            {isSetUp ? (
              <Field
                name="email"
                label="E-mail address"
                type="email"
                autocomplete="username"
                value={isPlaceholder(link.account_email) ? undefined : link.account_email}
                help="You sign in with it, and find your way back by it."
                refused={refused}
                maxlength={254}
              />
            ) : (
              <input type="hidden" autocomplete="username" value={link.account_email} />
            )}
            <Field
              name="password"
              label="Password"
              type="password"
              autocomplete="new-password"
              help={`At least ${least} characters. A sentence is easy to remember and hard to guess.`}
              refused={refused}
            />
            <button type="submit">{isSetUp ? 'Set it and sign in' : 'Set it'}</button>
          </form>
        </section>
      ),
    }
  },
})

/** The owner that the first start made knows no address yet. */
const isPlaceholder = (email: string): boolean => email.endsWith('@localhost.localdomain')

export const account = page({
  route: 'GET /account',
  summary: 'The account',
  access: 'session',
  async show({ caller, now }, { store }) {
    const person = caller?.member
    const sessions = await store.read
      .selectFrom('sessions')
      .selectAll()
      .where('account_id', '=', person?.accountId ?? '')
      .where('expires_at', '>', now)
      .orderBy('last_used_at', 'desc')
      .orderBy('id')
      .limit(100)
      .execute()
    return {
      title: 'Your account',
      content: (
        <>
          <h1>Your account</h1>
          <section class="card" aria-labelledby="sessions">
            <h2 id="sessions">Where you are signed in</h2>
            <ul class="rows">
              {sessions.map(session => (
                <li>
                  <div>
                    <b>{browserOf(session.user_agent)}</b> {session.id === caller?.credentialId && <span class="tag">this browser</span>}
                    <p class="help">
                      From {session.ip}, last used <Time at={session.last_used_at} />
                    </p>
                  </div>
                  <ButtonForm action={`/account/sessions/${session.id}?_method=DELETE`} label="Sign out" />
                </li>
              ))}
            </ul>
          </section>
        </>
      ),
    }
  },
})

function Time({ at }: { at: number }) {
  const iso = new Date(at).toISOString()
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>
}

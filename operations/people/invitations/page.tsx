/** The page of an invitation's link. */
import { Faults, Field } from '../../../runtime/ui/form.tsx'
import { withParts } from '../../../runtime/texts/with-elements.ts'
import { page } from '../../../runtime/table/page.ts'
import { least } from '../sign-in/index.ts'
import { findInvitation } from './invite.ts'

export const invitation = page({
  route: 'GET /invitations/{token}',
  summary: 'Accept an invitation',
  access: 'optional',
  async show({ path, refused, caller, now, say }, { store }) {
    const token = path.token ?? ''
    const found = await findInvitation(store.read, token, now)
    if (!found) {
      return {
        title: say('This invitation has ended'),
        status: 410,
        width: 'narrow',
        content: (
          <section class="card">
            <h1>{say('This invitation has ended')}</h1>
            <p>{say('It was accepted or taken back, or its time is over. Ask who invited you for another.')}</p>
          </section>
        ),
      }
    }
    const action = `/invitations/${encodeURIComponent(token)}`
    const title = say('Join {workspace}', { workspace: found.workspace })
    return {
      title,
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{title}</h1>
          <p>
            {withParts(say('{who} invites you to the workspace {workspace}, as {role}.'), {
              who: found.invited_by,
              workspace: <b>{found.workspace}</b>,
              role: say(found.role),
            })}
          </p>
          <Faults refused={refused} fields={['name', 'password']} />
          {caller?.member ? (
            <form method="post" action={action}>
              <button type="submit">{say('Join as {email}', { email: caller.member.email })}</button>
            </form>
          ) : (
            <>
              <form method="post" action={action}>
                <Field
                  name="_username"
                  label={say('E-mail address')}
                  autocomplete="username"
                  value={found.email}
                  readonly
                  refused={undefined}
                />
                <Field name="name" label={say('Name')} autocomplete="name" required={false} maxlength={100} refused={refused} />
                <Field
                  name="password"
                  label={say('Password')}
                  type="password"
                  autocomplete="new-password"
                  help={say('At least {least} characters. A sentence is easy to remember and hard to guess.', { least })}
                  refused={refused}
                />
                <button type="submit">{say('Join')}</button>
              </form>
              <p class="beside">
                {say('You have an account here?')}{' '}
                <a href={`/sign-in?${new URLSearchParams({ next: action })}`}>{say('Sign in and join')}</a>
              </p>
            </>
          )}
        </section>
      ),
    }
  },
})

/** What the link of an invitation opens. */
import { Faults, Field } from '../../../runtime/form.tsx'
import { page } from '../../../runtime/page.ts'
import { least } from '../sign-in/index.ts'
import { findInvitation } from './invite.ts'

export const invitation = page({
  route: 'GET /invitations/{token}',
  summary: 'Accept an invitation',
  access: 'optional',
  async show({ path, refused, caller, now }, { store }) {
    const token = path.token ?? ''
    const found = await findInvitation(store.read, token, now)
    if (!found) {
      return {
        title: 'This invitation has ended',
        status: 410,
        width: 'narrow',
        content: (
          <section class="card">
            <h1>This invitation has ended</h1>
            <p>It was accepted or taken back, or its time is over. Ask who invited you for another.</p>
          </section>
        ),
      }
    }
    const action = `/invitations/${encodeURIComponent(token)}`
    const title = `Join ${found.workspace}`
    return {
      title,
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{title}</h1>
          <p>
            {found.invited_by} invites you to the workspace <b>{found.workspace}</b>, as {found.role}.
          </p>
          <Faults refused={refused} fields={['name', 'password']} />
          {caller?.member ? (
            <form method="post" action={action}>
              <button type="submit">Join as {caller.member.email}</button>
            </form>
          ) : (
            <>
              <form method="post" action={action}>
                <Field name="_username" label="E-mail address" autocomplete="username" value={found.email} readonly refused={undefined} />
                <Field name="name" label="Name" autocomplete="name" required={false} maxlength={100} refused={refused} />
                <Field
                  name="password"
                  label="Password"
                  type="password"
                  autocomplete="new-password"
                  help={`At least ${least} characters. A sentence is easy to remember and hard to guess.`}
                  refused={refused}
                />
                <button type="submit">Join</button>
              </form>
              <p class="beside">
                You have an account here? <a href={`/sign-in?${new URLSearchParams({ next: action })}`}>Sign in and join</a>
              </p>
            </>
          )}
        </section>
      ),
    }
  },
})

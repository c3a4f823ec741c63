/** The page that the notice of a changed address links to. Its button undoes the change: mail scanners open links. */
import { Faults } from '../../../../runtime/ui/form.tsx'
import { page } from '../../../../runtime/table/page.ts'
import { findLink } from '../../links/index.ts'
import { Message } from './message.tsx'

export const email_undo = page({
  route: 'GET /account/email/undo',
  summary: 'Undo a change of the e-mail address',
  access: 'optional',
  async show({ query, refused, now, say }, { store }) {
    const token = refused?.values.get('token') ?? query.get('token') ?? ''
    const link = await findLink(store.read, ['email_undo'], token, now)
    const title = say(link ? 'Undo the change of your address' : 'This link has ended')
    return {
      title,
      status: link ? 200 : 410,
      width: 'narrow',
      content: link ? (
        <section class="card">
          <h1>{title}</h1>
          <Faults refused={refused} />
          <p>
            {say(
              'The account, now with the address {now}, gets {email} again. Everybody is signed out of it, and you choose a new password.',
              {
                now: link.account_email,
                email: link.email ?? '',
              },
            )}
          </p>
          <form method="post" action="/account/email/undo">
            <input type="hidden" name="token" value={token} />
            <button type="submit">{say('Undo the change')}</button>
          </form>
        </section>
      ) : (
        <Message title={title} say={say}>
          <p>{say('It was used, or its time is over. Each is good once.')}</p>
        </Message>
      ),
    }
  },
})

/** The page that the notice of a changed address links to. Its button undoes the change: mail scanners open links. */
import { Faults, OperationForm } from '../../../../runtime/ui/form.tsx'
import { page } from '../../../../runtime/table/page.ts'
import { account_email_undo, accountMessages } from '../../account/index.ts'
import { findLink } from '../../links/index.ts'
import { Message } from './message.tsx'
import { m } from '../messages.ts'
import { common } from '../../../../runtime/texts/common.ts'

export const email_undo = page({
  route: 'GET /account/email/undo',
  summary: 'Undo a change of the e-mail address',
  access: 'optional',
  async show({ query, refused, now, say }, { store }) {
    const token = refused?.values.get('token') ?? query.get('token') ?? ''
    const link = await findLink(store.read, { among: ['email_undo'], secret: token, now })
    const title = say(link ? m.undo_the_change_of_your_address : common.this_link_has_ended)
    return {
      title,
      status: link ? 200 : 410,
      width: 'narrow',
      content: link ? (
        <section class="card">
          <h1>{title}</h1>
          <Faults refused={refused} />
          <p>
            {say(m.the_account_now_with_the_address, {
              now: link.account_email,
              email: link.email ?? '',
            })}
          </p>
          <OperationForm of={account_email_undo} hidden={{ token }} refused={refused}>
            {() => <button type="submit">{say(accountMessages.undo_the_change)}</button>}
          </OperationForm>
        </section>
      ) : (
        <Message title={title} say={say}>
          <p>{say(m.used_or_expired)}</p>
        </Message>
      ),
    }
  },
})

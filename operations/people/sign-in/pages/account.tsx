/** The account, plain, and the page that confirms a new address of it. */
import { Faults, OperationForm } from '../../../../runtime/ui/form.tsx'
import { page } from '../../../../runtime/table/page.ts'
import { account_email_confirm } from '../../account/index.ts'
import { common } from '../../../../runtime/texts/common.ts'
import { m } from '../messages.ts'

export const account = page({
  route: 'GET /account',
  summary: 'The account',
  access: 'session',
  show: async (request, app) => (await import('./account-content.tsx')).accountContent(request, app),
})

/** The page that a mail links to for a new address. Its button confirms it: mail scanners open links. */
export const email_confirm = page({
  route: 'GET /account/email/confirm',
  summary: 'Confirm a new e-mail address',
  access: 'session',
  async show({ query, refused, caller, say }) {
    const token = refused?.values.get('token') ?? query.get('token') ?? ''
    return {
      title: say(common.confirm_your_address),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say(common.confirm_your_address)}</h1>
          <Faults refused={refused} />
          <p>{say(m.changes_the_address, { email: caller?.member?.email ?? '' })}</p>
          <OperationForm
            of={account_email_confirm}
            hidden={{ token, _next: `/account/email/confirm?${new URLSearchParams({ token })}` }}
            refused={refused}
          >
            {() => <button type="submit">{say(common.confirm)}</button>}
          </OperationForm>
        </section>
      ),
    }
  },
})

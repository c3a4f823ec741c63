/** What a link of the machine or of a mail opens. Opening it takes nothing: the form does. */
import { Faults, Field } from '../../../../runtime/form.tsx'
import { page } from '../../../../runtime/page.ts'
import { findLink } from '../../links/index.ts'
import { least } from '../password.ts'
import { Message } from './message.tsx'

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
          <Message title="This link has ended">
            <p>It was used, or its time is over. Each is good once.</p>
          </Message>
        ),
      }
    }
    const isSetUp = link.kind === 'set_up'
    const title = isSetUp ? 'Set up your account' : 'Choose a new password'
    const action = `/links/${encodeURIComponent(path.token ?? '')}`
    return {
      title,
      width: 'narrow',
      scripts: ['passkeys'],
      content: (
        <section class="card">
          <h1>{title}</h1>
          <Faults refused={refused} fields={['email', 'password']} />
          <form method="post" action={action}>
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
              <Field
                name="_username"
                label="E-mail address"
                autocomplete="username"
                value={link.account_email}
                readonly
                refused={undefined}
              />
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
          {isSetUp && (
            <div data-passkey="set-up" data-action={action} data-next="/" hidden>
              <p class="or">or without a password</p>
              <button type="button" class="plain">
                Make a passkey and sign in
              </button>
              <p class="fault" role="alert" hidden />
            </div>
          )}
        </section>
      ),
    }
  },
})

/** The owner that the first start made knows no address yet. */
const isPlaceholder = (email: string): boolean => email.endsWith('@localhost.localdomain')

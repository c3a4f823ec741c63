/** The page of a one-time link, printed by a command or mailed. Opening it does not use it up: the form does. */
import { Faults, Field } from '../../../../runtime/ui/form.tsx'
import { page } from '../../../../runtime/table/page.ts'
import { isPlaceholder } from '../../account/index.ts'
import { findLink } from '../../links/index.ts'
import { least } from '../password.ts'
import { Message } from './message.tsx'
import { passkeyTrouble } from './passkey-trouble.ts'

export const one_time_link = page({
  route: 'GET /links/{token}',
  summary: 'Set a password by a link',
  access: 'optional',
  async show({ path, refused, now, say }, { store }) {
    const link = await findLink(store.read, ['set_up', 'reset'], path.token ?? '', now)
    if (!link) {
      return {
        title: say('This link has ended'),
        status: 410,
        width: 'narrow',
        content: (
          <Message title={say('This link has ended')} say={say}>
            <p>{say('It was used, or its time is over. Each is good once.')}</p>
          </Message>
        ),
      }
    }
    const isSetUp = link.kind === 'set_up'
    const title = say(isSetUp ? 'Set up your account' : 'Choose a new password')
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
                label={say('E-mail address')}
                type="email"
                autocomplete="username"
                value={isPlaceholder(link.account_email) ? undefined : link.account_email}
                help={say('You sign in with it, and find your way back by it.')}
                refused={refused}
                maxlength={254}
              />
            ) : (
              <Field
                name="_username"
                label={say('E-mail address')}
                autocomplete="username"
                value={link.account_email}
                readonly
                refused={undefined}
              />
            )}
            <Field
              name="password"
              label={say('Password')}
              type="password"
              autocomplete="new-password"
              help={say('At least {least} characters. A sentence is easy to remember and hard to guess.', { least })}
              refused={refused}
            />
            <button type="submit">{say(isSetUp ? 'Set it and sign in' : 'Set it')}</button>
          </form>
          {isSetUp && (
            <div data-passkey="set-up" data-action={action} data-next="/" {...passkeyTrouble(say)} hidden>
              <p class="or">{say('or without a password')}</p>
              <button type="button" class="plain">
                {say('Make a passkey and sign in')}
              </button>
              <p class="fault" role="alert" hidden />
            </div>
          )}
        </section>
      ),
    }
  },
})

/** The page of a one-time link, printed by a command or mailed. Opening it does not use it up: the form does. */
import { Faults, OperationForm, Username } from '../../../../runtime/ui/form.tsx'
import { page } from '../../../../runtime/table/page.ts'
import { isPlaceholder } from '../../account/index.ts'
import { findLink } from '../../links/index.ts'
import { passwords_reset } from '../operations.ts'
import { MIN_PASSWORD_LENGTH } from '../password.ts'
import { Message } from './message.tsx'
import { passkeyTrouble } from './passkey-trouble.ts'
import { common } from '../../../../runtime/texts/common.ts'
import { m } from '../messages.ts'

export const one_time_link = page({
  route: 'GET /links/{token}',
  summary: 'Set a password by a link',
  access: 'optional',
  async show({ path, refused, now, say }, { store }) {
    const link = await findLink(store.read, { among: ['set_up', 'reset'], secret: path.token ?? '', now })
    if (!link) {
      return {
        title: say(common.this_link_has_ended),
        status: 410,
        width: 'narrow',
        content: (
          <Message title={say(common.this_link_has_ended)} say={say}>
            <p>{say(m.used_or_expired)}</p>
          </Message>
        ),
      }
    }
    const isSetUp = link.kind === 'set_up'
    const title = say(isSetUp ? m.set_up_your_account : m.choose_a_new_password)
    const action = `/links/${encodeURIComponent(path.token ?? '')}`
    return {
      title,
      width: 'narrow',
      scripts: ['passkeys'],
      content: (
        <section class="card">
          <h1>{title}</h1>
          <Faults refused={refused} fields={['email', 'password']} />
          <OperationForm of={passwords_reset} action={action} refused={refused}>
            {({ field }) => (
              <>
                {isSetUp ? (
                  field('email', {
                    label: say(common.e_mail_address),
                    type: 'email',
                    autocomplete: 'username',
                    value: isPlaceholder(link.account_email) ? undefined : link.account_email,
                    help: say(m.you_sign_in_with_it_and),
                    maxlength: 254,
                  })
                ) : (
                  <Username email={link.account_email} label={say(common.e_mail_address)} />
                )}
                {field('password', {
                  label: say(common.password),
                  type: 'password',
                  autocomplete: 'new-password',
                  help: say(common.at_least_least_characters_a_sentence, { least: MIN_PASSWORD_LENGTH }),
                })}
                <button type="submit">{say(isSetUp ? m.set_it_and_sign_in : m.set_it)}</button>
              </>
            )}
          </OperationForm>
          {isSetUp && (
            <div data-passkey="set-up" data-action={action} data-next="/" {...passkeyTrouble(say)} hidden>
              <p class="or">{say(m.or_without_a_password)}</p>
              <button type="button" class="plain">
                {say(m.make_a_passkey_and_sign_in)}
              </button>
              <p class="fault" role="alert" hidden />
            </div>
          )}
        </section>
      ),
    }
  },
})

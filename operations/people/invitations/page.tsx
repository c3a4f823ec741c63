/** The page that an invitation link opens. */
import { Faults, Form, OperationForm, Username } from '../../../runtime/ui/form.tsx'
import { oneSentence } from '../../../runtime/ui/one-sentence.tsx'
import { type Content, page } from '../../../runtime/table/page.ts'
import { MIN_PASSWORD_LENGTH } from '../sign-in/index.ts'
import { invitations_accept } from './accept.ts'
import { findInvitation } from './invite.ts'
import { m } from './messages.ts'
import { common } from '../../../runtime/texts/common.ts'
import { sayParts } from '../../../runtime/texts/say.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'

export const invitation = page({
  route: 'GET /invitations/{token}',
  summary: 'Accept an invitation',
  access: 'optional',
  async show({ path, refused, caller, now, say }, { store }) {
    const token = path.token ?? ''
    const found = await findInvitation(store.read, token, now)
    if (!found) return oneSentence(410, say(m.this_invitation_has_ended), say(m.accepted_or_withdrawn))
    const member = caller?.member
    if (caller?.elsewhere?.has(found.workspace_id)) {
      const link = <a href={`/workspaces/${found.workspace_id}/sites`}>{say(m.to_workspace, { workspace: found.workspace })}</a>
      return oneSentence(200, say(m.already_a_member), link as Content)
    }
    const action = `/invitations/${encodeURIComponent(token)}`
    const title = say(m.join_workspace, { workspace: found.workspace })
    return {
      title,
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{title}</h1>
          <p>
            {sayParts(say, m.who_invites_you_to_the_workspace_2, {
              who: found.invited_by,
              workspace: <b>{found.workspace}</b>,
              role: say(valueTerm(found.role)),
            })}
          </p>
          <Faults refused={refused} fields={['name', 'password']} />
          {member ? (
            <>
              {member.email !== found.email && <p class="help">{say(m.sent_to_another_address, { email: found.email })}</p>}
              <Form action={action}>
                <button type="submit">{say(m.join_as_email, { email: member.email })}</button>
              </Form>
            </>
          ) : (
            <>
              <OperationForm of={invitations_accept} path={{ token }} refused={refused}>
                {({ field }) => (
                  <>
                    <Username email={found.email} label={say(common.e_mail_address)} />
                    {field('name', { label: say(common.name), autocomplete: 'name', required: false, maxlength: 100 })}
                    {field('password', {
                      label: say(common.password),
                      type: 'password',
                      autocomplete: 'new-password',
                      help: say(common.at_least_least_characters_a_sentence, { least: MIN_PASSWORD_LENGTH }),
                    })}
                    <button type="submit">{say(m.join)}</button>
                  </>
                )}
              </OperationForm>
              <p class="beside">
                {say(m.you_have_an_account_here)}{' '}
                <a href={`/sign-in?${new URLSearchParams({ next: action })}`}>{say(m.sign_in_and_join)}</a>
              </p>
            </>
          )}
        </section>
      ),
    }
  },
})

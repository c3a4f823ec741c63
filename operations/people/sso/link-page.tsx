/** The page on which an owner links their account to the identity provider of their workspace. */
import { ButtonForm, Faults, Field } from '../../../runtime/ui/form.tsx'
import { callerIn } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { page } from '../../../runtime/table/page.ts'
import { aboutCertificate } from './certificates.ts'
import { linkedIdentity } from './link-identity.ts'
import { isReason, reasons } from './reasons.ts'
import { canLink, certificatesOf, configured } from './records.ts'
import { issuerOf } from './requests.ts'
import { common } from '../../../runtime/texts/common.ts'
import { m } from './messages.ts'

export const sso_link_page = page({
  route: 'GET /workspaces/{workspace_id}/sso/link',
  summary: 'Link your account to the identity provider',
  access: 'session',
  async show({ path, query, caller: visitor, refused, now, say, asksPassword }, { store }) {
    const { db, id } = { db: store.read, id: path.workspace_id ?? '' }
    const caller = visitor && callerIn(visitor, id)
    if (!caller?.member || caller.workspaceId !== id) return fail('not_found')
    const { row } = (await configured.find(db, id)) ?? fail('not_found')
    const linked = await linkedIdentity(db, { workspaceId: id, accountId: caller.member.accountId })
    const error = query.get('error')
    const isReady = row.sso !== undefined && canLink(row.sso, now)
    const isAsked = await asksPassword()
    const isOwner = caller.member.role === 'owner'
    return {
      title: say(m.link_to_the_identity_provider),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say(m.link_to_the_identity_provider)}</h1>
          <p>{row.name}</p>
          <Faults refused={refused} fields={isAsked ? ['current_password'] : []} />
          {isReason(error) && (
            <div class="faults" role="alert">
              <p>{say(reasons[error]())}</p>
            </div>
          )}
          <p>{isOwner ? say(m.owners_sign_in_with_a_password) : say(m.only_owners_link_their_account_you)}</p>
          {row.sso && (
            <dl>
              <dt>{say(m.identity_provider)}</dt>
              <dd>{issuerOf(row.sso) || say(m.none)}</dd>
              {certificatesOf(row.sso).map(pem => (
                <>
                  <dt>{say(m.certificate_sha_256)}</dt>
                  <dd>
                    <code>{aboutCertificate(pem).fingerprint}</code>
                  </dd>
                </>
              ))}
              <dt>{say(m.linked_as)}</dt>
              <dd>{linked?.subject ?? say(m.none)}</dd>
            </dl>
          )}
          {!isReady && <p class="help">{say(m.linked_only_while_tested)}</p>}
          {linked ? (
            <ButtonForm action={`/workspaces/${id}/sso/link`} method="DELETE" label={say(m.unlink)} danger />
          ) : (
            isReady &&
            isOwner && (
              <ButtonForm action={`/workspaces/${id}/sso/link`} label={say(m.sign_in_there_and_link)}>
                {isAsked && (
                  <Field
                    name="current_password"
                    label={say(common.current_password)}
                    type="password"
                    autocomplete="current-password"
                    maxlength={200}
                    refused={refused}
                  />
                )}
              </ButtonForm>
            )
          )}
        </section>
      ),
    }
  },
})

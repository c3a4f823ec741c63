/** The page on which an owner links their account to the identity provider of their workspace. */
import { ButtonForm, Faults } from '../../../runtime/ui/form.tsx'
import { callerIn } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { page } from '../../../runtime/table/page.ts'
import { aboutCertificate } from './certificates.ts'
import { linkedIdentity } from './link-identity.ts'
import { isReason, reasons } from './reasons.ts'
import { canLink, certificatesOf, configured } from './records.ts'
import { issuerOf } from './requests.ts'

export const sso_link_page = page({
  route: 'GET /workspaces/{workspace_id}/sso/link',
  summary: 'Link the own account to the identity provider',
  access: 'session',
  async show({ path, query, caller: visitor, refused, now, say }, { store }) {
    const { db, id } = { db: store.read, id: path.workspace_id ?? '' }
    const caller = visitor && callerIn(visitor, id)
    if (!caller?.member || caller.workspaceId !== id) return fail('not_found')
    const { row } = (await configured.find(db, id)) ?? fail('not_found')
    const linked = await linkedIdentity(db, { workspaceId: id, accountId: caller.member.accountId })
    const error = query.get('error')
    const isReady = row.sso !== undefined && canLink(row.sso, now)
    const isOwner = caller.member.role === 'owner'
    return {
      title: say('Link to the identity provider'),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say('Link to the identity provider')}</h1>
          <p>{row.name}</p>
          <Faults refused={refused} />
          {isReason(error) && (
            <div class="faults" role="alert">
              <p>{say(reasons[error])}</p>
            </div>
          )}
          <p>
            {isOwner
              ? say(
                  'Owners sign in with a password or a passkey. If you link your account, the identity provider can sign you in as well: any person whom it identifies as you has all your permissions in this workspace.',
                )
              : say('Only owners link their account. You sign in by single sign-on without.')}
          </p>
          {row.sso && (
            <dl>
              <dt>{say('Identity provider')}</dt>
              <dd>{issuerOf(row.sso) || say('none')}</dd>
              {certificatesOf(row.sso).map(pem => (
                <>
                  <dt>{say('Certificate, SHA-256')}</dt>
                  <dd>
                    <code>{aboutCertificate(pem).fingerprint}</code>
                  </dd>
                </>
              ))}
              <dt>{say('Linked as')}</dt>
              <dd>{linked?.subject ?? say('none')}</dd>
            </dl>
          )}
          {!isReady && <p class="help">{say('Only to a configuration that was tested, or is active, an account is linked.')}</p>}
          {linked ? (
            <ButtonForm action={`/workspaces/${id}/sso/link?_method=DELETE`} label={say('Unlink')} danger />
          ) : (
            isReady && isOwner && <ButtonForm action={`/workspaces/${id}/sso/link`} label={say('Sign in there and link')} />
          )}
        </section>
      ),
    }
  },
})

/** Changes of the trust in an identity provider. The audit log records the values before and after, and the owners get a mail. */
import type { Services } from '../../../runtime/table/call-services.ts'
import type { Db } from '../../../storage/store.ts'
import { type Mailing, queueMail, sayTo } from '../mail/index.ts'
import { aboutCertificate } from './certificates.ts'
import { certificatesOf, draftOf, findConfiguration, verifiedDomains } from './records.ts'
import { endUntrustedSessions } from './end-sessions.ts'
import { m } from './messages.ts'

/** Values without secrets: fingerprints of certificates, and whether a secret is set. */
type Trust = Readonly<Record<string, string | null>>
export type Changes = Readonly<Record<string, { readonly before: string | null; readonly after: string | null }>>

type NoticeServices = Mailing & {
  readonly request: { readonly ip: string }
  readonly caller: { readonly actor: string }
  readonly workspace: { readonly id: string; readonly name: string }
}
type Changing = NoticeServices & Pick<Services, 'note'> & { readonly caller: { readonly credentialId: string } }

/**
 * Makes a change, and ends the sessions that the connection began if the change takes trust away. The workspace must be locked.
 * @returns the result of `change`
 */
export async function changingTrust<T>(services: Changing, change: () => Promise<T>): Promise<T> {
  const { db, workspace, note, caller } = services
  const before = await trustIn(db, workspace.id)
  const answer = await change()
  const after = await trustIn(db, workspace.id)
  await endUntrustedSessions(db, {
    workspaceId: workspace.id,
    before: trustedBy(before),
    after: trustedBy(after),
    except: caller.credentialId,
  })
  const changes = differences(before, after)
  if (Object.keys(changes).length > 0) {
    note({ changes })
    await mailOwners(services, changes)
  }
  return answer
}

const trustedBy = ({ status = null, idp_cert, domains }: Trust) => ({
  status,
  certificates: listed(idp_cert),
  domains: listed(domains),
})
const listed = (text: string | null | undefined): string[] => text?.split(', ') ?? []

async function trustIn(db: Db, workspaceId: string): Promise<Trust & { sealed: string | null }> {
  const row = (await findConfiguration(db, workspaceId)) ?? draftOf(workspaceId, 0)
  const token = await db
    .selectFrom('scim_tokens')
    .select('token_prefix')
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const fingerprints = certificatesOf(row).map(pem => aboutCertificate(pem).fingerprint)
  return {
    // A test and its result do not change the trust.
    status: row.status === 'active' ? 'active' : 'draft',
    enforced: row.enforced === 1 ? 'true' : 'false',
    protocol: row.protocol,
    idp_sso_url: row.idp_sso_url,
    idp_entity_id: row.idp_entity_id,
    idp_slo_url: row.idp_slo_url,
    idp_cert: fingerprints.join(', ') || null,
    oidc_issuer: row.oidc_issuer,
    oidc_client_id: row.oidc_client_id,
    oidc_client_secret: row.oidc_client_secret === null ? null : 'set',
    default_role: row.default_role,
    jit_provisioning: row.jit_provisioning === 1 ? 'true' : 'false',
    domains: (await verifiedDomains(db, workspaceId)).join(', ') || null,
    scim_token: token?.token_prefix ?? null,
    sealed: row.oidc_client_secret,
  }
}

function differences({ sealed: sealedBefore, ...before }: Trust, { sealed, ...after }: Trust): Changes {
  const changed = Object.keys(after).filter(name => before[name] !== after[name])
  const changes = Object.fromEntries(changed.map(name => [name, { before: before[name] ?? null, after: after[name] ?? null }]))
  const isReplaced = typeof sealedBefore === 'string' && typeof sealed === 'string' && sealedBefore !== sealed
  return isReplaced ? { ...changes, oidc_client_secret: { before: 'set', after: 'replaced' } } : changes
}

/** Mails every owner the changes and their author. */
export async function mailOwners(services: NoticeServices, changes: Changes): Promise<void> {
  const { db, config, now, request, caller, workspace } = services
  const owners = await db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select('a.email')
    .where('m.workspace_id', '=', workspace.id)
    .where('m.role', '=', 'owner')
    .where('m.active', '=', 1)
    .execute()
  for (const { email } of owners) {
    const say = await sayTo(db, email)
    const none = say(m.none)
    await queueMail(services, {
      to: email,
      say,
      subject: say(m.single_sign_on_of_workspace_was, { workspace: workspace.name }),
      text: [
        say(m.who_changed_how_members_of_workspace, { who: caller.actor, workspace: workspace.name }),
        Object.entries(changes)
          .map(([name, { before, after }]) => `${name}: ${before ?? none} → ${after ?? none}`)
          .join('\n'),
        say(m.when_from_and_where_address, {
          when: `${new Date(now).toISOString().replace('T', ' ').slice(0, 16)} UTC`,
          ip: request.ip,
          address: `${config.BASE_URL}/workspaces/${workspace.id}/sso`,
        }),
        say(m.if_unexpected_deactivate),
      ],
    })
  }
}

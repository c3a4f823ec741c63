/** Links owners to the identity provider: it signs an owner in only with an identity that the owner has linked in another session. */
import type { Emit } from '../../../runtime/events/event.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import type { SsoIdentityRow } from '../../../storage/tables/sso-logins.ts'
import { role_changed } from '../members/index.ts'
import { endSessionsWith } from '../sessions/index.ts'
import { revokeTokensBySso } from '../tokens/index.ts'
import { demandDomain, findIdentity } from './enter.ts'
import { sso_unlinked } from './hooks.ts'
import type { Profile } from './profile.ts'
import { refuse } from './reasons.ts'
import { issuerOf } from './requests.ts'

interface LinkServices {
  readonly db: Db
  readonly now: number
  readonly emit: Emit
}

/**
 * Links an identity to the account of an owner. The workspace must be locked.
 * @throws SsoRefusal if the person is no longer an owner, or the identity belongs to another account
 */
export async function linkIdentity(
  services: LinkServices,
  { row, profile, accountId }: { row: SsoConfigurationRow; profile: Profile; accountId: string },
): Promise<void> {
  const { db, now } = services
  const { workspace_id } = row
  await demandDomain(db, workspace_id, profile.email)
  const member = await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('active', '=', 1)
    .executeTakeFirst()
  if (!member) return refuse('signed_out')
  const key = { workspace_id, issuer: issuerOf(row), subject: profile.subject }
  const known = await findIdentity(db, key)
  if (known && known.account_id !== accountId) refuse('linked_elsewhere')
  await unlinkIdentity(services, { workspaceId: workspace_id, accountId })
  await db
    .insertInto('sso_identities')
    .values({ ...key, account_id: accountId, created_at: now, last_used_at: now, linked_at: now, linked_member_id: member.id })
    .execute()
}

interface LinkedAccount {
  readonly workspaceId: string
  readonly accountId: string
}

/** Deletes the identity of an account, and ends the sessions that it began, with the tokens that were created in them. */
export async function unlinkIdentity({ db, now, emit }: LinkServices, { workspaceId, accountId }: LinkedAccount): Promise<void> {
  await db.deleteFrom('sso_identities').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute()
  const sessions = await db
    .selectFrom('sso_sessions as i')
    .innerJoin('sessions as s', 's.id', 'i.session_id')
    .select('s.id')
    .where('i.workspace_id', '=', workspaceId)
    .where('s.account_id', '=', accountId)
    .execute()
  await endSessionsWith(
    db,
    sessions.map(({ id }) => id),
  )
  await revokeTokensBySso({ db, now }, { workspaceId, accountId })
  await emit(sso_unlinked, { workspaceId, accountId })
}

/** Returns the identity that a person has linked in their present membership. */
export function linkedIdentity(db: Db, { workspaceId, accountId }: LinkedAccount): Promise<SsoIdentityRow | undefined> {
  return db
    .selectFrom('sso_identities as k')
    .innerJoin('members as m', 'm.id', 'k.linked_member_id')
    .selectAll('k')
    .where('k.workspace_id', '=', workspaceId)
    .where('k.account_id', '=', accountId)
    .where('m.workspace_id', '=', workspaceId)
    .where('m.account_id', '=', accountId)
    .executeTakeFirst()
}

/** Ends what an identity began for a member who becomes an owner: an owner must link it deliberately. */
export const unlink_owner = onHook(role_changed, async ({ member, role }, { db, now, emit }) => {
  if (role === 'owner' || member.role === 'owner')
    await unlinkIdentity({ db, now, emit }, { workspaceId: member.workspace_id, accountId: member.account_id })
})

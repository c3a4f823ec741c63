/** Owners and the identity provider: it signs them in by an identity that they have linked themselves, signed in otherwise. */
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

interface Linking {
  readonly db: Db
  readonly now: number
  readonly emit: Emit
}

/**
 * Links whom the identity provider names to the account of an owner. The workspace is locked.
 * @throws SsoRefusal where they are no owner any more, or the identity is somebody else's
 */
export async function linkIdentity(
  linking: Linking,
  { row, profile, accountId }: { row: SsoConfigurationRow; profile: Profile; accountId: string },
): Promise<void> {
  const { db, now } = linking
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
  await unlinkIdentity(linking, { workspaceId: workspace_id, accountId })
  await db
    .insertInto('sso_identities')
    .values({ ...key, account_id: accountId, created_at: now, last_used_at: now, linked_at: now, linked_member_id: member.id })
    .execute()
}

interface Whose {
  readonly workspaceId: string
  readonly accountId: string
}

/** Forgets how the identity provider knows somebody, and ends the sessions that it began, with the tokens that were made in them. */
export async function unlinkIdentity({ db, now, emit }: Linking, { workspaceId, accountId }: Whose): Promise<void> {
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

/** The identity that somebody has linked in their present membership. */
export function linkedIdentity(db: Db, { workspaceId, accountId }: Whose): Promise<SsoIdentityRow | undefined> {
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

/** Whoever becomes an owner was no owner to the identity provider: what it has begun ends, and they link it if they want to. */
export const unlink_owner = onHook(role_changed, async ({ member, role }, { db, now, emit }) => {
  if (role === 'owner' || member.role === 'owner')
    await unlinkIdentity({ db, now, emit }, { workspaceId: member.workspace_id, accountId: member.account_id })
})

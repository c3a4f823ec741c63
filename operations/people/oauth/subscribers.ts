import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import { role_changed } from '../members/index.ts'
import { sso_enforced, sso_unlinked } from '../sso/index.ts'
import { revokeToken } from '../tokens/index.ts'
import { connected } from './records.ts'

/** When single sign-on is enforced, members must sign in with it and consent again. Other revocations of a member's tokens end their grants, too. */
export const end_grants = onHook(sso_enforced, async ({ workspaceId }, { db, now }) => {
  await revokeAll(db, grantsBesideSso(db, now, workspaceId).where('m.role', '!=', 'owner'), now)
})

/** An owner may sign in without single sign-on. A former owner may not, so grants from such sign-ins end. */
export const end_grants_of_former_owner = onHook(role_changed, async ({ member, role }, { db, now }) => {
  if (member.role !== 'owner' || role === 'owner') return
  const enforced = db.selectFrom('sso_configurations').select('workspace_id').where('status', '=', 'active').where('enforced', '=', 1)
  const own = grantsBesideSso(db, now, member.workspace_id).where('t.member_id', '=', member.id)
  await revokeAll(db, own.where('t.workspace_id', 'in', enforced), now)
})

/** Ends consents that no client has exchanged yet; exchanged ones end with their tokens. */
export const end_codes_of_claimed = onHook(account_claimed, async ({ accountId, isKnownToProvider }, { db }) => {
  const own = db.selectFrom('members').select('id').where('account_id', '=', accountId)
  const codes = db.deleteFrom('oauth_codes').where('member_id', 'in', own).where('used_at', 'is', null)
  await codes.where('by_sso', 'in', isKnownToProvider ? [0] : [0, 1]).execute()
})

/** Ends consents from a session of single sign-on that no client has exchanged yet. */
export const end_codes_of_unlinked = onHook(sso_unlinked, async ({ workspaceId, accountId }, { db }) => {
  const own = db.selectFrom('members').select('id').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId)
  await db.deleteFrom('oauth_codes').where('member_id', 'in', own).where('by_sso', '=', 1).where('used_at', 'is', null).execute()
})

const grantsBesideSso = (db: Db, now: number, workspaceId: string) =>
  connected(db, now).where('t.workspace_id', '=', workspaceId).where('g.by_sso', '=', 0)

async function revokeAll(db: Db, grants: ReturnType<typeof grantsBesideSso>, now: number): Promise<void> {
  for (const { id } of await grants.execute()) await revokeToken(db, id, now)
}

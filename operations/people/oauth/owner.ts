/** The member behind a grant, as long as the member may have one. */
import type { Db } from '../../../storage/store.ts'

export interface Owner {
  readonly memberId: string
  readonly workspaceId: string
  readonly accountId: string
  readonly email: string
}

/**
 * Finds an active member. If single sign-on is enforced, the member must be an owner, or have consented in a session of single sign-on
 * (docs/decisions.md §7).
 */
export async function ownerOf(db: Db, memberId: string, { bySso }: { bySso: boolean }): Promise<Owner | undefined> {
  const row = await db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .leftJoin('sso_configurations as c', 'c.workspace_id', 'm.workspace_id')
    .select(['m.workspace_id', 'm.account_id', 'm.role', 'a.email', 'c.enforced'])
    .where('m.id', '=', memberId)
    .where('m.active', '=', 1)
    .executeTakeFirst()
  if (!row || (row.enforced === 1 && row.role !== 'owner' && !bySso)) return undefined
  return { memberId, workspaceId: row.workspace_id, accountId: row.account_id, email: row.email }
}

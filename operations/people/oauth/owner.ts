/** The member behind a grant, as long as they may have one. */
import type { Db } from '../../../storage/store.ts'

export interface Owner {
  readonly memberId: string
  readonly workspaceId: string
  readonly accountId: string
  readonly email: string
}

/**
 * An active member; where single sign-on is enforced, an owner, or somebody who was signed in by it when they consented
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

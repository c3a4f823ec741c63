/** A workspace always keeps at least one owner (docs/decisions.md §2). */
import { fail } from '../../../runtime/table/errors.ts'
import type { Db } from '../../../storage/store.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'

/**
 * Checks that this member may change role or leave. The workspace must be locked.
 * @throws Failure `invalid_state` for the last owner
 */
export async function keepAnOwner(db: Db, member: Pick<MemberRow, 'id' | 'role' | 'workspace_id'>): Promise<void> {
  if (member.role !== 'owner') return
  const other = await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', member.workspace_id)
    .where('role', '=', 'owner')
    .where('active', '=', 1)
    .where('id', '!=', member.id)
    .limit(1)
    .executeTakeFirst()
  if (!other) fail('invalid_state', m.last_owner())
}

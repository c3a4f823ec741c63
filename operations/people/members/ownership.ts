/** Owners are made and ended by owners only, and a workspace never loses its last one (docs/decisions.md §2). */
import type { Caller } from '../../../runtime/caller.ts'
import { fail } from '../../../runtime/errors.ts'
import type { Db } from '../../../storage/store.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'

/**
 * Whether this member may go from their role to another, or (undefined) leave. The workspace must be held.
 * @throws Failure `permission_denied`, or `invalid_state` for the last owner
 */
export async function allowChange(db: Db, caller: Caller, member: MemberRow, role?: string): Promise<void> {
  if (member.role !== 'owner' && role !== 'owner') return
  if (caller.role !== 'owner') fail('permission_denied', 'Only owners make, change or remove owners.')
  if (member.role !== 'owner') return
  const other = await db.selectFrom('members').select('id')
    .where('workspace_id', '=', member.workspace_id).where('role', '=', 'owner')
    .where('active', '=', 1).where('id', '!=', member.id)
    .limit(1).executeTakeFirst()
  if (!other) fail('invalid_state', 'This is the last active owner of the workspace; make another member owner first.')
}

/**
 * Holds a workspace's row for the rest of the transaction, so that what looks at the workspace as a whole (its last
 * owner, all of its sites) is not decided twice at once. SQLite has one writer anyway.
 */
import { fail } from '../../../runtime/errors.ts'
import type { Db } from '../../../storage/store.ts'

/** @throws Failure `not_found` where the workspace was deleted meanwhile */
export async function hold(db: Db, workspaceId: string): Promise<void> {
  const { numUpdatedRows } = await db.updateTable('workspaces').set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', workspaceId).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) fail('not_found')
}

import type { IdKind } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'
import { ids } from './records.ts'

/** Creates an empty workspace, without members and tokens. */
export async function addWorkspace(
  db: Db,
  { now, newId }: { now: number; newId(kind: IdKind): string },
  name: string,
): Promise<WorkspaceRow> {
  const row = { id: newId(ids.workspace), name, created_at: now }
  await db.insertInto('workspaces').values(row).execute()
  return row
}

/** Creates a workspace with an owner, because without an owner it would be inaccessible. */
import type { IdKind } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'
import { addMember } from '../members/index.ts'
import { addWorkspace } from '../workspaces/index.ts'

export async function createWorkspace(
  db: Db,
  services: { now: number; newId(kind: IdKind): string },
  { name, accountId }: { name: string; accountId: string },
): Promise<{ workspace: WorkspaceRow; memberId: string }> {
  const workspace = await addWorkspace(db, services, name)
  const memberId = await addMember(db, services, { workspaceId: workspace.id, accountId, role: 'owner' })
  return { workspace, memberId }
}

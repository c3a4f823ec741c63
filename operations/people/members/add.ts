import type { IdKind } from '../../../runtime/values/ids.ts'
import type { Role } from '../../../runtime/table/permissions.ts'
import type { Db } from '../../../storage/store.ts'
import { ids } from './records.ts'

/**
 * Adds an account to a workspace.
 * @param awaited display values until the member first signs in, for a member who was added without being asked
 * @returns the member's id
 */
export async function addMember(
  db: Db,
  { now, newId }: { now: number; newId(kind: IdKind): string },
  {
    workspaceId,
    accountId,
    role,
    awaited,
  }: {
    workspaceId: string
    accountId: string
    role: Role
    awaited?: { readonly email: string; readonly name: string | null }
  },
): Promise<string> {
  const id = newId(ids.member)
  await db
    .insertInto('members')
    .values({
      id,
      workspace_id: workspaceId,
      account_id: accountId,
      role,
      active: 1,
      awaited_email: awaited?.email ?? null,
      awaited_name: awaited?.name ?? null,
      created_at: now,
    })
    .execute()
  return id
}

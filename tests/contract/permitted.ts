/** Who may call what, as the table declares it: the one reading of it that the permission matrices go by. */
import { isPermission, type Permission, type Role, roles } from '../../runtime/permissions.ts'
import type { NamedOperation } from '../../runtime/table.ts'

/** Operations for which a permission alone is not enough (docs/decisions.md §2). */
const onlyOwners: ReadonlySet<string> = new Set(['workspaces_delete'])

/** What takes a session and asks for a permission beside it. */
const beside: Readonly<Record<string, Permission>> = { sites_transfer: 'sites.manage' }

export function mayCall(row: NamedOperation, role: Role): boolean {
  if (onlyOwners.has(row.id) && role !== 'owner') return false
  const access = beside[row.id] ?? row.access
  return isPermission(access) ? (roles[role].permissions as readonly string[]).includes(access) : true
}

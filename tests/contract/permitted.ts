/** Permissions of callers as the table declares them: the only reading of them that the permission matrices use. */
import { isPermission, type Permission, type Role, roles } from '../../runtime/table/permissions.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'

/** Operations that need more than a permission (docs/decisions.md §2). */
const onlyOwners: ReadonlySet<string> = new Set([
  'workspaces_delete',
  'sso_link',
  'workspaces_export',
  'workspace_exports_list',
  'workspace_exports_get',
  'workspace_exports_cancel',
  'workspace_exports_delete',
  'workspaces_import',
  'workspace_imports_list',
  'workspace_imports_get',
  'workspace_imports_start',
  'workspace_imports_cancel',
])

export function mayCall(row: NamedOperation, role: Role): boolean {
  if (onlyOwners.has(row.id) && role !== 'owner') return false
  const needed = isPermission(row.access) ? [row.access, ...row.needs] : row.needs
  const held: readonly Permission[] = roles[role].permissions
  return needed.every(name => held.includes(name))
}

/** Permissions of callers as the table declares them: the only reading of them that the permission matrices use. */
import { isPermission, type Permission, type Role, roleNames, roles } from '../../runtime/table/permissions.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { isFull } from '../support/full.ts'

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

/** The roles in which a normal run tries a row: the last of those that may call it, and the first of those that may not. */
export function rolesAt(row: NamedOperation): readonly Role[] {
  if (isFull) return roleNames
  const [may, not] = [roleNames.filter(role => mayCall(row, role)), roleNames.filter(role => !mayCall(row, role))]
  return [may.at(-1), not[0]].flatMap(role => role ?? [])
}

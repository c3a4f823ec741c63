/** Scopes are permissions; there are no others (RFC 6749 §3.3). */
import { everydayPermissions, isPermission, type Permission } from '../../../runtime/table/permissions.ts'

/**
 * Returns the permissions that a client requests; without a scope, those for everyday work. Ignores unknown names,
 * because clients request `offline_access` from every server.
 * @returns undefined if the scope contains no permission
 */
export function permissionsIn(scope: string | undefined): readonly Permission[] | undefined {
  const names = (scope ?? '').split(' ').filter(Boolean)
  if (names.length === 0) return everydayPermissions
  const known = [...new Set(names.filter(isPermission))]
  return known.length > 0 ? known : undefined
}

export const scopeOf = (permissions: readonly string[]): string => permissions.join(' ')

/** Scopes are permissions: nothing else is granted (RFC 6749 §3.3). */
import { everydayPermissions, isPermission, type Permission } from '../../../runtime/table/permissions.ts'

/**
 * The permissions that a client asks for; without a scope, those of everyday work. Names that mean nothing here are
 * passed over, as clients ask for `offline_access` of everybody.
 * @returns undefined where nothing is left of what was asked for
 */
export function permissionsIn(scope: string | undefined): readonly Permission[] | undefined {
  const names = (scope ?? '').split(' ').filter(Boolean)
  if (names.length === 0) return everydayPermissions
  const known = [...new Set(names.filter(isPermission))]
  return known.length > 0 ? known : undefined
}

export const scopeOf = (permissions: readonly string[]): string => permissions.join(' ')

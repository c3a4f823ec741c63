/** Permissions, roles, and what a caller may do (docs/decisions.md §2). */

export const permissions = {
  'analytics.read': 'Read reports, lists and records',
  'analytics.export': 'Export raw data',
  'content.write': 'Change notes, goals, segments, dashboards and alerts',
  'sites.manage': 'Create, change and delete sites; send hits from a server',
  'uptime.manage': 'Change uptime checks',
  'members.manage': 'Invite, change and remove members',
  'tokens.manage': 'Create and revoke API tokens',
  'billing.manage': 'See and change billing',
  'workspace.manage': 'Change the workspace, its webhooks and sign-in; receive what webhooks send',
} as const satisfies Record<string, string>
export type Permission = keyof typeof permissions
export const permissionNames = Object.keys(permissions) as Permission[]

const analyst: readonly Permission[] = ['analytics.read', 'analytics.export', 'content.write']
const editor: readonly Permission[] = [...analyst, 'sites.manage', 'uptime.manage']
const admin: readonly Permission[] = [...editor, 'members.manage', 'tokens.manage', 'workspace.manage']

export const roles = {
  owner: { permissions: permissionNames, description: 'Everything, including other owners and deleting the workspace' },
  admin: { permissions: admin, description: 'Everything but billing and what only owners do' },
  editor: { permissions: editor, description: 'Sites, uptime checks and all content' },
  analyst: { permissions: analyst, description: 'Reports, exports and content' },
  viewer: { permissions: ['analytics.read'], description: 'Reports only' },
  billing: { permissions: ['billing.manage'], description: 'Billing only' },
} as const satisfies Record<string, { permissions: readonly Permission[]; description: string }>
export type Role = keyof typeof roles
export const roleNames = Object.keys(roles) as Role[]

/** Permissions on more than single sites, which a token restricted to sites never has. */
const workspaceWide: ReadonlySet<Permission> = new Set(['members.manage', 'tokens.manage', 'billing.manage', 'workspace.manage'])

/** The permissions that no whole workspace depends on: offered to OAuth clients that do not say what they need. */
export const everydayPermissions = permissionNames.filter(name => !workspaceWide.has(name))

export function isPermission(name: string): name is Permission {
  return Object.hasOwn(permissions, name)
}
export function isRole(name: string): name is Role {
  return Object.hasOwn(roles, name)
}

/** The permissions of a role; none for a name that is not a role. */
export const permissionsOf = (role: string): readonly Permission[] => (isRole(role) ? roles[role].permissions : [])

/**
 * The token's permissions ∩ the permissions of its owner's role, without the workspace-wide ones if it is restricted to sites.
 */
export function effectivePermissions(granted: readonly string[], role: string, siteIds: readonly string[]): ReadonlySet<Permission> {
  return new Set(
    permissionsOf(role).filter(permission => granted.includes(permission) && (siteIds.length === 0 || !workspaceWide.has(permission))),
  )
}

/** A role determines the permissions of a member; the member's tokens have the same or fewer. */
import { Type } from '@sinclair/typebox'
import { roleNames, roles, type Role as Name } from '../../../runtime/table/permissions.ts'
import { roleDescriptions } from './messages.ts'
import { OneOf, PermissionName, record, Sentence, type Static } from '../../../runtime/table/schema.ts'

export const Role = record(
  'Role',
  {
    name: OneOf(roleNames, { description: 'Name of the role, as in `role` of a member.' }),
    description: Sentence({ description: 'Purpose of the role.' }),
    permissions: Type.Array(PermissionName(), { description: 'Permissions of members with this role.' }),
  },
  'A role of members, with its permissions.',
)

export function toRole(name: Name): Static<typeof Role> {
  return { name, description: roleDescriptions[name](), permissions: [...roles[name].permissions] }
}

/** A role determines what a member may do; the member's tokens may do the same or less. */
import { Type } from '@sinclair/typebox'
import { roleNames, roles, type Role as Name } from '../../../runtime/table/permissions.ts'
import { roleDescriptions } from './messages.ts'
import { OneOf, PermissionName, record, Sentence, type Static } from '../../../runtime/table/schema.ts'

export const Role = record(
  'Role',
  {
    name: OneOf(roleNames, { description: 'As members carry it.' }),
    description: Sentence({ description: 'What it is for.' }),
    permissions: Type.Array(PermissionName(), { description: 'What its members may do.' }),
  },
  'A role of members, with the permissions it gives.',
)

export function toRole(name: Name): Static<typeof Role> {
  return { name, description: roleDescriptions[name](), permissions: [...roles[name].permissions] }
}

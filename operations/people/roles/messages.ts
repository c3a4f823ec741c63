/** Descriptions of the roles. */
import { messages } from '../../../runtime/texts/message.ts'
import { type Role, roles } from '../../../runtime/table/permissions.ts'

export const roleDescriptions = messages(
  'role',
  Object.fromEntries(Object.entries(roles).map(([name, { description }]) => [name, description])) as Record<Role, string>, // of each role
)

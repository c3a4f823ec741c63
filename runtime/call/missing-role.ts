import type { Caller } from '../table/caller.ts'
import { permissionsOf, type Role } from '../table/permissions.ts'
import { type Message, valueTerm } from '../texts/message.ts'
import { m } from './messages.ts'

/** Why the caller does not act in this role: the member has another role, or the token has fewer permissions than the role. */
export function missingRole(caller: Caller | undefined, role: Role): { message: Message; scope?: string } | undefined {
  if (caller?.member?.role !== role) return { message: m.needs_role({ role: valueTerm(role) }) }
  const lacking = permissionsOf(role).find(name => !caller.permissions.has(name))
  return lacking && { message: m.needs_permission({ permission: lacking }), scope: lacking }
}

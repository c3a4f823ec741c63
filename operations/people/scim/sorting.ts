/** The order of users: `sortBy` and `sortOrder` (RFC 7644 §3.4.2.3). */
import { Type } from '@sinclair/typebox'
import { type RawBuilder, sql } from 'kysely'
import { failWith } from '../../../runtime/table/errors.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { shownName } from '../members/records.ts'

/** By their lower-case names. Sorts case-insensitively unless the attribute is case-exact. */
const columns: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`m.id`,
  username: sql`coalesce(s.user_key, lower(a.email))`,
  externalid: sql`s.external_id`,
  displayname: sql`lower(${shownName})`,
  emails: sql`coalesce(s.email, lower(a.email))`,
  'emails.value': sql`coalesce(s.email, lower(a.email))`,
  active: sql`m.active`,
  'meta.created': sql`m.created_at`,
  'meta.lastmodified': sql`coalesce(s.updated_at, m.created_at)`,
}
const sortable = 'id, userName, externalId, displayName, emails, active, meta.created, meta.lastModified'

export const sortInput = {
  sortBy: optional(
    Type.String({ maxLength: 200, description: `Attribute to sort by: ${sortable}. Defaults to the order in which the users joined.` }),
  ),
  sortOrder: Type.String({ maxLength: 20, default: 'ascending', description: '`ascending` or `descending`.' }),
}

/**
 * Returns the order of a list. Users without a value come last in ascending order and first in descending (ibid.).
 * @throws Failure `validation_failed` for an attribute that cannot be sorted by
 */
export function orderOf({ sortBy, sortOrder }: { readonly sortBy?: string | undefined; readonly sortOrder: string }): {
  readonly by: RawBuilder<unknown>
  readonly isDescending: boolean
} {
  const name = sortBy?.replace(/^urn:ietf:params:scim:schemas:core:2\.0:user:/i, '').toLowerCase()
  const by = name === undefined || name === '' ? sql`m.created_at` : Object.hasOwn(columns, name) ? columns[name] : undefined
  const order = sortOrder.toLowerCase()
  const isKnown = order === 'ascending' || order === 'descending'
  failWith([
    ...(by ? [] : [{ pointer: '/sortBy', code: 'not_in_enum' as const, message: `sortBy must be one of ${sortable}.` }]),
    ...(isKnown ? [] : [{ pointer: '/sortOrder', code: 'not_in_enum' as const, message: 'sortOrder must be ascending or descending.' }]),
  ])
  return { by: by ?? sql`m.created_at`, isDescending: order === 'descending' && sortBy !== undefined }
}

/** Converts a SCIM filter (RFC 7644 §3.4.2.2) to a condition of the query, so that the database filters. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Filter, parse } from 'scim2-parse-filter'
import { fail } from '../../../runtime/table/errors.ts'

export const maxFilterLength = 2_000
/** Largest number of comparisons in a filter. */
const maxParts = 100
const maxLevels = 20

interface Field {
  readonly column: RawBuilder<string | null>
  readonly isCaseSensitive?: true
}
/** By their lower-case names. */
const fields: Readonly<Record<string, Field>> = {
  id: { column: sql`m.id`, isCaseSensitive: true },
  username: { column: sql`coalesce(s.user_key, lower(a.email))` },
  externalid: { column: sql`s.external_id`, isCaseSensitive: true },
  emails: { column: sql`coalesce(s.email, lower(a.email))` },
  'emails.value': { column: sql`coalesce(s.email, lower(a.email))` },
}
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:user:/i

/** @throws Failure `validation_failed` for an invalid filter, or an attribute that cannot be searched */
export function parsedFilter(text: string): Filter {
  // The parser never returns for an unclosed quote followed by line breaks.
  if (text.length > maxFilterLength || /\p{Cc}/u.test(text)) refuse('must be one line of at most 2,000 characters')
  let filter: Filter
  try {
    filter = parse(text)
  } catch {
    return refuse('is not a SCIM filter; for example, userName eq "ada@example.com" is one')
  }
  if (sizeOf(filter, 0) > maxParts) refuse(`contains more than ${maxParts} comparisons`)
  return filter
}

/** @returns a condition on `users()` of records.ts */
export function conditionOf(filter: Filter): RawBuilder<SqlBool> {
  switch (filter.op) {
    case 'and':
    case 'or':
      return sql<SqlBool>`(${sql.join(filter.filters.map(conditionOf), filter.op === 'and' ? sql` and ` : sql` or `)})`
    case 'not':
      return sql<SqlBool>`not ${conditionOf(filter.filter)}`
    case '[]':
      return conditionOf(within(nameOf(filter.attrPath), filter.valFilter))
    case 'pr':
      return nameOf(filter.attrPath) === 'active' ? sql<SqlBool>`1 = 1` : isTrue(sql`${fieldOf(filter.attrPath).column} <> ''`)
    default:
      return compared(filter.attrPath, filter.op, filter.compValue)
  }
}

/** Resolves `emails[type eq "work"]`. Only one address of a member is searched, the first, and its type is work. */
function within(list: string, inner: Filter): Filter {
  if (list !== 'emails') refuse(`cannot search ${list}`)
  if ('filters' in inner) return { ...inner, filters: inner.filters.map(each => within(list, each)) }
  if ('filter' in inner) return { ...inner, filter: within(list, inner.filter) }
  if ('valFilter' in inner) return refuse('must not nest lists')
  return { ...inner, attrPath: `${list}.${inner.attrPath}` }
}

function compared(path: string, op: string, value: unknown): RawBuilder<SqlBool> {
  const name = nameOf(path)
  if (name === 'active') return equality(op, sql`m.active = ${booleanIn(value) ? 1 : 0}`)
  if (name === 'emails.type') return equality(op, String(value).toLowerCase() === 'work' ? sql`1 = 1` : sql`1 = 0`)
  if (name === 'emails.primary') return equality(op, booleanIn(value) ? sql`1 = 1` : sql`1 = 0`)
  const { column, isCaseSensitive } = fieldOf(path)
  if (value === null) return equality(op, sql`${column} is null`)
  const text = isCaseSensitive ? String(value) : String(value).toLowerCase()
  const length = sql.lit([...text].length)
  switch (op) {
    case 'eq':
      return isTrue(sql`${column} = ${text}`)
    case 'ne':
      return sql<SqlBool>`not ${isTrue(sql`${column} = ${text}`)}`
    // Not LIKE, because its case sensitivity differs between the engines.
    case 'co':
      return text === '' ? isTrue(sql`${column} <> ''`) : isTrue(sql`replace(${column}, ${text}, '') <> ${column}`)
    case 'sw':
      return isTrue(sql`substr(${column}, 1, ${length}) = ${text}`)
    case 'ew':
      return isTrue(sql`length(${column}) >= ${length} and substr(${column}, length(${column}) - ${length} + 1) = ${text}`)
    default:
      return refuse(`cannot use the operator ${op}: choose eq, ne, co, sw, ew, pr, and, or, not`)
  }
}

/** A condition on an attribute that only `eq` and `ne` can compare. */
function equality(op: string, condition: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (op === 'eq') return isTrue(condition)
  if (op === 'ne') return sql<SqlBool>`not ${isTrue(condition)}`
  return refuse(`cannot compare this attribute with ${op}: use eq or ne`)
}

/** True or false, never null, so that `not` inverts it for a missing value, too. */
const isTrue = (condition: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`(case when ${condition} then 1 else 0 end = 1)`

const nameOf = (path: string): string => path.replace(coreSchema, '').toLowerCase()

function fieldOf(path: string): Field {
  const field = Object.hasOwn(fields, nameOf(path)) ? fields[nameOf(path)] : undefined
  return field ?? refuse(`cannot search by ${path.slice(0, 80)}: use id, userName, externalId, emails, active`)
}

/** Reads a boolean, which some identity providers write as text. */
function booleanIn(value: unknown): boolean {
  const text = String(value).toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  return refuse('must compare a boolean with true or false')
}

/** Counts the comparisons and groups of a filter. @throws Failure if it is nested too deep */
function sizeOf(filter: Filter, level: number): number {
  if (level > maxLevels) refuse(`nests deeper than ${maxLevels} levels`)
  if ('filters' in filter) return filter.filters.reduce((sum, each) => sum + sizeOf(each, level + 1), 1)
  if ('filter' in filter) return 1 + sizeOf(filter.filter, level + 1)
  return 'valFilter' in filter ? 1 + sizeOf(filter.valFilter, level + 1) : 1
}

function refuse(why: string): never {
  fail('validation_failed', undefined, { details: [{ pointer: '/scim_filter', code: 'invalid_format', message: `filter ${why}.` }] })
}

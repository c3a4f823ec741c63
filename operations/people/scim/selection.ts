/** Selects the attributes of a user to return: `attributes` and `excludedAttributes` (RFC 7644 §3.9). */
import { Type } from '@sinclair/typebox'
import { failWith } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { optional } from '../../../runtime/table/schema.ts'
import type { ScimUser } from './records.ts'

const namesInput = (description: string) => optional(Type.String({ maxLength: 2_000, description }))
export const selectionInput = {
  attributes: namesInput('Attributes to return, separated by commas; for example `userName,name.givenName`. `id` is always returned.'),
  excludedAttributes: namesInput('Attributes to leave out, separated by commas.'),
}

export interface Selection {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Attributes that are always returned (RFC 7643 §7, `returned: always`). */
const alwaysReturned: ReadonlySet<string> = new Set(['schemas', 'id'])
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:user:/i

/** Reads lower-case names without the schema, because SCIM ignores case. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',')
      .map(name => name.trim().replace(coreSchema, '').toLowerCase())
      .filter(name => name !== ''),
  )

/**
 * Limits a user to the requested attributes. Ignores unknown names.
 * @throws Failure `validation_failed` if both are given
 */
export function selectAttributes(
  user: ScimUser,
  { attributes, excludedAttributes }: Selection,
): Pick<ScimUser, 'id' | 'schemas'> & Partial<ScimUser> {
  if (attributes !== undefined && excludedAttributes !== undefined) {
    const message = 'attributes and excludedAttributes are mutually exclusive.'
    failWith([{ pointer: '/excludedAttributes', code: 'mismatch', message }])
  }
  if (attributes !== undefined) return withAlwaysReturned(user, partOf(user, namesIn(attributes), ''))
  return excludedAttributes === undefined ? user : withAlwaysReturned(user, restOf(user, namesIn(excludedAttributes), ''))
}

const withAlwaysReturned = ({ id, schemas }: ScimUser, part: object): Pick<ScimUser, 'id' | 'schemas'> & Partial<ScimUser> => ({
  ...part,
  id,
  schemas,
})

type Fields = Readonly<Record<string, unknown>>
const pathOf = (prefix: string, name: string): string => `${prefix}${name.toLowerCase()}`

/** Keeps the named attributes, or their named sub-attributes. @param prefix path of the attribute that contains them: `name.` */
function partOf(value: Fields, wanted: ReadonlySet<string>, prefix: string): Fields {
  return mapAttributes(value, prefix, (each, path) => {
    if (wanted.has(path) || (prefix === '' && alwaysReturned.has(path))) return each
    return [...wanted].some(name => name.startsWith(`${path}.`)) ? within(each, inner => partOf(inner, wanted, `${path}.`)) : undefined
  })
}

/** Removes the named attributes and sub-attributes. */
function restOf(value: Fields, unwanted: ReadonlySet<string>, prefix: string): Fields {
  return mapAttributes(value, prefix, (each, path) => {
    if (prefix === '' && alwaysReturned.has(path)) return each
    return unwanted.has(path) ? undefined : within(each, inner => restOf(inner, unwanted, `${path}.`))
  })
}

const mapAttributes = (value: Fields, prefix: string, cut: (each: unknown, path: string) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const left = cut(each, pathOf(prefix, name))
      return left === undefined ? [] : [[name, left]]
    }),
  )

/** Selects sub-attributes of an attribute or of a list of them; other values stay as they are. */
function within(value: unknown, cut: (inner: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map(each => (isObject(each) ? cut(each) : each))
  return isObject(value) ? cut(value) : value
}

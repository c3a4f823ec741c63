/** Selects the attributes of a user to return: `attributes` and `excludedAttributes` (RFC 7644 §3.9). */
import { Type } from '@sinclair/typebox'
import { failWith } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { optional } from '../../../runtime/table/schema.ts'
import type { ScimUser } from './records.ts'

const names = (description: string) => optional(Type.String({ maxLength: 2_000, description }))
export const selectionInput = {
  attributes: names('Attributes to return, separated by commas; for example `userName,name.givenName`. `id` is always returned.'),
  excludedAttributes: names('Attributes to leave out, separated by commas.'),
}

export interface Selection {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Never left out (RFC 7643 §7, `returned: always`). */
const always: ReadonlySet<string> = new Set(['schemas', 'id'])
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:user:/i

/** Lower-case names without the schema: SCIM ignores case. */
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
export function selected(
  user: ScimUser,
  { attributes, excludedAttributes }: Selection,
): Pick<ScimUser, 'id' | 'schemas'> & Partial<ScimUser> {
  if (attributes !== undefined && excludedAttributes !== undefined) {
    const message = 'attributes and excludedAttributes are mutually exclusive.'
    failWith([{ pointer: '/excludedAttributes', code: 'mismatch', message }])
  }
  if (attributes !== undefined) return whole(user, partOf(user, namesIn(attributes), ''))
  return excludedAttributes === undefined ? user : whole(user, restOf(user, namesIn(excludedAttributes), ''))
}

const whole = ({ id, schemas }: ScimUser, part: object): Pick<ScimUser, 'id' | 'schemas'> & Partial<ScimUser> => ({ ...part, id, schemas })

type Fields = Readonly<Record<string, unknown>>
const pathOf = (above: string, name: string): string => `${above}${name.toLowerCase()}`

/** Keeps a named attribute, or its named sub-attributes. */
function partOf(value: Fields, wanted: ReadonlySet<string>, above: string): Fields {
  return mapped(value, above, (each, path) => {
    if (wanted.has(path) || (above === '' && always.has(path))) return each
    return [...wanted].some(name => name.startsWith(`${path}.`)) ? within(each, inner => partOf(inner, wanted, `${path}.`)) : undefined
  })
}

function restOf(value: Fields, unwanted: ReadonlySet<string>, above: string): Fields {
  return mapped(value, above, (each, path) => {
    if (above === '' && always.has(path)) return each
    return unwanted.has(path) ? undefined : within(each, inner => restOf(inner, unwanted, `${path}.`))
  })
}

const mapped = (value: Fields, above: string, cut: (each: unknown, path: string) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const left = cut(each, pathOf(above, name))
      return left === undefined ? [] : [[name, left]]
    }),
  )

/** Selects sub-attributes of an attribute or of a list of them; other values stay as they are. */
function within(value: unknown, cut: (inner: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map(each => (isObject(each) ? cut(each) : each))
  return isObject(value) ? cut(value) : value
}

/**
 * Removes arguments without a value. Models often send every argument of a tool, with `null` or an empty text for those that
 * they do not need. Over HTTP such a value is a fault, because a program that sends it is wrong.
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import { matches } from '../values/matches.ts'
import { isObject } from '../values/json.ts'

export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

type Fields = Readonly<Record<string, unknown>>

interface Blanks {
  /** Whether an existing record is changed: an empty text then empties a text field. */
  readonly changes: boolean
}

type Schema = Pick<TObject, 'properties' | 'required'>

/**
 * @returns the arguments without those that are blank and optional, at any depth, unless the schema has a meaning for them. An
 *   argument that the schema does not have is left out if it is blank: models send `cursor: null` to lists without a cursor
 */
export function withoutBlanks(schema: Schema, given: Fields, blanks: Blanks): Record<string, unknown> {
  const asked = Object.entries(given).filter(([name, value]) => !isBlank(value) || Object.hasOwn(schema.properties, name))
  return valued(schema, Object.fromEntries(asked), blanks)
}

function valued(schema: Schema, given: Fields, blanks: Blanks): Record<string, unknown> {
  const kept: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    const field: TSchema | undefined = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (!field) kept[name] = value
    else if (isBlank(value)) {
      const isRequired = schema.required?.includes(name) === true && field.default === undefined
      if (isRequired || hasMeaning(field, value, { ...blanks, isId: /_ids?$/.test(name) })) kept[name] = value
    } else kept[name] = within(field, value, blanks)
  }
  return { ...kept }
}

function within(schema: TSchema, value: unknown, blanks: Blanks): unknown {
  if (typeof value !== 'object') return value
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  if (Array.isArray(value)) {
    const items: TSchema | undefined = variants.find(({ type }) => type === 'array')?.items
    return items && value.length <= maxItems ? value.map(each => within(items, each, blanks)) : value
  }
  const record = variants.find(({ properties }) => properties !== undefined)
  return record && isObject(value) ? valued({ properties: record.properties, required: record.required }, value, blanks) : value
}

/** Longer lists are refused. */
const maxItems = 1_000

/**
 * Whether `null`, or the empty text, is one of the values of the field. Any text field matches an empty text. It means
 * something only if the schema lists it, or if it empties the field of an existing record.
 */
function hasMeaning(schema: TSchema, value: unknown, { changes, isId }: Blanks & { isId: boolean }): boolean {
  if (!matches(schema, value)) return false
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  const isListed = variants.some(each => each.const === value || each.enum?.includes(value) === true)
  return value === null || isListed || (changes && !isId)
}

/**
 * Removes arguments without a value. Models often send every argument of a tool, with `null` or an empty text for those that
 * they do not need. Over HTTP such a value is a fault, because a program that sends it is wrong.
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import { matches } from '../values/matches.ts'
import { isObject } from '../values/json.ts'

export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

type Fields = Readonly<Record<string, unknown>>

interface Options {
  /** Whether an existing record is changed. Then an empty text empties a text field. */
  readonly changes: boolean
}

type Schema = Pick<TObject, 'properties' | 'required'>

/**
 * Removes arguments that are blank and optional, at any depth, unless the schema gives the blank a meaning. Also removes blank arguments
 * that the schema does not have, because models send `cursor: null` to lists without a cursor.
 */
export function withoutBlanks(schema: Schema, given: Fields, options: Options): Record<string, unknown> {
  const relevant = Object.entries(given).filter(([name, value]) => !isBlank(value) || Object.hasOwn(schema.properties, name))
  return valued(schema, Object.fromEntries(relevant), options)
}

function valued(schema: Schema, given: Fields, options: Options): Record<string, unknown> {
  const kept: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    const field: TSchema | undefined = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (!field) kept[name] = value
    else if (isBlank(value)) {
      const isRequired = schema.required?.includes(name) === true && field.default === undefined
      if (isRequired || hasMeaning(field, value, { ...options, isId: /_ids?$/.test(name) })) kept[name] = value
    } else kept[name] = within(field, value, options)
  }
  return { ...kept }
}

function within(schema: TSchema, value: unknown, options: Options): unknown {
  if (typeof value !== 'object') return value
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  if (Array.isArray(value)) {
    const items: TSchema | undefined = variants.find(({ type }) => type === 'array')?.items
    return items && value.length <= maxItems ? value.map(each => within(items, each, options)) : value
  }
  const record = variants.find(({ properties }) => properties !== undefined)
  return record && isObject(value) ? valued({ properties: record.properties, required: record.required }, value, options) : value
}

/** Longer lists are refused. */
const maxItems = 1_000

/**
 * Whether `null`, or the empty text, is one of the values of the field. Any text field matches an empty text. It means
 * something only if the schema lists it, or if it empties the field of an existing record.
 */
function hasMeaning(schema: TSchema, value: unknown, { changes, isId }: Options & { isId: boolean }): boolean {
  if (!matches(schema, value)) return false
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  const isListed = variants.some(each => each.const === value || each.enum?.includes(value) === true)
  return value === null || isListed || (changes && !isId)
}

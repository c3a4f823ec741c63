/** Converts texts to the type of their schema: fields of a query or a form, and arguments that are sent as text. */
import type { TSchema } from '@sinclair/typebox'

/** @returns the text if it is not such a value; undefined if it is empty */
export function decode(declared: TSchema, values: readonly string[]): unknown {
  const text = values.at(-1) ?? ''
  const schema = text === '' ? declared : (notNull(declared) ?? declared)
  if (schema.type === 'array') return decodeList(schema, values)
  if (schema.type === 'string' && !schema.enum && !schema.format) return text
  if (text === '') return isCleared(schema) ? '' : undefined
  if (schema.type === 'boolean') return ({ true: true, 1: true, false: false, 0: false } as Record<string, boolean>)[text] ?? text
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  return text
}

/** The schema of a number, a switch or a list that may be null. */
function notNull({ anyOf }: TSchema): TSchema | undefined {
  const [one, ...others] = ((anyOf ?? []) as readonly TSchema[]).filter(({ type }) => type !== 'null')
  return others.length === 0 ? one : undefined
}

/** Whether an empty text is a value: it clears the field. */
const isCleared = ({ anyOf }: TSchema): boolean =>
  (anyOf as readonly TSchema[] | undefined)?.some(({ const: constant }) => constant === '') === true

/** `a=1&a=2`, `a[]=1`, `a=1,2` and a JSON array; lists of anything but strings are JSON. */
function decodeList(schema: TSchema, values: readonly string[]): unknown {
  const [only = ''] = values
  if (values.length === 1 && (only.startsWith('[') || schema.items.type !== 'string')) {
    if (only === '') return []
    try {
      return JSON.parse(only)
    } catch {
      return only
    }
  }
  return values
    .flatMap(text => text.split(','))
    .map(text => text.trim())
    .filter(text => text !== '')
}

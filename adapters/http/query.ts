/** Decodes a query string by the input's schema. Invalid values stay text, for validation to report. */
import type { TObject, TSchema } from '@sinclair/typebox'

export function decodeQuery(schema: TObject, query: URLSearchParams | undefined): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  if (!query) return input
  const given = new Map<string, string[]>()
  for (const [name, value] of query) {
    const values = given.get(name)
    if (values) values.push(value)
    else given.set(name, [value])
  }
  for (const [name, values] of given) {
    const declared = name.endsWith('[]') ? name.slice(0, -2) : name
    const property: TSchema | undefined = Object.hasOwn(schema.properties, declared) ? schema.properties[declared] : undefined
    const value = property ? decode(property, values) : values.at(-1)
    if (value !== undefined)
      Object.defineProperty(input, property ? declared : name, { value, enumerable: true, configurable: true, writable: true })
  }
  return input
}

function decode(schema: TSchema, values: readonly string[]): unknown {
  const text = values.at(-1) ?? ''
  if (schema.type === 'array') return decodeList(schema, values)
  if (schema.type === 'string' && !schema.enum && !schema.format) return text
  if (text === '') return undefined
  if (schema.type === 'boolean') return ({ true: true, 1: true, false: false, 0: false } as Record<string, boolean>)[text] ?? text
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  return text
}

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

/** Decodes a query string by the input's schema. Invalid values stay text, for validation to report. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { decode } from '../../runtime/call/decode.ts'

/** Parameters that campaigns and caches add to addresses. They are ignored; any other unknown name is a fault. */
const notOurs = /^(_|utm_)/

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
    if (!property && notOurs.test(name)) continue
    const value = property ? decode(property, values) : values.length > 1 ? values : values.at(-1)
    if (value !== undefined)
      Object.defineProperty(input, property ? declared : name, { value, enumerable: true, configurable: true, writable: true })
  }
  return input
}

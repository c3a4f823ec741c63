/** Decodes a query string by the input's schema. Invalid values stay text, for validation to report. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { decode } from '../../runtime/call/decode.ts'
import { setField } from '../../runtime/values/json.ts'

/** Parameters that campaigns and caches add to addresses. They are ignored; any other unknown name is a fault. */
const ignoredNames = /^(_|utm_)/

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
    if (!property && ignoredNames.test(name)) continue
    const undeclared = values.length > 1 ? values : values[0]
    const value = property ? decode(property, values) : undeclared
    if (value !== undefined) setField(input, property ? declared : name, value)
  }
  return input
}

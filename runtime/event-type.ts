/** An input or field that names a kind of event: which there are, the table says once all areas are in it. */
import { Kind, type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import type { EventKind } from './event.ts'

const ofTheTable = Symbol('event types')

/** One of the types of events that a webhook may name. */
export function EventType(options: SchemaOptions = {}) {
  return Type.Unsafe<string>({ ...options, [Kind]: 'OneOf', type: 'string', enum: [], [ofTheTable]: true })
}

/** Types that a webhook may name, in the order of the alphabet. */
export function typesOf(events: readonly EventKind[]): string[] {
  return events
    .filter(({ direct }) => !direct)
    .map(({ type }) => type)
    .sort()
}

/** The schema with these types where it has an `EventType`; the schema itself where it has none. */
export function withEventTypes<T extends TSchema>(schema: T, types: readonly string[]): T {
  if (ofTheTable in schema) return { ...schema, enum: types }
  const changed: Record<string, unknown> = {}
  const { items, properties, anyOf } = schema as TSchema
  if (items && !Array.isArray(items)) changed.items = withEventTypes(items, types)
  if (anyOf) changed.anyOf = sameUnless(anyOf, (one: TSchema) => withEventTypes(one, types))
  if (properties) changed.properties = sameUnless(properties, (one: TSchema) => withEventTypes(one, types))
  return Object.entries(changed).some(([key, value]) => value !== schema[key]) ? { ...schema, ...changed } : schema
}

/** A list or an object with each value turned, or itself where none of them changed. */
function sameUnless(all: Readonly<Record<string, TSchema>> | readonly TSchema[], turn: (one: TSchema) => TSchema): unknown {
  const before = Object.entries(all)
  const after = before.map(([key, one]) => [key, turn(one)] as const)
  if (after.every(([, one], i) => one === before[i]?.[1])) return all
  return Array.isArray(all) ? after.map(([, one]) => one) : Object.fromEntries(after)
}

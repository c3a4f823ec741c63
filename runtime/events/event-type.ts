/** A schema for event types, whose values are filled in when all areas are in the table. */
import { Kind, type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import type { EventKind } from './event.ts'

const ofTheTable = Symbol('event types')

/** A type of event that webhooks can subscribe to. */
export function EventType(options: SchemaOptions = {}) {
  return Type.Unsafe<string>({ ...options, [Kind]: 'OneOf', type: 'string', enum: [], [ofTheTable]: true })
}

/** Types that webhooks can subscribe to, sorted. */
export function typesOf(events: readonly EventKind[]): string[] {
  return events
    .filter(({ direct }) => !direct)
    .map(({ type }) => type)
    .sort()
}

/** The schema with these types in place of each `EventType`; the same schema if it has none. */
export function withEventTypes<T extends TSchema>(schema: T, types: readonly string[]): T {
  if (!hasEventType(schema)) return schema
  if (ofTheTable in schema) return { ...schema, enum: types }
  const changed: Record<string, unknown> = {}
  const { items, properties, anyOf } = schema as TSchema
  if (items && !Array.isArray(items)) changed.items = withEventTypes(items, types)
  if (anyOf) changed.anyOf = sameUnless(anyOf, (one: TSchema) => withEventTypes(one, types))
  if (properties) changed.properties = sameUnless(properties, (one: TSchema) => withEventTypes(one, types))
  return Object.entries(changed).some(([key, value]) => value !== schema[key]) ? { ...schema, ...changed } : schema
}

/** Nearly all schemas have none: each start looks through every one of them, so it makes nothing meanwhile. */
function hasEventType(schema: TSchema): boolean {
  if (ofTheTable in schema) return true
  const { items, properties, anyOf } = schema
  if (items && !Array.isArray(items) && hasEventType(items)) return true
  for (const key in anyOf) if (hasEventType(anyOf[key])) return true
  for (const key in properties) if (hasEventType(properties[key])) return true
  return false
}

/** A list or an object with each value mapped; the same one if none changed. */
function sameUnless(all: Readonly<Record<string, TSchema>> | readonly TSchema[], turn: (one: TSchema) => TSchema): unknown {
  const before = Object.entries(all)
  const after = before.map(([key, one]) => [key, turn(one)] as const)
  if (after.every(([, one], i) => one === before[i]?.[1])) return all
  return Array.isArray(all) ? after.map(([, one]) => one) : Object.fromEntries(after)
}

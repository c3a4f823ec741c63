/**
 * Converts an argument that does not match its schema, if its meaning is unambiguous: for example `"3"` to 3, JSON text to a
 * list, `Mobile` to `mobile`, a day to a time. It serves the surfaces where a model or a person writes arguments. A value that
 * matches stays as it is; validation reports a value without a clear meaning.
 */
import type { TSchema } from '@sinclair/typebox'
import { dayOf, dayStart } from '../../storage/calendar/zones.ts'
import { decode } from './decode.ts'
import { isObject } from '../values/json.ts'
import { parseJson } from './parse-json.ts'
import { meantBy } from '../table/schema.ts'
import { matches } from '../values/matches.ts'

/** Most characters of a text that is parsed as JSON. */
const maxJsonLength = 100_000

/** @param zone IANA name of the time zone in which a day begins that is given for a time */
export function convertArgument(schema: TSchema, given: unknown, zone: string): unknown {
  if (given === undefined || given === null) return given
  const own = variantFor(schema)
  const value = typeof given === 'string' ? own[meantBy]?.(given.trim()) : undefined
  if (value !== undefined) return value
  if (matches(schema, given)) return given
  const converted = typeof given === 'string' ? fromText(own, given.trim(), zone) : fromValue(own, given, zone)
  return converted === undefined ? given : converted
}

/** For a field that may be null or empty: the schema of its other values. */
function variantFor(schema: TSchema): TSchema {
  const variants: readonly TSchema[] = schema.anyOf ?? []
  return variants.find(each => each.type !== 'null' && each.const === undefined) ?? schema
}

function fromText(schema: TSchema, text: string, zone: string): unknown {
  if (schema.type === 'array' || schema.type === 'object') return fromJson(schema, text, zone)
  if (Array.isArray(schema.enum)) return schema.enum.find(each => plainly(String(each)) === plainly(text))
  if (schema.format === 'date-time') return timeOf(text, zone)
  if (schema.format === 'date') return /^\d{4}-\d\d-\d\d(?=[T ])/.exec(text)?.[0]
  return decode(schema, [schema.type === 'boolean' ? text.toLowerCase() : text])
}

function fromJson(schema: TSchema, text: string, zone: string): unknown {
  if (!/^[[{]/.test(text) || text.length > maxJsonLength) {
    return schema.type === 'array' && schema.items?.type === 'string' && text !== ''
      ? convertedItems(schema, decode(schema, [text]), zone)
      : undefined
  }
  try {
    const value = parseJson(text)
    return Array.isArray(value) ? convertedItems(schema, value, zone) : value
  } catch {
    return undefined
  }
}

/** Models often write a list of one item without its brackets. */
function fromValue(schema: TSchema, value: unknown, zone: string): unknown {
  if (schema.type !== 'array') return undefined
  if (Array.isArray(value)) return convertedItems(schema, value, zone)
  return isObject(value) && schema.items?.type === 'object' ? [value] : undefined
}

const convertedItems = (schema: TSchema, values: unknown, zone: string): unknown =>
  Array.isArray(values) && values.length <= 100 && isObject(schema.items) ? values.map(value => item(schema.items, value, zone)) : values

/** A number in a list of texts is the text: `[200]` means `["200"]`. */
function item(schema: TSchema, value: unknown, zone: string): unknown {
  const isPlainText = schema.type === 'string' && !schema.enum && !schema.format
  return typeof value === 'string' ? convertArgument(schema, value, zone) : typeof value === 'number' && isPlainText ? String(value) : value
}

/** Folds case and separators: `Last month` becomes `last_month`. */
const plainly = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '_')

/** A day means its beginning in the zone. A time without a zone is UTC. */
function timeOf(text: string, zone: string): string | undefined {
  const day = dayOf(text)
  if (day !== null) return new Date(dayStart(zone, day)).toISOString()
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : undefined
}

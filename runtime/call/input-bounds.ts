/**
 * Checks the size of an input before anything else. Parts larger than their schema allows are reported and dropped:
 * neither the items of a long list nor the characters of a long text are validated. Later steps therefore cost no more
 * than the schema allows, whatever was sent.
 */
import { Kind, type TSchema } from '@sinclair/typebox'
import { fail, type Fault } from '../table/errors.ts'
import { isObject } from '../values/json.ts'
import { fieldAt, sizeless, typeOf } from '../table/fault-message.ts'
import { m as faulty } from '../table/messages.ts'
import { m } from './messages.ts'

type Values = Readonly<Record<string, unknown>>

/** Most fields of an input, known or unknown. */
const maxFields = 200
/** Most characters of a field's name in an object of an input; no schema of ours has longer ones. */
const maxNameLength = 300
/** Most values in a field without a full schema (the conditions of a filter), which is as many as it can use. */
const maxValues = 30_000
const maxLevels = 32

/** Refuses an input with more fields than any operation has, before checking each of them. */
export function refuseManyFields(given: Values): void {
  const names = Object.keys(given)
  if (names.length <= maxFields) return
  fail('invalid_json', m.too_many_fields({ most: maxFields, count: names.length }))
}

/**
 * Finds the parts that are too large, and returns the rest.
 * @param fields the schema of each field
 * @throws Failure `invalid_json` if it is nested too deeply
 */
export function withinBounds(fields: Readonly<Record<string, TSchema>>, input: Values): { faults: Fault[]; rest: Record<string, unknown> } {
  const faults: Fault[] = []
  const rest: Record<string, unknown> = {}
  for (const name in input) {
    const schema = fields[name]
    const pointer = `/${name}`
    const cut = schema ? without(schema, { value: input[name], pointer, faults }) : input[name]
    if (counted(cut, maxValues, maxLevels) <= maxValues) rest[name] = cut
    else faults.push({ pointer, code: 'too_many_items', message: faulty.too_many_values({ field: fieldAt(pointer), most: maxValues }) })
  }
  return { faults, rest }
}

/** The value, with `undefined` in place of parts that are too large. */
function without(schema: TSchema, { value, pointer, faults }: { value: unknown; pointer: string; faults: Fault[] }): unknown {
  const own = variantOf(schema, value)
  if (!own) return value
  if (typeof value === 'string') {
    if (!(value.length > own.maxLength)) return value
    const code = sizeless('too_long', own)
    const params = { field: fieldAt(pointer), received: faulty.characters({ count: value.length }) }
    const message =
      code === 'too_long'
        ? faulty.too_many_characters({ ...params, most: String(own.maxLength) })
        : faulty.of_another_type({ ...params, type: typeOf(own) })
    faults.push({ pointer, code, message })
    return undefined
  }
  if (Array.isArray(value)) {
    if (value.length > own.maxItems) {
      const message = faulty.too_many_items({ field: fieldAt(pointer), most: String(own.maxItems), received: value.length })
      faults.push({ pointer, code: 'too_many_items', message })
      return undefined
    }
    return own.items ? value.map((item, i) => without(own.items, { value: item, pointer: `${pointer}/${i}`, faults })) : value
  }
  return isObject(value) ? objectWithout(own, { value, pointer, faults }) : value
}

function objectWithout(schema: TSchema, { value, pointer, faults }: { value: Values; pointer: string; faults: Fault[] }): unknown {
  const [names, max] = [Object.keys(value), Number(schema.maxProperties ?? maxFields)]
  if (names.length > max) {
    const message = faulty.too_many_fields({ field: fieldAt(pointer), most: max, received: names.length })
    faults.push({ pointer, code: 'too_many_items', message })
    return undefined
  }
  if (names.some(name => name.length > maxNameLength)) {
    faults.push({ pointer, code: 'too_long', message: faulty.too_long_name({ field: fieldAt(pointer), most: maxNameLength }) })
    return undefined
  }
  const properties: Readonly<Record<string, TSchema>> = schema.properties ?? {}
  const changed: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue
    const cut = without(property, { value: value[name], pointer: `${pointer}/${name}`, faults })
    if (cut !== value[name]) changed[name] = cut
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed }
}

/** The variant of the schema for a value of this type; undefined if the schema does not restrict it. */
function variantOf(schema: TSchema, value: unknown): TSchema | undefined {
  if (schema[Kind] === 'Any') return undefined
  if (!schema.anyOf) return schema
  const type = Array.isArray(value) ? 'array' : typeof value
  const variants: readonly TSchema[] = schema.anyOf
  return variants.find(each => each.type === type && each.const === undefined)
}

/** The number of values, including itself; stops counting at `max`. */
function counted(value: unknown, max: number, levels: number): number {
  if (typeof value !== 'object' || value === null) return 1
  if (levels === 0) fail('invalid_json', m.too_deep({ most: maxLevels }))
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (inside.length > max) return inside.length
  let count = 1
  for (const inner of inside) {
    count += counted(inner, max - count, levels - 1)
    if (count > max) return count
  }
  return count
}

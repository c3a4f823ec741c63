/** The fault of a value as the API reports it: the fault's code and its sentence. */
import { Kind, type TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType as E } from '@sinclair/typebox/errors'
import { clipped } from '../values/clip.ts'
import { fieldTerm, type Message, type MessageValue, type Term, valueTerm } from '../texts/message.ts'
import { nearest } from '../values/nearest.ts'
import { words } from '../values/pointer.ts'
import { type DetailCode, type Fault, maxFaults } from './errors.ts'
import { m } from './messages.ts'
import { orLike } from './schema.ts'

/** The faults of the intended variant of a union, if there is one, instead of a single fault for the union. */
export function leaves(error: ValueError): ValueError[] {
  if (error.type !== E.Union) return [error]
  const variants = error.errors.map(firstOf)
  const fitting = variants.filter(
    variant => variant.length > 0 && variant.every(inner => inner.path !== error.path || inner.type === E.Kind),
  )
  const values = variants.filter(([first]) => first && first.schema.type !== 'null' && first.schema.const === undefined)
  const chosen = fitting.length === 1 ? fitting[0] : values.length === 1 ? values[0] : undefined
  return chosen ? chosen.flatMap(leaves) : [error]
}

function firstOf(errors: Iterable<ValueError>): ValueError[] {
  const first: ValueError[] = []
  for (const error of errors) if (first.push(error) >= maxFaults) break
  return first
}

const codes: Partial<Record<E, DetailCode>> = {
  [E.ObjectRequiredProperty]: 'required',
  [E.ObjectAdditionalProperties]: 'unknown_field',
  [E.ArrayMinItems]: 'too_short',
  [E.ArrayMaxItems]: 'too_many_items',
  [E.StringMinLength]: 'too_short',
  [E.StringMaxLength]: 'too_long',
  [E.StringFormat]: 'invalid_format',
  [E.StringPattern]: 'invalid_format',
  [E.IntegerMinimum]: 'too_small',
  [E.NumberMinimum]: 'too_small',
  [E.IntegerExclusiveMinimum]: 'too_small',
  [E.NumberExclusiveMinimum]: 'too_small',
  [E.IntegerMaximum]: 'too_large',
  [E.NumberMaximum]: 'too_large',
  [E.IntegerExclusiveMaximum]: 'too_large',
  [E.NumberExclusiveMaximum]: 'too_large',
}

/** @param secrets names of fields whose values are not quoted */
export function describe({ type, path: pointer, schema, value }: ValueError, secrets: readonly string[]): Fault {
  const kind: unknown = schema[Kind]
  const code = type === E.Kind && kind === 'OneOf' ? 'not_in_enum' : sizeless(codes[type] ?? 'invalid_type', schema)
  const field = fieldAt(pointer)
  if (code === 'unknown_field') return { pointer, code, message: unknownField(pointer, Object.keys(schema.properties ?? {})) }
  if (code === 'required') return { pointer, code, message: requiredOf(schema)({ field, type: typeOf(schema) }) }
  if (code === 'too_short' && schema.minItems === 1) return { pointer, code, message: m.empty_list({ field }) }
  if (code === 'too_short' && schema.minLength === 1) return { pointer, code, message: m.empty({ field }) }
  const secret = secrets.some(name => pointer.startsWith(`/${name}`))
  return { pointer, code, message: wanted({ code, schema, field, received: secret ? m.another_value() : show(value) }) }
}

/** People choose one of some values, add to a list, and type anything else. */
const requiredOf = (schema: TSchema) => (schema.enum ? m.required_choice : schema.type === 'array' ? m.required_list : m.required)

/** The field at a pointer: a term for one of the input, its path for one inside. */
export const fieldAt = (pointer: string): Term | Message => (pointer === '' ? m.the_input() : fieldTerm(words(pointer)))

function unknownField(pointer: string, names: readonly string[]): Message {
  const near = nearest(pointer.slice(pointer.lastIndexOf('/') + 1), names)
  const known = { field: words(pointer), names: names.length === 0 ? m.none() : names }
  return near === undefined ? m.unknown_field(known) : m.unknown_field_like({ ...known, near })
}

/** For a text with a format, the format's fault is reported instead of the length's. */
export const sizeless = (code: DetailCode, { format }: TSchema): DetailCode =>
  code === 'too_long' && format !== undefined ? 'invalid_format' : code

interface Wanted {
  readonly code: DetailCode
  readonly schema: TSchema
  readonly field: MessageValue
  readonly received: MessageValue
}

function wanted({ code, schema, field, received }: Wanted): Message {
  const isList = schema.type === 'array'
  switch (code) {
    case 'not_in_enum':
      return m.not_in_enum({ field, values: valuesOf(schema), received })
    case 'too_short':
      return isList
        ? m.too_few_items({ field, least: String(schema.minItems), received })
        : m.too_few_characters({ field, least: String(schema.minLength), received })
    case 'too_long':
      return m.too_many_characters({ field, most: String(schema.maxLength), received })
    case 'too_many_items':
      return m.too_many_items({ field, most: String(schema.maxItems), received })
    case 'too_small':
      return m.too_small({ field, least: String(schema.minimum ?? schema.exclusiveMinimum), received })
    case 'too_large':
      return m.too_large({ field, most: String(schema.maximum ?? schema.exclusiveMaximum), received })
    default: {
      const [beginning, pattern] = patternOf(schema)
      if (beginning !== undefined) return m.not_beginning({ field, beginning, received })
      return pattern === undefined
        ? m.of_another_type({ field, type: typeOf(schema), received })
        : m.not_matching({ field, pattern, received })
    }
  }
}

const valuesOf = (schema: TSchema): Term[] => [...(schema.enum as readonly string[]), ...(schema[orLike]?.examples ?? [])].map(valueTerm)

/** How a text must begin, or what it must match, if that is all that its schema says. */
function patternOf({ enum: values, anyOf, format, pattern }: TSchema): readonly [beginning?: string, pattern?: string] {
  if (values !== undefined || anyOf !== undefined || format !== undefined || typeof pattern !== 'string') return []
  const [, beginning] = /^\^([/#@]+)$/.exec(pattern) ?? []
  return beginning === undefined ? [undefined, pattern] : [beginning]
}

const formats: Readonly<Record<string, () => Message>> = {
  'date-time': m.a_date_and_time,
  date: m.a_date,
  email: m.an_email_address,
  uuid: m.a_uuid,
  uri: m.a_url,
  cidr: m.an_address_range,
  timezone: m.a_time_zone,
  currency: m.a_currency,
  domain: m.a_domain,
}
const types: Readonly<Record<string, () => Message>> = {
  string: m.a_string,
  integer: m.an_integer,
  number: m.a_number,
  boolean: m.true_or_false,
  array: m.a_list,
  object: m.an_object,
  null: m.null,
}

/** Describes what a schema accepts: `an integer`, `one of up, down`. */
export function typeOf(schema: TSchema): Message {
  if (schema.enum) return m.one_of({ values: valuesOf(schema) })
  if (schema.anyOf) return (schema.anyOf as TSchema[]).map(typeOf).reduce((one, other) => m.either({ one, other }))
  if (typeof schema.format === 'string') return formats[schema.format]?.() ?? m.a_format({ format: schema.format })
  const [beginning, pattern] = patternOf(schema)
  if (beginning !== undefined) return m.text_beginning({ beginning })
  if (pattern !== undefined) return m.text_matching({ pattern })
  return types[String(schema.type)]?.() ?? m.another_value()
}

/** The beginning of a value as JSON; only as much is serialised as is shown. */
function show(value: unknown): string {
  return clipped(beginning(value, shownLength), shownLength)
}
const shownLength = 80

function beginning(value: unknown, max: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, max))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value)
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  for (const key in value) {
    if (text.length > max) return text
    const left = max - text.length
    const inner: unknown = Reflect.get(value, key)
    text += `${text.length > 1 ? ',' : ''}${isList ? '' : `${JSON.stringify(key.slice(0, left))}:`}${beginning(inner, left)}`
  }
  return `${text}${isList ? ']' : '}'}`
}

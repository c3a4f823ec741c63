/** What is wrong with a value, as the API says it: the fault's code and its sentence. */
import { Kind, type TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType as E } from '@sinclair/typebox/errors'
import { clipped } from '../values/clip.ts'
import { ratherThan } from '../values/nearest.ts'
import { words } from '../values/pointer.ts'
import { type DetailCode, type Fault, mostFaults } from './errors.ts'

/** The faults of the intended variant of a union, if there is one, instead of a single fault for the union. */
export function leaves(error: ValueError): ValueError[] {
  if (error.type !== E.Union) return [error]
  const variants = error.errors.map(firstOf)
  const meant = variants.filter(variant => variant.length > 0 && variant.every(inner => inner.path !== error.path || inner.type === E.Kind))
  const values = variants.filter(([first]) => first && first.schema.type !== 'null' && first.schema.const === undefined)
  const chosen = meant.length === 1 ? meant[0] : values.length === 1 ? values[0] : undefined
  return chosen ? chosen.flatMap(leaves) : [error]
}

function firstOf(errors: Iterable<ValueError>): ValueError[] {
  const first: ValueError[] = []
  for (const error of errors) if (first.push(error) >= mostFaults) break
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
export function describe({ type, path, schema, value }: ValueError, secrets: readonly string[]): Fault {
  const kind: unknown = schema[Kind]
  const code = type === E.Kind && kind === 'OneOf' ? 'not_in_enum' : sizeless(codes[type] ?? 'invalid_type', schema)
  if (code === 'unknown_field') {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return {
      pointer: path,
      code,
      message: `${words(path)} is not a field here${ratherThan(name, Object.keys(schema.properties ?? {}), 'Fields')}`,
    }
  }
  if (code === 'too_short' && (schema.minLength ?? schema.minItems) === 1)
    return { pointer: path, code, message: `${words(path)} must not be empty.` }
  const secret = secrets.some(name => path.startsWith(`/${name}`))
  const received = code === 'required' ? '' : `; received ${secret ? 'another value' : show(value)}`
  return { pointer: path, code, message: `${words(path)} ${wanted(code, schema)}${received}.` }
}

/** For a text with a format, the format's fault is reported instead of the length's. */
export const sizeless = (code: DetailCode, { format }: TSchema): DetailCode =>
  code === 'too_long' && format !== undefined ? 'invalid_format' : code

function wanted(code: DetailCode, schema: TSchema): string {
  switch (code) {
    case 'required':
      return `is required: ${typeName(schema)}`
    case 'not_in_enum':
      return `must be one of ${(schema.enum as readonly string[]).join(', ')}`
    case 'too_short':
      return `must have at least ${schema.minLength ?? schema.minItems} ${schema.type === 'array' ? 'items' : 'characters'}`
    case 'too_long':
      return `must have at most ${schema.maxLength} characters`
    case 'too_many_items':
      return `must have at most ${schema.maxItems} items`
    case 'too_small':
      return `must be at least ${schema.minimum ?? schema.exclusiveMinimum}`
    case 'too_large':
      return `must be at most ${schema.maximum ?? schema.exclusiveMaximum}`
    case 'invalid_format':
      return `must be ${typeName(schema)}`
    default:
      return `must be ${typeName(schema)}`
  }
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'a date and time like 2026-01-31T12:00:00Z',
  date: 'a date like 2026-01-31',
  email: 'an e-mail address',
  uuid: 'a UUID',
  uri: 'a URL',
  cidr: 'an IP address or CIDR range',
  timezone: 'an IANA time zone like Europe/Berlin',
  currency: 'an ISO 4217 currency code like EUR',
  domain: 'a domain name like example.com',
}
export function typeName(schema: TSchema): string {
  if (schema.enum) return `one of ${(schema.enum as readonly string[]).join(', ')}`
  if (schema.anyOf) return (schema.anyOf as TSchema[]).map(typeName).join(' or ')
  if (schema.format) return formats[schema.format as string] ?? `a ${schema.format}`
  const [, beginning] = /^\^([/#@]+)$/.exec(schema.pattern ?? '') ?? []
  if (beginning !== undefined) return `text that begins with ${beginning}`
  if (schema.pattern) return `text matching ${schema.pattern}`
  const names: Readonly<Record<string, string>> = {
    string: 'a string',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return names[schema.type as string] ?? 'another value'
}

/** The beginning of a value as JSON; only as much is serialised as is shown. */
function show(value: unknown): string {
  return clipped(beginning(value, shownLength), shownLength)
}
const shownLength = 80

function beginning(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value)
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  for (const key in value) {
    if (text.length > most) return text
    const left = most - text.length
    const inner: unknown = Reflect.get(value, key)
    text += `${text.length > 1 ? ',' : ''}${isList ? '' : `${JSON.stringify(key.slice(0, left))}:`}${beginning(inner, left)}`
  }
  return `${text}${isList ? ']' : '}'}`
}

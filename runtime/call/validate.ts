/** Validates a value against a schema, and reports all faults in the API's terms. */
import { type TObject, type TSchema, Kind } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { Check as checkOnce } from '@sinclair/typebox/value'
import { type ValueError, ValueErrorType as E } from '@sinclair/typebox/errors'
import { clipped } from '../values/clip.ts'
import { type DetailCode, type Fault, mostFaults } from '../table/errors.ts'
import { ratherThan } from '../values/nearest.ts'
import { escaped, words } from '../values/pointer.ts'
import { cleanedBy } from '../table/schema.ts'

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()
function check(schema: TSchema): TypeCheck<TSchema> {
  let known = compiled.get(schema)
  if (!known) compiled.set(schema, (known = TypeCompiler.Compile(schema)))
  return known
}

export function matches(schema: TSchema, value: unknown): boolean {
  return check(schema).Check(value)
}

/** Like `matches`, without compiling the schema, which takes a hundred times as long as looking at one value. */
export function matchesOnce(schema: TSchema, value: unknown): boolean {
  return checkOnce(schema, value)
}

/**
 * The faults of the value, one for each place, up to the limit; empty if it is valid. Values of secret fields are not
 * quoted. TypeBox finds faults lazily, so the search ends at the limit.
 */
export function faultsOf(schema: TSchema, value: unknown, secrets: readonly string[] = []): Fault[] {
  if (matches(schema, value)) return []
  const faults = new Map<string, Fault>()
  for (const error of check(schema).Errors(value)) {
    for (const leaf of leaves(error)) {
      if (!faults.has(leaf.path)) faults.set(leaf.path, describe(leaf, secrets))
      if (faults.size === mostFaults) return [...faults.values()]
    }
  }
  return [...faults.values()]
}

/**
 * A check that a schema cannot express, of a value that matches the schema.
 * @param pointer of the value
 * @param beside the other fields of the input by name, possibly invalid
 */
export type Check = (value: unknown, pointer: string, beside: Readonly<Record<string, unknown>>) => readonly Fault[]

/**
 * Marks a schema with its own check, which the operation runs as well. It runs here only if the schemas find faults
 * elsewhere, so that one answer has all faults of an input.
 */
export const checkedBy = Symbol('check')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [checkedBy]?: Check
  }
}

/** Runs the checks of fields that match their schemas. */
export function checkFaults(
  fields: Readonly<Record<string, TSchema>>,
  value: Readonly<Record<string, unknown>>,
  known: readonly Fault[],
): Fault[] {
  const faults: Fault[] = []
  for (const name in fields) {
    const own = fields[name]?.[checkedBy] as Check | undefined
    const pointer = `/${name}`
    if (faults.length >= mostFaults) break
    if (!own || value[name] === undefined || known.some(fault => `${fault.pointer}/`.startsWith(`${pointer}/`))) continue
    faults.push(...own(value[name], pointer, value))
  }
  return faults.filter(({ pointer }) => !known.some(fault => fault.pointer === pointer))
}

/**
 * Finds texts that no database stores unchanged: with NUL (Postgres refuses it) or with lone surrogates.
 * @param judged places that already have a fault, which are skipped
 */
export function textFaults(value: unknown, judged: ReadonlySet<string>, pointer = '', found: Fault[] = []): readonly Fault[] {
  if (found.length >= mostFaults || judged.has(pointer)) return found
  if (typeof value === 'string') {
    if (/[\0\p{Cs}]/u.test(value))
      found.push({ pointer, code: 'invalid_format', message: `${words(pointer)} must be well-formed text without NUL characters.` })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) textFaults(inner, judged, `${pointer}/${escaped(key)}`, found)
  }
  return found
}

/** Adds defaults to the input. Undeclared keys are dropped and returned. */
export function withDefaults(
  schema: TObject,
  given: Readonly<Record<string, unknown>>,
): { input: Record<string, unknown>; unknown: string[] } {
  const input: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (value !== undefined) input[key] = typeof value === 'string' ? cleaned(property, value) : value
    else if (property.default !== undefined) input[key] = structuredClone(property.default)
  }
  return { input, unknown: Object.keys(given).filter(key => !Object.hasOwn(schema.properties, key)) }
}

/** Longer text is no name, and is refused as it is. */
const LONGEST_CLEANED = 10_000

function cleaned(schema: TSchema, text: string): string {
  if (text.length > LONGEST_CLEANED) return text
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  const clean = variants.find(variant => variant[cleanedBy])?.[cleanedBy]
  return clean ? clean(text) : text
}

/** The faults of the intended variant of a union, if there is one, instead of a single fault for the union. */
function leaves(error: ValueError): ValueError[] {
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

function describe({ type, path, schema, value }: ValueError, secrets: readonly string[]): Fault {
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

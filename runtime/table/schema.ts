/** TypeBox helpers for records and inputs, and the text formats. */
import { isIP } from 'node:net'
import {
  FormatRegistry,
  Kind,
  type Static,
  type SchemaOptions,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { isZone } from '../../storage/calendar/zones.ts'
import { Message, type Sentence as SentenceText } from '../texts/message.ts'
import { isoOf } from '../values/iso.ts'
import { isEmail } from '../values/email.ts'
import { fail } from './errors.ts'
import { composed } from '../../storage/values/composed.ts'
import { oneLine } from '../values/one-line.ts'
import { permissionNames } from './permissions.ts'
import { m } from './messages.ts'

TypeRegistry.Set('Sentence', (_, value) => typeof value === 'string' || value instanceof Message)
TypeRegistry.Set<TSchema>(
  'OneOf',
  (schema, value) => schema.enum.includes(value) || (typeof value === 'string' && schema[orLike]?.form.test(value) === true),
)

/** Defines a text format for schemas. Texts longer than `longest` are refused unread. */
export function defineFormat(name: string, maxLength: number, fits: (text: string) => boolean): void {
  FormatRegistry.Set(name, text => text.length <= maxLength && fits(text))
}

defineFormat('date-time', 40, isDateTime)
defineFormat('date', 10, isDate)
defineFormat('timezone', 64, isZone)
const currencies = new Set(Intl.supportedValuesOf('currency'))
defineFormat('currency', 3, text => currencies.has(text))
defineFormat('email', 254, isEmail)
defineFormat('uuid', 36, text => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text))
defineFormat('uri', 4_000, text => URL.canParse(text))
defineFormat('cidr', 50, text => {
  const [address = '', bits, more] = text.split('/')
  const width = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  return width > 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width))
})

const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/
const timeForm = /^[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/i

/** Computed rather than parsed: answers contain many times, and each is validated. */
function isDate(text: string): boolean {
  const [, year, month, day] = dateForm.exec(text) ?? []
  return year !== undefined && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
}

/** The form of `Date.toISOString`, which nearly all times have, is checked by its characters: a fifth of the time. */
function isDateTime(text: string): boolean {
  if (text.length === 24 && isSeparated(text)) {
    const [hour, minute, second] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)]
    const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60 && digits(text, 20, 3) >= 0
    const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2)]
    return isTime && year >= 0 && day >= 1 && day <= daysIn(year, month)
  }
  return timeForm.test(text.slice(10)) && isDate(text.slice(0, 10))
}

const isSeparated = (text: string): boolean =>
  text.charCodeAt(4) === DASH &&
  text.charCodeAt(7) === DASH &&
  text.charCodeAt(10) === T &&
  text.charCodeAt(13) === COLON &&
  text.charCodeAt(16) === COLON &&
  text.charCodeAt(19) === DOT &&
  text.charCodeAt(23) === Z
const [DASH, DOT, COLON, T, Z, ZERO] = [45, 46, 58, 84, 90, 48]

/** The number that digits make; -1 if others are among them. */
function digits(text: string, from: number, count: number): number {
  let number = 0
  for (let i = from; i < from + count; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

/** 0 for an invalid month. */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month < 1 || month > 12 ? 0 : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** One of several strings: `{ type: 'string', enum }` in JSON Schema. */
export function OneOf<const T extends readonly string[]>(values: T, options: SchemaOptions = {}) {
  return Type.Unsafe<T[number]>({ ...options, [Kind]: 'OneOf', type: 'string', enum: values })
}
/** One of several strings, or a text of a form of which a list has only examples. */
export const OneOfOrLike = <const T extends readonly string[]>(values: T, like: Like, options: SchemaOptions = {}) =>
  Type.Unsafe<string>({ ...OneOf(values, options), [orLike]: like })
/** A stored text as one of these values. @throws Error if it is not one of them, which no operation stores */
export function among<const T extends string>(values: readonly T[], text: string): T {
  const value = values.find(each => each === text)
  if (value === undefined) throw new Error(`"${text}" is none of ${values.join(', ')}`)
  return value
}
/** Units of numbers. `minor_units`: of a currency, such as cents. */
export const units = [
  'count',
  'percent',
  'percentage_points',
  'ratio',
  'ms',
  'seconds',
  'minutes',
  'hours',
  'days',
  'bytes',
  'pixels',
  'minor_units',
  'weekday',
] as const
export type Unit = (typeof units)[number]
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** For fields that are a number, or a number or null; `x-unit` in descriptions of operations. */
    unit?: Unit
    /** Whether lower or higher values are better; `x-better` there. Undefined if that depends. */
    better?: 'less' | 'more'
  }
}

/**
 * The shorter form of a field that many operations share, in lists of tools: a model reads the whole list before its
 * first request. Keywords given here replace the field's own.
 */
export const brief = Symbol('brief')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [brief]?: {
      readonly description?: string
      readonly items?: object
      readonly default?: undefined
      readonly enum?: readonly string[] | undefined
      readonly format?: undefined
    }
  }
}

/** The value that a text clearly means, although it is written differently; undefined if it matches already, or is unclear. */
export const meantBy = Symbol('meant by')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [meantBy]?: (text: string) => string | undefined
  }
}

/** Further texts that a `OneOf` accepts besides its values. In JSON Schema: `anyOf` of the two. */
export const orLike = Symbol('or like')
export interface Like {
  readonly form: RegExp
  readonly examples: readonly string[]
}
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [orLike]?: Like
  }
}

/** A default that depends on the other fields as the client sent them; undefined: the schema's own default applies. */
export const defaultBy = Symbol('default by')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [defaultBy]?: (given: Readonly<Record<string, unknown>>) => unknown
  }
}

/** Returns the value of a field that the client did not send. */
export const defaultOf = (schema: TSchema, given: Readonly<Record<string, unknown>>): unknown =>
  schema[defaultBy]?.(given) ?? schema.default

/** Text of the form next to the field, if the description speaks to programs: of nulls, ids and other operations. */
export const help = Symbol('help')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [help]?: string
  }
}

/** A field that a form shows only while another one has one of these values. The operation itself refuses other combinations. */
export const shownWith = Symbol('shown with')
export interface ShownWith {
  readonly field: string
  readonly values: readonly string[]
}
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [shownWith]?: ShownWith
  }
}

/** A field for programs, such as a digest. Pages show it in the folded details of a record. */
export const technical = Symbol('technical')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [technical]?: true
  }
}

/** A sentence that the service itself makes: a message in the code, its English in JSON. Pages show it in the language of the reader. */
export const sentence = Symbol('sentence')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [sentence]?: true
  }
}
export const Sentence = (options: SchemaOptions = {}) =>
  Type.Unsafe<SentenceText>({ ...options, [Kind]: 'Sentence', type: 'string', [sentence]: true })

/** The name of a file that is sent once the record is made: a form has a chooser for the file. */
export const ofFile = Symbol('of a file')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [ofFile]?: true
  }
}

/**
 * A text that people have as a file: a form reads one that they choose into the field. The value is what such files are
 * called, as the `accept` of an input has it: `.pem,.crt`.
 */
export const fromFile = Symbol('from a file')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [fromFile]?: string
  }
}

/** Always present, possibly null. It takes over the description of the schema. */
export function Nullable<T extends TSchema>(schema: T, options: SchemaOptions = {}) {
  const { description, unit, better } = schema
  return Type.Union([schema, Type.Null()], {
    ...(description && { description }),
    ...(unit && { unit }),
    ...(better && { better }),
    ...options,
  })
}
/** Null or an empty string clears it. */
export function Clearable<T extends TSchema>(schema: T, options: SchemaOptions) {
  return Type.Union([schema, Type.Literal(''), Type.Null()], options)
}
/** How a field's text is cleaned before it is checked. */
export const cleanedBy = Symbol('cleaned by')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [cleanedBy]?: (text: string) => string
  }
}
/** The name of a record: one line, cleaned by the rule of `oneLine`. */
export const Name = (options: SchemaOptions & { maxLength: number }) => Type.String({ minLength: 1, ...options, [cleanedBy]: oneLine })

/** A text to search for: composed, as stored texts are. */
export const Search = (options: SchemaOptions) => Type.String({ maxLength: 200, ...options, [cleanedBy]: composed })

/** The id of a record: a prefix and 26 characters, or a UUID. */
export const Id = (options: SchemaOptions) => Type.String({ maxLength: 64, ...options })
/** An instant: ISO 8601 in UTC with milliseconds. */
export const DateTime = (options: SchemaOptions = {}) => Type.String({ format: 'date-time', ...options })
/** A calendar day in the site's time zone. */
export const CalendarDay = (options: SchemaOptions = {}) => Type.String({ format: 'date', ...options })
export const PermissionName = (options: SchemaOptions = {}) => OneOf(permissionNames, options)

/** A record of the API: a named component in OpenAPI. Undeclared fields are never sent. */
export function record<P extends TProperties>(name: string, properties: P, description: string) {
  return Type.Object(properties, { title: name, description, additionalProperties: false })
}
export type { Static }

/** An optional field of an input. */
export const optional = Type.Optional

/** Epoch milliseconds in the API's format. */
export function iso(at: number): string
export function iso(at: number | null): string | null
export function iso(at: number | null): string | null {
  return at === null ? null : isoOf(at)
}

/** A flag as stored; undefined stays undefined, so that an update leaves the column unchanged. */
export function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}

/**
 * Marks the input field with a report's conditions. A caller's own restriction (a share link's segment) is added to it,
 * so that no input can widen it.
 */
export const takesConditions = Symbol('takes conditions')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [takesConditions]?: true
  }
}

/** @throws Failure `permission_denied` if the input has no such field */
export function narrowed(schema: TObject, input: Record<string, unknown>, conditions: readonly unknown[]): void {
  const name = Object.keys(schema.properties).find(each => schema.properties[each]?.[takesConditions])
  if (name === undefined) fail('permission_denied', m.not_from_page())
  const given: readonly unknown[] = Array.isArray(input[name]) ? input[name] : []
  // A single condition may lack the brackets of the list.
  input[name] = [...conditions, ...(typeof given[0] === 'string' ? [given] : given)]
}

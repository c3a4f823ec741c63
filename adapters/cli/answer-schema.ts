/** Reads the schema of an answer in the OpenAPI file: units and dates of its values, and the columns of its table. */
import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import type { Unit } from '../../runtime/table/schema.ts'
import { inUnit, wallClock } from '../../runtime/ui/format.ts'
import { isObject } from '../../runtime/values/json.ts'
import { columnsOfTexts } from '../csv-columns.ts'
import type { CsvTable } from '../http/csv.ts'
import type { Command } from './commands.ts'

type Given = SchemaObject | ReferenceObject | undefined
type Resolve = Command['resolve']

/** A value in the words of people. A table aligns figures at their end. */
export class Written {
  readonly text: string
  readonly isFigure: boolean

  constructor(text: string, isFigure: boolean) {
    this.text = text
    this.isFigure = isFigure
  }
}

/** The schema of the values; of `T | null`, the schema of T. */
function schemaOf(given: Given, resolve: Resolve): SchemaObject | undefined {
  const schema = given && resolve(given)
  const [only, ...others] = (schema?.anyOf ?? []).map(resolve).filter(({ type }) => type !== 'null')
  return only && others.length === 0 ? only : schema
}

const propertyOf = (schema: SchemaObject | undefined, name: string): Given =>
  schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined

const dataOf = ({ answer }: Command): Given => propertyOf(answer, 'data')

interface Reader {
  /** IANA name. */
  readonly timeZone: string
  /** ISO 4217 code of amounts that do not name their own. */
  readonly currency: string | undefined
}

/** The data of an answer with amounts, durations, shares, sizes and times written for people. */
export function written(data: unknown, command: Command, reader: Reader): unknown {
  return inWords(data, dataOf(command), command.resolve, reader)
}

function inWords(value: unknown, given: Given, resolve: Resolve, reader: Reader): unknown {
  const schema = schemaOf(given, resolve)
  if (!schema) return value
  if (Array.isArray(value)) return value.map(each => inWords(each, schema.items, resolve, reader))
  if (typeof value === 'number') return figure(value, schema, reader)
  if (typeof value === 'string') return moment(value, schema, reader)
  if (!isObject(value)) return value
  const inside = currencyIn(value) === undefined ? reader : { ...reader, currency: currencyIn(value) }
  const ofOthers = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, inWords(each, propertyOf(schema, name) ?? ofOthers, resolve, inside)]),
  )
}

/** Numbers of these units are clear as they are. */
const plain: ReadonlySet<unknown> = new Set<Unit>(['count', 'ratio', 'pixels'])

function figure(value: number, schema: SchemaObject & { 'x-unit'?: unknown }, { timeZone, currency }: Reader): unknown {
  const unit = schema['x-unit'] as Unit | undefined // the file is made of the table
  if (unit === undefined || plain.has(unit) || (unit === 'minor_units' && currency === undefined)) return value
  return new Written(inUnit(value, unit, { locale: 'en', timezone: timeZone, currency: currency ?? '' }), unit !== 'weekday')
}

/** Instants are in UTC. Times with another offset are in the time zone of a site, and stay. */
function moment(value: string, { format }: SchemaObject, { timeZone }: Reader): unknown {
  const at = format === 'date-time' && value.endsWith('Z') ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? value : new Written(wallClock(at, timeZone).replace('T', ' '), false)
}

/** The currency that a record names. */
export const currencyIn = (record: unknown): string | undefined =>
  isObject(record) && typeof record.currency === 'string' && /^[A-Z]{3}$/.test(record.currency) ? record.currency : undefined

/** The table of an answer, as HTTP's CSV has it; undefined if there is none, or more than one. */
export function tableOf(command: Command): CsvTable | undefined {
  const data = schemaOf(dataOf(command), command.resolve)
  const rowsOf = (given: Given): SchemaObject | undefined => {
    const { items } = schemaOf(given, command.resolve) ?? {}
    const rows = schemaOf(items, command.resolve)
    return rows?.properties ? rows : undefined
  }
  const whole = rowsOf(data)
  if (whole) return { field: undefined, columns: columnsOf(whole, '', command.resolve) }
  const fields = Object.entries(data?.properties ?? {}).flatMap(([field, given]) => {
    const rows = rowsOf(given)
    return rows ? [{ field, rows }] : []
  })
  const [table, ...others] = fields
  // A record with a list has other fields, too.
  if (!table || others.length > 0 || propertyOf(data, 'id')) return undefined
  return { field: table.field, columns: columnsOf(table.rows, '', command.resolve) }
}

function columnsOf({ properties = {} }: SchemaObject, before: string, resolve: Resolve): string[] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const nested = schemaOf(given, resolve)
    const texts =
      nested && columnsOfTexts(before + name, { type: nested.type, of: schemaOf(nested.items, resolve)?.type, maxItems: nested.maxItems })
    return texts ?? (nested?.properties ? columnsOf(nested, `${before}${name}.`, resolve) : [before + name])
  })
}

/**
 * Answers lists, and reports that are one table, as `text/csv` (RFC 4180): at the path with `.csv`, or to clients that prefer
 * that type. Fields of nested records are columns: `comparison.change.visitors`. So are the texts of a short list: `values.0`.
 */
import type { TSchema } from '@sinclair/typebox'
import { Message } from '../../runtime/texts/message.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { columnsOfTexts } from '../csv-columns.ts'

export interface CsvTable {
  /** The field of `data` with the rows; undefined if `data` itself is the list of rows. */
  readonly field: string | undefined
  /** All columns, in the order of the schema. */
  readonly columns: readonly string[]
}

/** The table in an answer; undefined if there is none, or more than one. */
export function csvTableOf({ method, answers, output, secrets, wireFormat }: NamedOperation): CsvTable | undefined {
  if (method !== 'GET' || wireFormat) return undefined
  // A record with one nested list has other fields, too.
  if (answers.kind !== 'list' && answers.kind !== 'report') return undefined
  const isRows = ({ type, items }: TSchema) => type === 'array' && items?.type === 'object'
  const fields = output.type === 'object' ? Object.entries<TSchema>(output.properties).filter(([, schema]) => isRows(schema)) : []
  const [[field, rows] = [undefined, output]] = fields
  if (fields.length > 1 || !isRows(rows)) return undefined
  return { field, columns: columnsOf(rows.items, '').filter(name => !secrets.includes(name)) }
}

function columnsOf(schema: TSchema, before: string): string[] {
  return Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, given]) => {
    const [only, ...more] = (given.anyOf as TSchema[] | undefined)?.filter(({ type }) => type !== 'null') ?? [given]
    const isNested = only?.type === 'object' && only.properties && more.length === 0
    const texts = only && columnsOfTexts(before + name, { type: only.type, of: only.items?.type, maxItems: only.maxItems })
    return texts ?? (isNested ? columnsOf(only, `${before}${name}.`) : [before + name])
  })
}

const BOM = '\ufeff'
const asked: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** Whether `bom` of the query asks for a byte order mark; undefined if it is not there, or neither true nor false. */
export const asksForBom = (query: URLSearchParams): boolean | undefined => {
  const given = query.getAll('bom').at(-1)
  return given !== undefined && Object.hasOwn(asked, given) ? asked[given] : undefined
}

/**
 * Omits columns that no row has, such as figures that were not requested.
 * @param bom begins with a byte order mark, without which Excel does not read it as UTF-8
 */
export function csvOf({ field, columns }: CsvTable, data: unknown, bom: boolean): string {
  const given = field === undefined ? data : isObject(data) ? data[field] : undefined
  const rows: readonly unknown[] = Array.isArray(given) ? given : []
  const paths = columns.map(name => name.split('.'))
  const shown = rows.length === 0 ? paths : paths.filter(path => rows.some(row => valueAt(row, path) !== undefined))
  const head = `${shown.map(path => path.join('.')).join(',')}\r\n`
  return (bom ? BOM : '') + head + rows.map(row => `${shown.map(path => cellOf(valueAt(row, path))).join(',')}\r\n`).join('')
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const name of path) value = isObject(value) ? value[name] : Array.isArray(value) ? value[Number(name)] : undefined
  return value
}

/** Spreadsheets read a text that begins with these characters as a formula (owasp.org, CSV Injection). */
const formula = /^[=+\-@\t\r]/

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const isTexts = Array.isArray(value) && value.every(each => typeof each !== 'object')
  const text = typeof value === 'string' || value instanceof Message ? String(value) : isTexts ? value.join('; ') : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The file name, made of the parts of the path that are not ids: `breakdown-page.csv`. */
export function csvName({ path, on, onParameters, id }: NamedOperation, parameters: Readonly<Record<string, string>>): string {
  const parts = path.split('/').flatMap(part => {
    const [, parameter] = /^\{(\w+)\}$/.exec(part) ?? []
    if (parameter === undefined) return part === '' || on.some(({ name }) => part === `${name}s`) ? [] : [part]
    return onParameters.includes(parameter) ? [] : [parameters[parameter] ?? '']
  })
  return `${parts.join('-').replaceAll(/[^\w.-]/g, '_') || id}.csv`
}

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
  const tableOf = (field: string | undefined, rows: TSchema): CsvTable => ({
    field,
    columns: columnsOf(rows.items, '').filter(name => !secrets.includes(name)),
  })
  if (isRows(output)) return tableOf(undefined, output)
  const fields = output.type === 'object' ? Object.entries<TSchema>(output.properties).filter(([, schema]) => isRows(schema)) : []
  const [first, ...others] = fields
  return first && others.length === 0 ? tableOf(...first) : undefined
}

/** @param before path of the record that the schema describes, with a dot at its end; empty for a row */
function columnsOf(schema: TSchema, before: string): string[] {
  return Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, given]) => {
    const variants = (given.anyOf as TSchema[] | undefined)?.filter(({ type }) => type !== 'null') ?? [given]
    const [only] = variants
    const isNested = only?.type === 'object' && only.properties && variants.length === 1
    const texts = only && columnsOfTexts(before + name, { type: only.type, of: only.items?.type, maxItems: only.maxItems })
    return texts ?? (isNested ? columnsOf(only, `${before}${name}.`) : [before + name])
  })
}

const BOM = '\ufeff'
const booleans: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** Options of a file: parameters of its URL. */
export interface CsvOptions {
  /** Whether the file begins with a byte order mark, without which Excel does not read it as UTF-8. */
  readonly bom: boolean
  /** Whether the file begins with lines about the table: its period, filters and notes. */
  readonly about: boolean
}
export const plainCsv: CsvOptions = Object.freeze({ bom: false, about: false })

/**
 * Reads the options of a file, and deletes their parameters, which are not inputs of the operation. A parameter stays if its value
 * is neither true nor false.
 */
export function takeOptions(query: URLSearchParams): CsvOptions {
  const options = { ...plainCsv }
  for (const name of ['bom', 'about'] as const) {
    const given = query.getAll(name).at(-1)
    if (given === undefined || !Object.hasOwn(booleans, given)) continue
    options[name] = booleans[given] === true
    query.delete(name)
  }
  return options
}

/** Omits columns that no row has, such as figures that were not requested. */
export function csvOf({ field, columns }: CsvTable, { data, meta }: { data: unknown; meta?: unknown }, { bom, about }: CsvOptions): string {
  const rows = field === undefined ? listIn(data) : rowsIn(data, field)
  const isDivided = isObject(data) && partsOf(data).length > 0
  const comparisons = columns
    .map(name => `comparison.${name}`)
    .filter(name => !columns.includes(name) && rows.some(row => valueAt(row, name.split('.')) !== undefined))
  const paths = [...(isDivided ? ofDivision : []), ...columns, ...comparisons].map(name => name.split('.'))
  const shown = rows.length === 0 ? paths : paths.filter(path => rows.some(row => valueAt(row, path) !== undefined))
  const head = `${shown.map(path => path.join('.')).join(',')}\r\n`
  const lines = rows.map(row => `${shown.map(path => cellOf(valueAt(row, path))).join(',')}\r\n`)
  return [bom ? BOM : '', about ? linesAbout(isObject(data) ? data.period : undefined, meta) : '', head, ...lines].join('')
}

/** Columns that come first if the rows are divided. */
const ofDivision = ['value', 'label'] as const

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** The values of the dimension that divides a series, each with its points. */
const partsOf = ({ by }: Readonly<Record<string, unknown>>): readonly unknown[] => (isObject(by) ? listIn(by.rows) : [])

/**
 * The rows of a report. A series that is divided by a dimension has the points of each value one after another; each point of a
 * comparison follows in the row of its point.
 */
function rowsIn(data: unknown, field: string): readonly unknown[] {
  if (!isObject(data)) return []
  const rows = listIn(data[field])
  const parts = partsOf(data)
  if (parts.length > 0)
    return parts.filter(isObject).flatMap(part =>
      listIn(part[field])
        .filter(isObject)
        .map(point => ({ value: part.value, label: part.label, ...point })),
    )
  const compared = isObject(data.comparison) ? listIn(data.comparison[field]) : []
  return compared.length === rows.length ? rows.map((row, i) => (isObject(row) ? { ...row, comparison: compared[i] } : row)) : rows
}

/** A line for each fact, which begins with `#`: `# period,2026-03-01,2026-03-31`. Notes have a line each. */
function linesAbout(period: unknown, meta: unknown): string {
  const { notes = [], ...rest } = isObject(meta) ? meta : {}
  const days = isObject(period) && 'first_day' in period ? [['period', period.first_day, period.last_day]] : []
  const facts = Object.entries(rest).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
  const noteLines = Array.isArray(notes) ? notes.map(note => ['note', isObject(note) ? note.message : note]) : []
  return [...days, ...facts, ...noteLines].map(([name, ...values]) => `# ${String(name)},${values.map(cellOf).join(',')}\r\n`).join('')
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const name of path) {
    if (isObject(value)) value = value[name]
    else value = Array.isArray(value) ? value[Number(name)] : undefined
  }
  return value
}

/** Spreadsheets read a text that begins with these characters as a formula (owasp.org, CSV Injection). */
const formula = /^[=+\-@\t\r]/

function textOf(value: unknown): string {
  if (typeof value === 'string' || value instanceof Message) return String(value)
  const isTexts = Array.isArray(value) && value.every(each => typeof each !== 'object')
  return isTexts ? value.join('; ') : JSON.stringify(value)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = textOf(value)
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

/** Writes rows as CSV, NDJSON or Parquet, a piece at a time, so that memory stays flat. */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'

/** `time` is epoch ms, `json` a text of JSON in CSV and Parquet. */
export interface Column {
  readonly name: string
  readonly type: 'text' | 'int' | 'real' | 'flag' | 'time' | 'json'
}
/** By column; missing ones are empty. */
export type Cells = Readonly<Record<string, unknown>>

export interface RowWriter {
  write(rows: readonly Cells[]): Promise<void>
  close(): Promise<void>
}

export type Format = 'csv' | 'ndjson' | 'parquet'

/** @param raw leaves cells as they are that a spreadsheet would take for formulas */
export function openWriter(path: string, format: Format, columns: readonly Column[], { raw }: { raw: boolean }): RowWriter {
  if (format === 'parquet') return parquetWriter(path, columns)
  const file = createWriteStream(path, { mode: 0o600 })
  const failed = once(file, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {}) // told by the next write
  const put = async (text: string) => {
    if (!file.write(text)) await Promise.race([once(file, 'drain'), failed])
    await setImmediate()
  }
  const line = format === 'csv' ? (row: Cells) => csvLine(row, columns, raw) : (row: Cells) => ndjsonLine(row, columns)
  const header = format === 'csv' ? `${columns.map(({ name }) => name).join(',')}\n` : ''
  let begun = false
  return {
    async write(rows) {
      await put((begun ? '' : header) + rows.map(line).join(''))
      begun = true
    },
    async close() {
      if (!begun && header !== '') await put(header)
      file.end()
      await Promise.race([once(file, 'close'), failed])
    },
  }
}

function csvLine(row: Cells, columns: readonly Column[], raw: boolean): string {
  return `${columns.map(column => cell(row[column.name], column, raw)).join(',')}\n`
}

function cell(value: unknown, { type }: Column, raw: boolean): string {
  if (value === undefined || value === null) return ''
  if (type === 'time') return new Date(Number(value)).toISOString()
  if (type === 'json') return quoted(JSON.stringify(value))
  const text = String(value)
  return type === 'text' ? quoted(raw ? text : guarded(text)) : text
}

/** A quote in front makes a spreadsheet show a cell instead of running it; the importer takes it away again. */
const guarded = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function ndjsonLine(row: Cells, columns: readonly Column[]): string {
  const entries = columns.flatMap(({ name, type }) => {
    const value = row[name]
    if (value === undefined || value === null || value === '') return []
    return [[name, type === 'time' ? new Date(Number(value)).toISOString() : value] as const]
  })
  return `${JSON.stringify(Object.fromEntries(entries))}\n`
}

/** Rows of a group: encoding more in one turn would hold up the event loop. */
const GROUP = 1_000
const PARQUET = { text: 'STRING', json: 'STRING', int: 'INT64', real: 'DOUBLE', flag: 'BOOLEAN', time: 'TIMESTAMP' } as const

function parquetWriter(path: string, columns: readonly Column[]): RowWriter {
  const file = createWriteStream(path, { mode: 0o600 })
  const failed = once(file, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  const bytes = new ByteWriter()
  const flush = async () => {
    const piece = bytes.getBytes().slice()
    bytes.index = 0
    if (piece.length > 0 && !file.write(piece)) await Promise.race([once(file, 'drain'), failed])
    await setImmediate()
  }
  const dataOf = (rows: readonly Cells[]): ColumnSource[] =>
    columns.map(({ name, type }) => ({ name, type: PARQUET[type], nullable: true, data: rows.map(row => parquetValue(row[name], type)) }))
  const schema = schemaFromColumnData({ columnData: dataOf([]) })
  const parquet = new ParquetWriter({ writer: bytes, schema, createdBy: 'footfall' })
  let held: Cells[] = []
  const writeGroup = async (rows: readonly Cells[]) => {
    await parquet.write({ columnData: dataOf(rows).map(({ type: _, ...column }) => column), rowGroupSize: GROUP })
    await flush()
  }
  return {
    async write(rows) {
      held.push(...rows)
      while (held.length >= GROUP) {
        await writeGroup(held.slice(0, GROUP))
        held = held.slice(GROUP)
      }
    },
    async close() {
      if (held.length > 0) await writeGroup(held)
      await parquet.finish()
      await flush()
      file.end()
      await Promise.race([once(file, 'close'), failed])
    },
  }
}

function parquetValue(value: unknown, type: Column['type']): unknown {
  if (value === undefined || value === null) return null
  if (type === 'time') return new Date(Number(value))
  if (type === 'int') return BigInt(Number(value))
  if (type === 'json') return JSON.stringify(value)
  return value
}

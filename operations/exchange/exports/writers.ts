/** Writes rows as CSV, NDJSON or Parquet, in batches, so that memory use stays constant. */
import { giveWay } from '../../../storage/system/event-loop.ts'
import type { Cells, Column, RowWriter } from './row-writer.ts'
import type { Sink } from './sinks.ts'

/** Byte order mark. */
const BOM = '\ufeff'

export type Format = 'csv' | 'ndjson' | 'parquet'

interface OpenWriter {
  readonly sink: Sink
  readonly format: Format
  readonly columns: readonly Column[]
  readonly raw: boolean
  readonly bom: boolean
}

/**
 * @param raw keeps cells unchanged that a spreadsheet would run as formulas
 * @param bom begins a CSV with a byte order mark, without which Excel does not read it as UTF-8
 */
export async function openWriter({ sink, format, columns, raw, bom }: OpenWriter): Promise<RowWriter> {
  if (format === 'parquet') return (await import('./parquet.ts')).parquetWriter(sink, columns)
  const put = async (text: string) => {
    await sink.write(Buffer.from(text))
    await giveWay()
  }
  const line = format === 'csv' ? (row: Cells) => csvLine(row, columns, raw) : (row: Cells) => ndjsonLine(row, columns)
  const header = format === 'csv' ? `${bom ? BOM : ''}${columns.map(({ name }) => name).join(',')}\n` : ''
  let begun = false
  return {
    async write(rows) {
      await put((begun ? '' : header) + rows.map(line).join(''))
      begun = true
    },
    async close() {
      if (!begun && header !== '') await put(header)
      await sink.close()
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

/** A quote in front makes a spreadsheet show a cell instead of running it; the importer removes it. */
const guarded = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function ndjsonLine(row: Cells, columns: readonly Column[]): string {
  const entries: string[] = []
  for (const { name, type } of columns) {
    const value = row[name]
    if (value === undefined || value === null || value === '') continue
    entries.push(`${JSON.stringify(name)}:${JSON.stringify(type === 'time' ? new Date(Number(value)) : value)}`)
  }
  return `{${entries.join(',')}}\n`
}

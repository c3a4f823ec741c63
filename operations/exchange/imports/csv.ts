/** Comma-separated values with a header: each row as an object by column name; blank lines are skipped. */
import { blankOf } from '../../../runtime/values/blank-record.ts'
import { type CsvRow, csvRows } from './csv-rows.ts'
import type { Recorded } from './record.ts'

export interface CsvOptions {
  /** Without one, the header decides. */
  readonly delimiter?: string | undefined
  readonly skip: number
  onHeader(columns: readonly string[]): void
  cleaned?(value: string): string
}
const asIs = (value: string): string => value

/**
 * @param texts pieces of the file, cut anywhere but within a character
 * @param options.skip number of records to skip at the beginning
 * @param options.onHeader receives the columns before any record; may throw
 * @param options.cleaned cleans each value
 * @returns the records of each piece
 * @throws Error if the header is unusable
 */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  { delimiter, skip, onHeader, cleaned = asIs }: CsvOptions,
): AsyncGenerator<Recorded[]> {
  let recorded: ((row: CsvRow) => Recorded) | undefined
  let records = 0

  function* recordsIn(rows: readonly CsvRow[]): Generator<Recorded> {
    for (const row of rows) {
      if (isBlank(row)) continue
      if (!recorded) {
        const columns = headerOf(row)
        onHeader(columns)
        recorded = recorder(columns, cleaned)
      } else if (records++ >= skip) yield recorded(row)
    }
  }

  for await (const rows of csvRows(texts, delimiter)) yield [...recordsIn(rows)]
  if (!recorded) throw new Error('The file is empty: a CSV begins with a header')
}

const isBlank = (row: CsvRow): boolean => 'values' in row && row.values.length === 1 && row.values[0]?.trim() === ''

function headerOf(row: CsvRow): readonly string[] {
  if ('fault' in row) throw new Error(`The header cannot be read: ${row.fault}`)
  const columns = row.values.map(value => value.trim())
  const twice = columns.find((name, i) => columns.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`The header has the column “${twice}” twice`)
  return columns
}

function recorder(columns: readonly string[], cleaned: (value: string) => string): (row: CsvRow) => Recorded {
  const blank: Record<string, string> = blankOf(columns, '')
  return row => {
    if ('fault' in row) return row
    const { line, lines, values } = row
    if (values.length === columns.length) {
      const record = { ...blank }
      for (let i = 0; i < columns.length; i++) record[columns[i] ?? ''] = cleaned(values[i] ?? '')
      return { line, record }
    }
    const fault = `the record has ${values.length} fields, the header ${columns.length}`
    const text = values.join(',')
    return { line, text, fault: lines === 1 ? fault : `lines ${line} to ${line + lines - 1}: ${fault}` }
  }
}

/** Removes the quote with which an export keeps spreadsheets from running a text as a formula. */
export const unguarded = (text: string): string => (text.startsWith("'") ? text.replace(/^'(?='*[=+\-@\t\r])/, '') : text)

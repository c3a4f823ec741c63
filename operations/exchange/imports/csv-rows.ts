/**
 * Reads the rows of a CSV. If a record cannot be read, or a wrong quote would join several lines, only the first of its lines
 * is refused, and reading continues with the next line.
 */
import { recordScanner, type Scan } from './csv-record.ts'
import { MAX_LENGTH } from './record.ts'

/** A row, or a refused line. `line` counts from 1. A row has several `lines` if a quoted field contains line breaks. */
export type CsvRow =
  | { readonly line: number; readonly lines: number; readonly values: readonly string[] }
  | { readonly line: number; readonly fault: string }

/**
 * @param texts pieces of the file, cut anywhere but within a character
 * @param delimiter defaults to the one of the header: a comma, otherwise a semicolon, otherwise a tab
 * @returns the rows that end in each piece; a blank line is a row with one blank value
 */
export async function* csvRows(texts: AsyncIterable<string>, delimiter?: string): AsyncGenerator<CsvRow[]> {
  let scan: Scan | undefined = delimiter === undefined ? undefined : recordScanner(delimiter)
  /** Text after the last complete row. */
  let rest = ''
  let line = 1
  /** Whether the end of a refused line has not been read yet. */
  let isInRefusedLine = false

  function rowsIn(text: string, isLast: boolean): CsvRow[] {
    const rows: CsvRow[] = []
    let from = 0
    if (!scan) {
      const header = firstLine(text, isLast)
      rest = text
      if (header === undefined) return rows
      scan = recordScanner(delimiterOf(header))
    }
    function skipLine() {
      const end = text.indexOf('\n', from)
      isInRefusedLine = end === -1
      if (!isInRefusedLine) line++
      from = isInRefusedLine ? text.length : end + 1
    }
    if (isInRefusedLine) skipLine()
    while (from < text.length) {
      const scanned = scan(text, from, isLast)
      if (scanned === 'more') break
      if ('fault' in scanned) {
        rows.push({ line, fault: scanned.fault })
        skipLine()
      } else {
        rows.push({ line, lines: scanned.lines, values: scanned.values })
        line += scanned.lines
        from = scanned.next
      }
    }
    rest = text.slice(from)
    return rows
  }

  for await (const text of texts) yield rowsIn(rest + text, false)
  yield rowsIn(rest, true)
}

/** @returns at most `MAX_LENGTH` characters of the first line that is not blank; undefined if the text does not contain its end yet */
function firstLine(text: string, isLast: boolean): string | undefined {
  const begun = text.trimStart()
  const end = begun.indexOf('\n')
  return end === -1 && !isLast && text.length <= MAX_LENGTH ? undefined : begun.slice(0, end === -1 ? MAX_LENGTH : end)
}

/** Finds the delimiter of a header. Spreadsheets write semicolons in languages that separate decimals with a comma. */
function delimiterOf(header: string): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, '')
  return [',', ';', '\t'].find(each => unquoted.includes(each)) ?? ','
}

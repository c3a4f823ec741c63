/**
 * The rows of a CSV. When a record cannot be read, or a wrong quote would join several lines, only the first of its lines
 * is refused, and reading goes on with the next.
 */
import { recordScanner, type Scan } from './csv-record.ts'
import { MAX_LENGTH } from './record.ts'

/** Lines count from 1; a row spans several if a quoted field does. */
export type CsvRow =
  | { readonly line: number; readonly lines: number; readonly values: readonly string[] }
  | { readonly line: number; readonly fault: string }

/**
 * @param texts pieces of the file, cut anywhere but within a character
 * @param delimiter without one, the header's: a comma, or a semicolon or tab if it has no comma
 * @returns the rows that end in each piece; a blank line is a row with one blank value
 */
export async function* csvRows(texts: AsyncIterable<string>, delimiter?: string): AsyncGenerator<CsvRow[]> {
  let scan: Scan | undefined = delimiter === undefined ? undefined : recordScanner(delimiter)
  /** Text after the last complete row. */
  let rest = ''
  let line = 1
  /** Whether a line was refused before its end was read. */
  let givenUp = false

  function rowsIn(text: string, isLast: boolean): CsvRow[] {
    const rows: CsvRow[] = []
    let from = 0
    if (!scan) {
      const header = firstLine(text, isLast)
      rest = text
      if (header === undefined) return rows
      scan = recordScanner(delimiterOf(header))
    }
    function giveUpLine() {
      const end = text.indexOf('\n', from)
      givenUp = end === -1
      if (!givenUp) line++
      from = givenUp ? text.length : end + 1
    }
    if (givenUp) giveUpLine()
    while (from < text.length) {
      const scanned = scan(text, from, isLast)
      if (scanned === 'more') break
      if ('fault' in scanned) {
        rows.push({ line, fault: scanned.fault })
        giveUpLine()
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

/** The first line that is not blank, as far as it is within `MAX_LENGTH`; undefined if the text does not contain its end yet. */
function firstLine(text: string, isLast: boolean): string | undefined {
  const begun = text.trimStart()
  const end = begun.indexOf('\n')
  return end === -1 && !isLast && text.length <= MAX_LENGTH ? undefined : begun.slice(0, end === -1 ? MAX_LENGTH : end)
}

/** Spreadsheets write semicolons where a comma separates decimals. */
function delimiterOf(header: string): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, '')
  return [',', ';', '\t'].find(each => unquoted.includes(each)) ?? ','
}

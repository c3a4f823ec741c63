/**
 * The rows of a CSV (RFC 4180), read by csv-parse in relaxed mode: a quote in the middle of a field is an ordinary
 * character. When the library cannot read a record, or a wrong quote would join several lines, only the first of its
 * lines is refused, and parsing starts again behind it.
 *
 * The parser stops at an error instead of skipping it: `skip_records_with_error` would lose the rest of the file after
 * a record longer than `max_record_size`. Lines are counted here, because `info.lines` counts CR LF within quotes
 * twice.
 */
import { CsvError, parse, type Parser } from 'csv-parse'
import { LONGEST } from './record.ts'

/** Lines count from 1; a row spans several if a quoted field does. */
export type CsvRow =
  | { readonly line: number; readonly lines: number; readonly values: readonly string[] }
  | { readonly line: number; readonly fault: string }

/** Most bytes of UTF-8 for one UTF-16 unit. */
const UNIT = 3

const tooLong = `the record is longer than ${LONGEST} characters`

/** Fault messages by the library's error code. @param raw the record, possibly with what follows it */
const faults = new Map<string, (raw: Buffer) => string>([
  ['CSV_MAX_RECORD_SIZE', raw => (raw.subarray(0, LONGEST).includes('\n') ? `${tooLong}: a quote may not be closed` : tooLong)],
  ['CSV_QUOTE_NOT_CLOSED', () => 'a quote is never closed'],
])

/**
 * @param texts pieces of the file, cut anywhere but within a character
 * @returns the rows that end in each piece; a blank line is a row with one blank value
 */
export async function* csvRows(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow[]> {
  let found: CsvRow[] = []
  /** Bytes passed to the parser since the last complete row. */
  let held = Buffer.alloc(0)
  let line = 1
  /** Whether the input is still inside a refused line. */
  let givenUp = false
  /** From the first fault on each field is checked as it ends: slower, but needed if every line has a wrong quote. */
  let isBroken = false
  let parser = rowParser()

  function rowParser(): Parser {
    let taken = 0
    return parse({
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n'],
      max_record_size: LONGEST * UNIT,
      cast: isBroken ? (value, { bytes }) => closed(value, held.subarray(0, bytes - taken)) : false,
      on_record(values: string[], { bytes }) {
        const raw = held.subarray(0, bytes - taken)
        const text = raw.toString()
        if (text.length > LONGEST) throw new CsvError('CSV_MAX_RECORD_SIZE', '')
        for (const value of values) closed(value, raw)
        const ends = text.split('\n').length - 1
        found.push({ line, lines: text.endsWith('\n') ? ends : ends + 1, values })
        line += ends
        held = held.subarray(raw.length)
        taken = bytes
        return undefined // collected above, with its line numbers
      },
    }).on('error', () => {}) // `written` reports the error
  }

  function giveUpLine(): void {
    const end = held.indexOf('\n')
    givenUp = end === -1
    if (!givenUp) line++
    held = held.subarray(givenUp ? held.length : end + 1)
  }

  async function give(piece: Buffer, isLast: boolean): Promise<void> {
    held = Buffer.concat([held, piece])
    if (givenUp) giveUpLine()
    for (let next = held.subarray(Math.max(0, held.length - piece.length)); ; next = held) {
      const fault = await faultAfter(parser, next, isLast)
      if (fault === undefined) return
      found.push({ line, fault })
      giveUpLine()
      isBroken = true
      parser = rowParser()
    }
  }

  async function faultAfter(parser: Parser, piece: Buffer, isLast: boolean): Promise<string | undefined> {
    try {
      await written(parser, piece, isLast)
      // The library limits the length of fields only; this limits endless delimiters.
      if (held.length > LONGEST * (UNIT + 1)) throw new CsvError('CSV_MAX_RECORD_SIZE', '')
      return undefined
    } catch (error) {
      const fault = error instanceof CsvError ? faults.get(error.code) : undefined
      if (fault === undefined) throw error
      return fault(held)
    }
  }

  for await (const text of texts) {
    await give(Buffer.from(text), false)
    yield found
    found = []
  }
  await give(Buffer.alloc(0), true)
  yield found
}

/**
 * In relaxed mode, a field whose quote is closed by the opening quote of a later field contains both fields and the
 * lines between.
 * @param raw the record that contains the field, which must have it quoted, with inner quotes doubled
 * @throws CsvError if it does not
 */
function closed(value: string, raw: Buffer): string {
  const runsOn = value.startsWith('"') && value.includes('\n')
  if (runsOn && !raw.includes(`"${value.replaceAll('"', '""')}"`)) throw new CsvError('CSV_QUOTE_NOT_CLOSED', '')
  return value
}

function written(parser: Parser, piece: Buffer, isLast: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    if (isLast) parser.end(piece, done)
    else parser.write(piece, done)
  })
}

/**
 * The rows of a CSV (RFC 4180), read by csv-parse in relaxed manner: a quote in the middle of a field is itself. What
 * the library cannot read, or would run together over lines because of a wrong quote, costs the line it begins on:
 * reading begins again behind that.
 *
 * The library is told to stop at an error, not to skip it: its `skip_records_with_error` loses the rest of the file
 * after a record of more than `max_record_size`. Lines are counted here: its `info.lines` takes CR LF within quotes for
 * two.
 */
import { CsvError, parse, type Parser } from 'csv-parse'
import { LONGEST } from './record.ts'

/** Lines count from 1; a row has more than one where a quoted field has. */
export type CsvRow =
  | { readonly line: number; readonly lines: number; readonly values: readonly string[] }
  | { readonly line: number; readonly fault: string }

/** What a character takes in UTF-8 at most, for each of its UTF-16 units. */
const UNIT = 3

const tooLong = `the record is longer than ${LONGEST} characters`

/** What is wrong, by the library's code. @param raw the record, and maybe more */
const faults = new Map<string, (raw: Buffer) => string>([
  ['CSV_MAX_RECORD_SIZE', raw => (raw.subarray(0, LONGEST).includes('\n') ? `${tooLong}: a quote may not be closed` : tooLong)],
  ['CSV_QUOTE_NOT_CLOSED', () => 'a quote is never closed'],
])

/**
 * @param texts pieces of the file, cut anywhere but within a character
 * @returns the rows that end in each piece; a blank line is a row of one blank value
 */
export async function* csvRows(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow[]> {
  let found: CsvRow[] = []
  /** What the parser was given behind the last whole row. */
  let held = Buffer.alloc(0)
  let line = 1
  /** Whether what comes next is the end of a line that was given up. */
  let givenUp = false
  /** From the first fault on each field is looked at as it ends: slower, but for a file whose every line runs on. */
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
        return undefined // handed over already, with its place
      },
    }).on('error', () => {}) // whoever writes hears of it
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
      // The library's limit is of what is in the fields: delimiters without end are found out here.
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
 * Read relaxed, a field whose quote is closed only by the opening one of another field has both, and lines between.
 * @param raw what it stands in: as it should be, quoted and with the quotes within written twice
 * @throws CsvError where it does not
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

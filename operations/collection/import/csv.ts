/**
 * Comma-separated values (RFC 4180) with a header. Read by hand for the sake of broken files: a wrong quote costs the
 * line it stands on, where a general parser takes everything up to the next quote for one field.
 */
import { LONGEST, type Recorded } from './record.ts'

/** A record, or what is wrong with it, and where the next one begins. */
type Cut =
  | { readonly values: readonly string[]; readonly end: number }
  | { readonly fault: string; readonly end: number }

/**
 * @param texts pieces of the file, cut anywhere
 * @param options.skip records at the beginning that are not wanted
 * @param options.onHeader hears the columns before any record; may throw
 * @returns the records of each piece
 * @throws Error for a header that will not do
 */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  { delimiter, skip, onHeader }: { delimiter: string; skip: number; onHeader(columns: readonly string[]): void },
): AsyncGenerator<Recorded[]> {
  let columns: readonly string[] | undefined
  let line = 1
  let records = 0
  let rest = ''
  /** Whether what comes next is the end of a line that was given up. */
  let givenUp = false

  function* recordsIn(text: string, isLast: boolean): Generator<Recorded> {
    let from = givenUp ? lineEnd(text, 0) : 0
    line += lineEnds(text, 0, from)
    givenUp &&= text[from - 1] !== '\n'
    while (from < text.length) {
      const cut = cutRecord(text, from, delimiter, isLast)
      if (!cut) break
      const [begin, at] = [from, line]
      from = cut.end
      line += lineEnds(text, begin, from)
      givenUp = 'fault' in cut && text[from - 1] !== '\n'
      if (isBlank(cut)) continue
      if (!columns) onHeader(columns = headerOf(cut))
      else if (records++ >= skip) yield recorded(cut, columns, at)
    }
    rest = text.slice(from)
  }

  for await (const text of texts) yield [...recordsIn(rest + text, false)]
  yield [...recordsIn(rest, true)]
  if (!columns) throw new Error('The file is empty: a CSV begins with a header')
}

/** Undefined where the text ends before the record does. */
function cutRecord(text: string, from: number, delimiter: string, isLast: boolean): Cut | undefined {
  const values: string[] = []
  for (let at = from; ;) {
    const field = text[at] === '"' ? quoted(text, at) : plain(text, at, delimiter)
    if (field === 'open' && !isLast && text.length - from <= LONGEST) return undefined
    if (field === 'open') return skipLine(text, from, 'a quote is never closed')
    values.push(field.value)
    const hasReturn = text[field.end] === '\r' && ['\n', undefined].includes(text[field.end + 1])
    const end = hasReturn ? field.end + 1 : field.end
    if (end >= text.length) return isLast ? { values, end: text.length } : tooLong(text, from)
    if (end - from > LONGEST) return skipLine(text, from, tooLongFault)
    if (text[end] === '\n') return { values, end: end + 1 }
    if (text[field.end] !== delimiter) return skipLine(text, from, 'something follows the closing quote of a field')
    at = field.end + 1
  }
}

interface FieldCut {
  readonly value: string
  /** Where what follows it stands. */
  readonly end: number
}

/** A quote within is written twice. */
function quoted(text: string, at: number): FieldCut | 'open' {
  let close = text.indexOf('"', at + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) return 'open'
  return { value: text.slice(at + 1, close).replaceAll('""', '"'), end: close + 1 }
}

/** A quote in the middle of it is itself. */
function plain(text: string, at: number, delimiter: string): FieldCut {
  let end = at
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++
  if (end > at && text[end - 1] === '\r' && (text[end] === '\n' || end === text.length)) end--
  return { value: text.slice(at, end), end }
}

const tooLongFault = `the record is longer than ${LONGEST} characters`

function tooLong(text: string, from: number): Cut | undefined {
  return text.length - from > LONGEST ? skipLine(text, from, tooLongFault) : undefined
}

/** What a broken record was cannot be known: its first line is given up, and the next is read as one of its own. */
function skipLine(text: string, from: number, fault: string): Cut {
  return { fault, end: lineEnd(text, from) }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

const isBlank = (cut: Cut): boolean => 'values' in cut && cut.values.length === 1 && cut.values[0]?.trim() === ''

function headerOf(cut: Cut): readonly string[] {
  if ('fault' in cut) throw new Error(`The header cannot be read: ${cut.fault}`)
  const columns = cut.values.map(value => value.trim())
  const twice = columns.find((name, i) => columns.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`The header has the column ${twice} twice`)
  return columns
}

function recorded(cut: Cut, columns: readonly string[], line: number): Recorded {
  if ('fault' in cut) return { line, fault: cut.fault }
  const { values } = cut
  if (values.length !== columns.length) {
    return { line, fault: `the record has ${values.length} fields, the header ${columns.length}` }
  }
  return { line, record: Object.fromEntries(columns.map((name, i) => [name, values[i]])) }
}

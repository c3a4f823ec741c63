/** Reads files in UTF-8 or UTF-16 as text and finds lines that are not UTF-8. These are refused, because their content is unknown. */
import { isUtf8 } from 'node:buffer'
import { MAX_LENGTH, type Recorded } from './record.ts'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * Pieces of text without a byte order mark, cut between lines unless a line is too long.
 * @param invalid receives the numbers of lines that are not UTF-8, before the piece with these lines
 */
export async function* decoded(pieces: AsyncIterable<Uint8Array>, invalid: Set<number> = new Set()): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = Buffer.alloc(0)
  let line = 1

  function textOf(bytes: Buffer): string {
    const isWhole = isUtf8(bytes)
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(LINE_FEED, from)
      const to = end === -1 ? bytes.length : end
      if (!isWhole && !isUtf8(bytes.subarray(from, to))) invalid.add(line)
      if (end !== -1) line++
      from = to + 1
    }
    return decoder.decode(bytes, { stream: true })
  }

  for await (const piece of withLineFeeds(asUtf8(pieces))) {
    const held = Buffer.concat([rest, piece])
    const end = held.lastIndexOf(LINE_FEED) + 1
    const to = end === 0 && held.length > MAX_LENGTH * 4 ? lastCharacter(held) : end
    rest = held.subarray(to)
    if (to > 0) yield textOf(held.subarray(0, to))
  }
  yield textOf(rest)
  yield decoder.decode()
}

/** Spreadsheets on a Mac save CSV whose lines end in a carriage return without a line feed. */
async function* withLineFeeds(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasReturns: boolean | undefined
  let beginning: Uint8Array = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = hasReturns === undefined ? Buffer.concat([beginning, piece]) : piece
    if (hasReturns === undefined) {
      beginning = bytes
      hasReturns = endsInReturns(bytes, bytes.length >= MAX_LENGTH)
      if (hasReturns === undefined) continue
    }
    yield hasReturns ? returnsReplaced(bytes) : bytes
  }
  if (hasReturns === undefined) yield endsInReturns(beginning, true) ? returnsReplaced(beginning) : beginning
}

/**
 * Whether lines end in a carriage return only, judged by the beginning of a file.
 * @param isEnough the file is not longer, or its beginning is long enough to judge
 * @returns undefined if more of the file is needed
 */
function endsInReturns(bytes: Uint8Array, isEnough: boolean): boolean | undefined {
  const unquoted = Buffer.from(bytes.subarray(0, MAX_LENGTH))
    .toString('latin1')
    .replaceAll(/"[^"]*(?:"|$)/g, '')
  if (unquoted.includes('\n')) return false
  return isEnough ? unquoted.includes('\r') : undefined
}

const returnsReplaced = (bytes: Uint8Array): Uint8Array => bytes.map(byte => (byte === CARRIAGE_RETURN ? LINE_FEED : byte))

/** Spreadsheets save “Unicode text” in UTF-16, with its mark at the beginning. */
async function* asUtf8(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | 'none' | undefined
  let beginning: Uint8Array = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = decoder === undefined ? Buffer.concat([beginning, piece]) : piece
    if (decoder === undefined) {
      beginning = bytes
      if (bytes.length < 2) continue
      decoder = utf16Of(bytes)
    }
    yield decoder === 'none' ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }))
  }
  if (decoder === undefined) yield beginning
  else if (decoder !== 'none') yield Buffer.from(decoder.decode())
}

function utf16Of([first, second]: Uint8Array): TextDecoder | 'none' {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : 'none'
}

/** The beginning of the last character, which may not be whole yet. */
function lastCharacter(bytes: Buffer): number {
  let at = bytes.length - 1
  while (at > bytes.length - 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

/** Replaces records that begin in a line that is not UTF-8 by a fault. */
export async function* withoutInvalidLines(
  records: AsyncIterable<readonly Recorded[]>,
  invalid: Set<number>,
): AsyncGenerator<readonly Recorded[]> {
  for await (const piece of records) {
    yield invalid.size === 0 ? piece : piece.map(each => (invalid.has(each.line) ? refused(each) : each))
    invalid.clear()
  }
}

function refused(recorded: Recorded): Recorded {
  if ('fault' in recorded) return recorded
  return { line: recorded.line, fault: 'the line is not UTF-8', text: JSON.stringify(recorded.record) }
}

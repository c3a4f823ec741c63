/** JSON lines (ndjson.org): one object per line; blank lines are skipped. */
import { isObject } from '../../../runtime/values/json.ts'
import { isTooDeep, tooDeep } from './nesting.ts'
import { MAX_LENGTH, NOT_JSON, type Recorded } from './record.ts'

/**
 * @param texts pieces of the file, cut anywhere
 * @param skip number of records to skip at the beginning; they are not parsed
 * @returns the records of each piece
 */
export async function* jsonLines(texts: AsyncIterable<string>, skip: number): AsyncGenerator<Recorded[]> {
  let line = 0
  let records = 0
  let rest = ''
  let tooLong = false

  function recordsIn(lines: readonly string[]): Recorded[] {
    const found: Recorded[] = []
    for (const text of lines) {
      line++
      const isTail = tooLong
      tooLong = false
      if (isTail || text.trim() === '') continue
      if (records++ >= skip) found.push(recorded(text, line))
    }
    return found
  }

  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const found = recordsIn(lines)
    if (rest.length > MAX_LENGTH) {
      if (!tooLong && records++ >= skip) found.push({ line: line + 1, fault: tooLongFault })
      tooLong = true
      rest = ''
    }
    yield found
  }
  yield recordsIn([rest])
}

const tooLongFault = `the line is longer than ${MAX_LENGTH} characters`

function recorded(text: string, line: number): Recorded {
  if (text.length > MAX_LENGTH) return { line, fault: tooLongFault }
  if (isTooDeep(text)) return { line, fault: tooDeep, text }
  try {
    const record: unknown = JSON.parse(text)
    return isObject(record) ? { line, record } : { line, fault: 'the line must be a JSON object', text }
  } catch {
    return { line, fault: `the line ${NOT_JSON}`, text }
  }
}

/** Lines of a server's log, in any of the formats that are read for crawlers too. */
import { logReader, MAX_LINE_LENGTH } from '../../sites/crawlers/index.ts'
import type { Recorded } from './record.ts'

/**
 * @param texts pieces of the file, cut anywhere
 * @param skip number of records to skip at the beginning; comments among them still name the fields
 */
export async function* logLines(texts: AsyncIterable<string>, skip: number): AsyncGenerator<Recorded[]> {
  const read = logReader()
  let [line, records] = [0, 0]
  let [rest, isTail] = ['', false]

  function recorded(text: string): Recorded[] {
    line++
    const isTooLong = isTail || text.length > MAX_LINE_LENGTH
    isTail = false
    const trimmed = isTooLong ? '' : text.trim()
    if (!isTooLong && trimmed === '') return []
    if (records >= skip || trimmed.startsWith('#')) {
      const request = isTooLong ? undefined : read(trimmed)
      if (request === null) return []
      if (records++ < skip) return []
      return [request ? { line, record: { ...request } } : { line, fault: NO_LOG_LINE, text: text.slice(0, MAX_LINE_LENGTH) }]
    }
    records++
    return []
  }

  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield lines.flatMap(recorded)
    if (rest.length > MAX_LINE_LENGTH) [rest, isTail] = ['', true]
  }
  if (rest !== '' || isTail) yield recorded(rest)
}

/** The fault of a line of another file. */
export const NO_LOG_LINE = 'the line is not a line of a server log'

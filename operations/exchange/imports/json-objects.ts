/**
 * JSON objects, consecutive or in an array, each parsed separately, so that a file of any size is read in pieces. Invalid
 * JSON is refused, and reading continues with the next object at the outer level.
 */
import { isObject } from '../../../runtime/values/json.ts'
import { isTooDeep, tooDeep } from './nesting.ts'
import { NOT_JSON, type Recorded } from './record.ts'

/** Longest object, in characters: a visit with thousands of actions. */
const MAX_LENGTH = 4 * 1024 * 1024

/**
 * @param texts pieces of the file, cut anywhere
 * @param skip number of objects to skip at the beginning; they are not parsed
 * @returns the objects that end in each piece; `line` is the line where an object begins
 */
export async function* jsonObjects(texts: AsyncIterable<string>, skip: number): AsyncGenerator<Recorded[]> {
  let [line, began, depth, objects] = [1, 1, 0, 0]
  let [inText, escaped, tooLong] = [false, false, false]
  let held = ''

  for await (const text of texts) {
    const found: Recorded[] = []
    let start = depth > 0 ? 0 : -1
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === 10) line++
      if (inText) {
        if (escaped) escaped = false
        else if (code === 92) escaped = true
        else if (code === 34) inText = false
      } else if (code === 34) inText = depth > 0
      else if (code === 123) {
        if (depth++ === 0) [start, began] = [i, line]
      } else if (code === 125 && depth > 0 && --depth === 0) {
        const whole = held + text.slice(start, i + 1)
        if (objects++ >= skip) found.push(tooLong || whole.length > MAX_LENGTH ? { line: began, fault } : recorded(whole, began))
        held = ''
        start = -1
        tooLong = false
      }
    }
    if (depth > 0) held += text.slice(start)
    if (held.length > MAX_LENGTH) [held, tooLong] = ['', true]
    yield found
  }
  if (depth > 0 && objects >= skip) yield [{ line: began, fault: 'the object does not end' }]
}

const fault = `the object is longer than ${MAX_LENGTH} characters`

function recorded(text: string, line: number): Recorded {
  if (isTooDeep(text)) return { line, fault: tooDeep, text }
  try {
    const record: unknown = JSON.parse(text)
    return isObject(record) ? { line, record } : { line, fault: 'this must be a JSON object' }
  } catch {
    return { line, fault: `this ${NOT_JSON}` }
  }
}

/**
 * JSON as others send it. A megabyte of it can be half a million lists in each other, which takes JSON.parse 150 ms and
 * everybody after it as long: how much there is, and how deep, is looked at in the text first, in a millisecond or two.
 */
import { fail } from './errors.ts'

/** Lists, objects and what stands after a comma; a batch of 1,000 hits with 30 properties each has fewer. */
const mostParts = 60_000
/** Some more than an input may have: what an adapter wraps around it. */
const mostLevels = 48

/** Whether a decoded value is what JSON calls an object: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws SyntaxError where it is no JSON, Failure `invalid_json` where it is too much of it */
export function parseJson(text: string): unknown {
  let parts = 1
  let levels = 0
  const structure = /["[\]{},]/g // a search of the engine's own: a loop over a megabyte takes as long as JSON.parse
  while (structure.test(text)) {
    switch (text[structure.lastIndex - 1]) {
      case '"': {
        const end = endOfText(text, structure.lastIndex)
        if (end < 0) return JSON.parse(text) // says that it has no end
        structure.lastIndex = end + 1
        break
      }
      case '[':
      case '{':
        if (++levels > mostLevels) fail('invalid_json', `The input nests deeper than ${mostLevels} levels.`)
        parts++
        break
      case ']':
      case '}':
        levels--
        break
      default:
        parts++
    }
    if (parts > mostParts) fail('invalid_json', `The input has more than ${mostParts} parts.`)
  }
  return JSON.parse(text)
}

/** Where the text ends whose first character is here; -1 where it does not. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at // after an odd number of them a quote is part of the text
  }
  return -1
}

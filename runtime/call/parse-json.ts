/**
 * Parses untrusted JSON. A megabyte can contain half a million nested lists, or sixty thousand distinct keys, for which
 * JSON.parse needs 150 ms and blocks everything else: so its size and depth are measured on the text first, in a
 * millisecond or two.
 */
import { setImmediate } from 'node:timers/promises'
import { fail } from '../table/errors.ts'

/** Most lists, objects and commas; a batch of 1,000 hits with 30 properties each has fewer. */
const maxParts = 60_000
/** Most keys in a text or in an item of a list; no input of ours has half as many. Each new one takes a microsecond. */
const maxKeys = 10_000
/** More than an input may have, because adapters wrap it. */
const maxLevels = 48
/** Keys to parse before yielding to the event loop. */
const keysAtOnce = 2_000

/** @throws SyntaxError if it is not JSON, Failure `invalid_json` if there is too much of it */
export function parseJson(text: string): unknown {
  if (!isPlain(text)) look(text)
  return JSON.parse(text)
}

/** Texts of so few characters are within the limits but for their levels. */
const fewCharacters = 1_000
/** Whether a short text, as most hits are, has no more levels than brackets, nor more brackets than levels are allowed. */
function isPlain(text: string): boolean {
  if (text.length > fewCharacters) return false
  let brackets = 0
  for (const bracket of ['{', '[']) for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) brackets++
  return brackets <= maxLevels
}

/**
 * Like `parseJson`, for a list that may be long: the limit on keys applies to each item, and parsing yields to the
 * event loop in between.
 */
export async function parseJsonList(text: string): Promise<unknown> {
  if (!/^\s*\[/.test(text)) return parseJson(text)
  const pieces = look(text, true)
  const [start, end] = [text.indexOf('[') + 1, text.lastIndexOf(']')]
  if (pieces.length === 0 || text.slice(end + 1).trim() !== '') return JSON.parse(text)
  const items: unknown[] = []
  for (const [i, to] of [...pieces, end].entries()) {
    const piece = text.slice(i === 0 ? start : (pieces[i - 1] ?? 0) + 1, to)
    const parsed: unknown = JSON.parse(`[${piece}]`)
    if (!Array.isArray(parsed) || parsed.length === 0) throw new SyntaxError('Unexpected token , in JSON')
    items.push(...(parsed as unknown[]))
    await setImmediate()
  }
  return items
}

/** Measures the text. @returns positions of commas in a list at which to cut it into pieces with few keys */
function look(text: string, isList = false): number[] {
  const cuts: number[] = []
  let parts = 1
  let levels = 0
  let keys = 0
  /** Keys before the current item of a list, since the last cut. */
  let before = 0
  const structure = /["[\]{},:]/g // a native search: a loop over a megabyte takes as long as JSON.parse
  while (structure.test(text)) {
    switch (text[structure.lastIndex - 1]) {
      case '"': {
        const end = endOfText(text, structure.lastIndex)
        if (end < 0) return [] // JSON.parse reports the missing end
        structure.lastIndex = end + 1
        break
      }
      case '[':
      case '{':
        if (++levels > maxLevels) fail('invalid_json', `The input nests deeper than ${maxLevels} levels.`)
        parts++
        break
      case ']':
      case '}':
        levels--
        break
      case ':':
        keys++
        break
      default:
        parts++
        if (!isList || levels !== 1) break
        before = keys
        if (keys < keysAtOnce) break
        cuts.push(structure.lastIndex - 1)
        keys = before = 0
    }
    if (parts > maxParts) fail('invalid_json', `The input has more than ${maxParts} parts.`)
    if (keys - before > maxKeys) fail('invalid_json', `The input has more than ${maxKeys} fields.`)
  }
  return cuts
}

/** Position of the closing quote; -1 without one. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at // after an odd number of them the quote is escaped
  }
  return -1
}

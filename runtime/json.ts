/**
 * JSON as others send it. A megabyte of it can be half a million lists in each other, or sixty thousand keys that no
 * other JSON had, which take JSON.parse 150 ms and everybody after it as long: how much there is, and how deep, is
 * looked at in the text first, in a millisecond or two.
 */
import { setImmediate } from 'node:timers/promises'
import { fail } from './errors.ts'

/** Lists, objects and what stands after a comma; a batch of 1,000 hits with 30 properties each has fewer. */
const mostParts = 60_000
/** Names of fields, in a text or an item of a list; no input of ours has half as many. Each new one costs JSON.parse a microsecond. */
const mostKeys = 10_000
/** Some more than an input may have: what an adapter wraps around it. */
const mostLevels = 48
/** Names of fields that are parsed before others have a turn. */
const keysAtOnce = 2_000

/** Whether a decoded value is what JSON calls an object: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws SyntaxError where it is no JSON, Failure `invalid_json` where it is too much of it */
export function parseJson(text: string): unknown {
  look(text)
  return JSON.parse(text)
}

/**
 * As `parseJson`, of a list that may be long: each of its items may have as many keys as any other JSON, and others
 * have turns in between.
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

/** @returns of a list, commas between its items where it may be cut so that each piece has few keys */
function look(text: string, isList = false): number[] {
  const cuts: number[] = []
  let parts = 1
  let levels = 0
  let keys = 0
  const structure = /["[\]{},:]/g // a search of the engine's own: a loop over a megabyte takes as long as JSON.parse
  while (structure.test(text)) {
    switch (text[structure.lastIndex - 1]) {
      case '"': {
        const end = endOfText(text, structure.lastIndex)
        if (end < 0) return [] // JSON.parse says that it has no end
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
      case ':':
        keys++
        break
      default:
        parts++
        if (isList && levels === 1 && keys >= keysAtOnce) {
          cuts.push(structure.lastIndex - 1)
          keys = 0
        }
    }
    if (parts > mostParts) fail('invalid_json', `The input has more than ${mostParts} parts.`)
    if (keys > mostKeys) fail('invalid_json', `The input has more than ${mostKeys} fields.`)
  }
  return cuts
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

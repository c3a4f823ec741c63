/** Corrects an unknown word to the nearest known one. */
import { editDistance } from '../../../../runtime/values/edit-distance.ts'

/** Read first where two are as near. */
export const preferred: ReadonlySet<string> = new Set([
  'average',
  'last',
  'from',
  'visitors',
  'visits',
  'rate',
  'week',
  'many',
  'what',
  'this',
  'most',
])

/** How far a word may be from what it is read as, by its length. Short words are too near to each other. */
const farthest = (length: number): number => (length < 3 ? 0 : length < 7 ? 1 : 2)

/** Endings that turn a word into another one: `weekends` is not a typo of `weekend`. */
const endings = ['s', 'es', 'd', 'ed', 'ing', 'er', 'ers', 'ly', 'n', 'al']
const isOtherForm = (a: string, b: string): boolean => endings.some(ending => a === b + ending || b === a + ending)

/** @returns undefined if nothing is near, or too much is */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  if (!/^\p{L}+$/u.test(word)) return undefined
  let best: { word: string; distance: number } | undefined
  let isTied = false
  for (const each of known) {
    if (Math.abs(each.length - word.length) > 2 || each.length < 4 || each === word || isOtherForm(each, word)) continue
    // In a word of three letters one may be missing, and none wrong.
    if (word.length === 3 && (each.length !== 4 || !preferred.has(each))) continue
    const distance = distanceOf(word, each)
    if (distance > farthest(word.length)) continue
    if (best && Math.abs(distance - best.distance) < 0.01) {
      if (preferred.has(each) && !preferred.has(best.word)) best = { word: each, distance }
      else isTied ||= preferred.has(each) === preferred.has(best.word)
    } else if (!best || distance < best.distance) {
      best = { word: each, distance }
      isTied = false
    }
  }
  return best && (!isTied || preferred.has(best.word)) ? best.word : undefined
}

/** Mistakes of typing: the commonest cost least. */
const costs = { missing: 0.9, surplus: 1, other: 1, swapped: 0.8 }
export const distanceOf = (typed: string, word: string): number => editDistance(typed, word, costs)

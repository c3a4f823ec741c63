/**
 * Finds sections of the manual. More and rarer words, and words in headings, rank higher. A section must have most of what is
 * asked for, so that a question about something that the manual does not mention finds nothing.
 */
import { type Document, plain } from './documents.ts'

export interface FoundSection {
  readonly document: Document
  readonly heading: string
  readonly excerpt: string
}

/** Added for a section with the words as they were written. */
const WHOLE = 20

/** Characters around the first word that is found. */
const around = 120

export function findSections(documents: readonly Document[], query: string, limit: number): FoundSection[] {
  const words = wordsOf(query)
  const all = documents.flatMap(document =>
    document.sections.map(({ heading, text }) => ({
      document,
      heading,
      text: plain(text),
      title: `${document.title} ${heading}`.toLowerCase(),
    })),
  )
  const lower = all.map(({ text }) => text.toLowerCase())
  const scores = all.map(() => 0)
  const met = all.map(() => 0)
  for (const word of words) {
    const is = new RegExp(`(?<![\\p{L}\\p{N}])${stemOf(word)}`, 'u')
    const has = all.map(({ title }, i) => (is.test(title) ? 3 : is.test(lower[i] ?? '') ? 1 : 0))
    const rarity = Math.log(1 + all.length / (1 + has.filter(Boolean).length))
    for (const [i, weight] of has.entries()) {
      scores[i] = (scores[i] ?? 0) + weight * rarity
      if (weight > 0) met[i] = (met[i] ?? 0) + 1
    }
  }
  const phrase = query.trim().toLowerCase()
  for (const [i, text] of lower.entries()) if (words.length > 1 && text.includes(phrase)) scores[i] = (scores[i] ?? 0) + WHOLE
  const floor = leastMet(words.length)
  return [...all.keys()]
    .filter(i => words.length > 0 && (met[i] ?? 0) >= floor)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, limit)
    .flatMap(i => {
      const found = all[i]
      return found ? [{ document: found.document, heading: found.heading, excerpt: excerptOf(found.text, words) }] : []
    })
}

/** Both of two words, and two thirds of more: a question has words of its own, such as "change" and "page". */
const leastMet = (words: number): number => (words <= 2 ? words : Math.ceil((words * 2) / 3))

/** Words that say what is asked, and nothing of what it is about. */
const empty = new Set(
  'a about all am an and any are as at be been but by can could did do does for from get give had has have how i if in into is it its know me my of on or our out set should so than that the their them then there this to up us use want was we were what when where whether which who why will with would you your'.split(
    ' ',
  ),
)

function wordsOf(query: string): string[] {
  const all = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])]
  const telling = all.filter(word => !empty.has(word))
  return (telling.length > 0 ? telling : all).slice(0, 20)
}

/** The beginning that the forms of an English word share: `tokens`, `visited`, `counting`. */
const stemOf = (word: string): string => (word.length > 4 ? word.replace(/(?:ies|ing|ed|es|s|y)$/, '') : word)

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map(word => text.toLowerCase().indexOf(word)).filter(place => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - around)
  const part = text.slice(from === text.length - around ? 0 : from, from + 2 * around)
  return `${from > 0 ? '…' : ''}${part.trim()}${from + 2 * around < text.length ? '…' : ''}`
}

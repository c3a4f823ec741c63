/** Finds sections of the manual. More and rarer words, and words in headings, rank higher. */
import { type Document, plain } from './documents.ts'

export interface FoundSection {
  readonly document: Document
  readonly heading: string
  readonly excerpt: string
}

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
  for (const word of words) {
    const has = all.map(({ title }, i) => (title.includes(word) ? 3 : (lower[i] ?? '').includes(word) ? 1 : 0))
    const rarity = Math.log(1 + all.length / (1 + has.filter(Boolean).length))
    for (const [i, weight] of has.entries()) scores[i] = (scores[i] ?? 0) + weight * rarity
  }
  return [...all.keys()]
    .filter(i => (scores[i] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, limit)
    .flatMap(i => {
      const found = all[i]
      return found ? [{ document: found.document, heading: found.heading, excerpt: excerptOf(found.text, words) }] : []
    })
}

const wordsOf = (query: string): string[] => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])].slice(0, 20)

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map(word => text.toLowerCase().indexOf(word)).filter(place => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - around)
  const part = text.slice(from === text.length - around ? 0 : from, from + 2 * around)
  return `${from > 0 ? '…' : ''}${part.trim()}${from + 2 * around < text.length ? '…' : ''}`
}

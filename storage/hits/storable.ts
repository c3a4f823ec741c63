/** Converts values of senders to ones that both engines can store. */
import { truncateToBytes } from '../values/truncate-utf8.ts'
import type { NewHit } from './new-hit.ts'

const MAX_BYTES = 1024
const PLAIN = /^[\x20-\x7e]{0,1024}$/

/** At most 1 KB of UTF-8, cut between characters; no NUL, which Postgres refuses; lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  if (PLAIN.test(text)) return text
  return truncateToBytes(Buffer.from(text.replaceAll('\0', '')).toString(), MAX_BYTES)
}

export const MAX_INT = 2 ** 31 - 1

/** An integer within bounds; 0 if it is not a number. */
export const storableInt = (value: number, min: number, max: number): number => Math.min(Math.max(Math.round(value) || 0, min), max)

/** Minor units, ten thousand million in most major ones: the sum of a day stays below 2^53. */
export const MOST_REVENUE = 1e12
const DAY_MS = 86_400_000

/** Limits numbers to the range of their columns; texts are limited when they get their ids. */
export function storableHit(hit: NewHit): NewHit {
  const revenue = storableInt(hit.revenue, -MOST_REVENUE, MOST_REVENUE)
  const engagedMs = storableInt(hit.engagedMs, 0, DAY_MS)
  const scroll = storableInt(hit.scroll, 0, 100)
  const isWithin = revenue === hit.revenue && engagedMs === hit.engagedMs && scroll === hit.scroll
  return isWithin ? hit : { ...hit, revenue, engagedMs, scroll }
}

/** Limits the values of a hit to those that both engines can store. */
import { truncateToBytes } from '../values/truncate-utf8.ts'
import { DAY_MS } from '../values/durations.ts'
import type { NewHit } from './new-hit.ts'

const MAX_BYTES = 1024
const PLAIN = /^[\x20-\x7e]{0,1024}$/

/** Shortens a text to 1 KB of UTF-8, between characters; removes NUL, which Postgres refuses; replaces lone surrogates by U+FFFD. */
export function storableText(text: string): string {
  if (PLAIN.test(text)) return text
  return truncateToBytes(Buffer.from(text.replaceAll('\0', '')).toString(), MAX_BYTES)
}

export const MAX_INT = 2 ** 31 - 1

/** Rounds to an integer within bounds; 0 if the value is not a number. */
export const storableInt = (value: number, min: number, max: number): number => Math.min(Math.max(Math.round(value) || 0, min), max)

/** In minor units: ten thousand million in most currencies, so that the sum of a day stays below 2^53. */
export const MAX_REVENUE = 1e12

/** Limits the numbers of a hit to the range of their columns. Its texts are limited when they get their ids. */
export function storableHit(hit: NewHit): NewHit {
  const revenue = storableInt(hit.revenue, -MAX_REVENUE, MAX_REVENUE)
  const engagedMs = storableInt(hit.engagedMs, 0, DAY_MS)
  const scroll = storableInt(hit.scroll, 0, 100)
  const isWithin = revenue === hit.revenue && engagedMs === hit.engagedMs && scroll === hit.scroll
  return isWithin ? hit : { ...hit, revenue, engagedMs, scroll }
}

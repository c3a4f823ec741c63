/** The retry schedule of failed deliveries (docs/decisions.md §3). */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../storage/values/durations.ts'

const [s, m, h] = [SECOND_MS, MINUTE_MS, HOUR_MS]

/** Delay of each attempt after the one before, ms; the first is sent at once. */
const waits = [5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]
export const attempts = waits.length + 1

export interface Failed {
  /** The endpoint answered 429 or timed out: it is overloaded. */
  readonly overloaded: boolean
  /** The endpoint's Retry-After, ms. */
  readonly retryAfter: number | undefined
}

/**
 * @param made attempts so far
 * @param chance random, from 0 up to 1, for a jitter of ±20 %
 * @returns ms from the end of this attempt to the next; undefined after the last
 */
export function waitAfter(made: number, { overloaded, retryAfter }: Failed, chance: number): number | undefined {
  const base = waits[made - 1]
  if (base === undefined) return undefined
  const wait = retryAfter === undefined ? base * (0.8 + 0.4 * chance) : Math.min(Math.max(retryAfter, base), 2 * base)
  return Math.round(overloaded ? Math.max(wait, m) : wait)
}

/** Seconds or a date (RFC 9110 §10.2.3) as ms from now; undefined for anything else. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * s
  const at = /^\w{3,9}, .*GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

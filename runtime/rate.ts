/**
 * Limits by fixed window of a minute, counted in memory: each process counts for itself.
 * Headers as in draft-ietf-httpapi-ratelimit-headers.
 */
import { fail } from './errors.ts'

const window = 60_000
/** Counters of one limit. Beyond that the oldest is forgotten: whoever has so many addresses gains nothing by it. */
const mostCounters = 50_000

/** Limits that a declaration can name; `none` where something else keeps a flood out. */
export type RateName = 'token' | 'anonymous' | 'costly' | 'batch' | 'none'

export interface RateLimit {
  readonly name: string
  /** Requests a minute; 0 = no limit. */
  readonly limit: number
}

export interface RateCounter {
  /**
   * Counts one request, or as many as it stands for; gives the headers that say what is left.
   * @throws Failure `rate_limited`: then nothing is counted
   */
  count(rate: RateLimit, who: string, now: number, times?: number): Readonly<Record<string, string>>
  /** @throws Failure `rate_limited` where the limit is reached already; counts nothing */
  refuse(rate: RateLimit, who: string, now: number): void
}

export function rateCounter(most = mostCounters): RateCounter {
  let started = 0
  /** By limit: a flood of one kind pushes no counter of another out. */
  let counts = new Map<string, Map<string, number>>()

  const at = (now: number) => {
    if (now - started >= window || now < started) [started, counts] = [now - (now % window), new Map()]
    return Math.max(1, Math.ceil((started + window - now) / 1000))
  }
  const headers = (rate: RateLimit, used: number, reset: number) => ({
    'RateLimit-Policy': `"${rate.name}";q=${rate.limit};w=${window / 1000}`,
    RateLimit: `"${rate.name}";r=${Math.max(0, rate.limit - used)};t=${reset}`,
  })
  const limited = (rate: RateLimit, used: number, reset: number): never =>
    fail('rate_limited', `Too many requests; try again in ${reset} s.`, [], { ...headers(rate, used, reset), 'Retry-After': String(reset) })

  return {
    count(rate, who, now, times = 1) {
      if (rate.limit === 0) return {}
      const reset = at(now)
      let counters = counts.get(rate.name)
      if (!counters) counts.set(rate.name, (counters = new Map()))
      const known = counters.get(who)
      const used = (known ?? 0) + times
      if (used > rate.limit) limited(rate, used, reset)
      if (known === undefined && counters.size >= most) {
        for (const oldest of counters.keys()) {
          counters.delete(oldest)
          break
        }
      }
      counters.set(who, used)
      return headers(rate, used, reset)
    },
    refuse(rate, who, now) {
      if (rate.limit === 0) return
      const reset = at(now)
      const used = counts.get(rate.name)?.get(who) ?? 0
      if (used >= rate.limit) limited(rate, used, reset)
    },
  }
}

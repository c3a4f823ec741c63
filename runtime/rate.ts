/**
 * Rate limits with a fixed window of one minute, in memory: each process counts for itself. Headers as in
 * draft-ietf-httpapi-ratelimit-headers.
 */
import { fail } from './errors.ts'

const window = 60_000
/**
 * Most counters of one limit. Beyond that the oldest is dropped; having so many addresses gains an attacker nothing.
 */
const mostCounters = 50_000

/** Limits that a declaration can name; `none` if something else limits the load. */
export type RateName = 'token' | 'anonymous' | 'costly' | 'batch' | 'none'

export interface RateLimit {
  readonly name: string
  /** Requests a minute; 0 = no limit. */
  readonly limit: number
}

export interface RateCounter {
  /** Counts one request, or so many times one, and returns the rate-limit headers. @throws Failure `rate_limited` */
  count(rate: RateLimit, who: string, now: number, times?: number): Readonly<Record<string, string>>
  /** @throws Failure `rate_limited` if the limit is reached; counts nothing */
  refuse(rate: RateLimit, who: string, now: number): void
}

export function rateCounter(most = mostCounters): RateCounter {
  let started = 0
  /** By limit, so that a flood of one kind evicts no counters of another. */
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

/**
 * Limits by fixed window of a minute, counted in memory: each process counts for itself.
 * Headers as in draft-ietf-httpapi-ratelimit-headers.
 */
import { fail } from './errors.ts'

const window = 60_000

export interface RateLimit {
  readonly name: string
  /** Requests a minute; 0 = no limit. */
  readonly limit: number
}

export interface RateCounter {
  /** Counts one request; gives the headers that say what is left. @throws Failure `rate_limited` */
  count(rate: RateLimit, who: string, now: number): Readonly<Record<string, string>>
  /** @throws Failure `rate_limited` where the limit is reached already; counts nothing */
  refuse(rate: RateLimit, who: string, now: number): void
}

export function rateCounter(): RateCounter {
  let started = 0
  let counts = new Map<string, number>()

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
    count(rate, who, now) {
      if (rate.limit === 0) return {}
      const reset = at(now)
      const key = `${rate.name} ${who}`
      const used = (counts.get(key) ?? 0) + 1
      if (used > rate.limit) limited(rate, used, reset)
      counts.set(key, used)
      return headers(rate, used, reset)
    },
    refuse(rate, who, now) {
      if (rate.limit === 0) return
      const reset = at(now)
      const used = counts.get(`${rate.name} ${who}`) ?? 0
      if (used >= rate.limit) limited(rate, used, reset)
    },
  }
}

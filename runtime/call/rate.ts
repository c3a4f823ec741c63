/**
 * Rate limits with a fixed window of one minute, in memory. Each process counts for itself; `shared-counts.ts` adds what
 * others have counted. Headers as in draft-ietf-httpapi-ratelimit-headers.
 */
import { fail } from '../table/errors.ts'
import { m } from './messages.ts'

/** Ms; windows begin with the minutes of the clock, in every process. */
export const RATE_WINDOW = 60_000
const window = RATE_WINDOW
/**
 * The largest number of counters of one limit. Beyond it, the oldest is dropped: an attacker gains nothing from that many addresses.
 */
const maxCounters = 50_000

export interface RateLimit {
  readonly name: string
  /** Requests a minute; 0 = no limit. */
  readonly limit: number
}

export interface Counted {
  readonly who: string
  readonly now: number
}

export interface RateCounter {
  /** Counts one request, or the given number of requests, and returns the rate-limit headers. @throws Failure `rate_limited` */
  count(rate: RateLimit, counted: Counted & { readonly times?: number }): Readonly<Record<string, string>>
  /** Whether anything was counted for this limit in the current minute. */
  hasCounted(rate: RateLimit, now: number): boolean
  /** @throws Failure `rate_limited` if the limit is reached; counts nothing */
  refuse(rate: RateLimit, who: string, now: number): void
  /**
   * Counts what others have: `used` of all together, this one included. Returns headers, like `count`.
   * @throws Failure `rate_limited` if that is more than the limit
   */
  raise(rate: RateLimit, counted: Counted & { readonly used: number }): Readonly<Record<string, string>>
}

export function rateCounter(max = maxCounters): RateCounter {
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
    fail('rate_limited', m.try_again_in_seconds({ seconds: reset }), {
      headers: { ...headers(rate, used, reset), 'Retry-After': String(reset) },
    })

  const usedBy = (rate: RateLimit, who: string): number => counts.get(rate.name)?.get(who) ?? 0
  function set(rate: RateLimit, who: string, used: number): void {
    let counters = counts.get(rate.name)
    if (!counters) counts.set(rate.name, (counters = new Map()))
    if (!counters.has(who) && counters.size >= max) {
      for (const oldest of counters.keys()) {
        counters.delete(oldest)
        break
      }
    }
    counters.set(who, used)
  }

  return {
    count(rate, { who, now, times = 1 }) {
      if (rate.limit === 0) return {}
      const reset = at(now)
      const used = usedBy(rate, who) + times
      if (used > rate.limit) limited(rate, used, reset)
      set(rate, who, used)
      return headers(rate, used, reset)
    },
    raise(rate, { who, now, used }) {
      if (rate.limit === 0) return {}
      const reset = at(now)
      const raised = Math.max(used, usedBy(rate, who))
      set(rate, who, Math.min(raised, rate.limit))
      return raised > rate.limit ? limited(rate, raised, reset) : headers(rate, raised, reset)
    },
    hasCounted(rate, now) {
      at(now)
      return counts.has(rate.name)
    },
    refuse(rate, who, now) {
      if (rate.limit === 0) return
      const reset = at(now)
      const used = usedBy(rate, who)
      if (used >= rate.limit) limited(rate, used, reset)
    },
  }
}

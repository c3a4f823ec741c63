/**
 * Rate limits that all processes count together. The count in memory is checked first, so that a caller who has reached the
 * limit in this process costs the database nothing. Each request is then added in the database, whose total replaces the
 * count in memory. A process learns the counts of the others only when it counts a request itself.
 */
import type { Store } from '../../storage/store.ts'
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Log } from '../observability/log.ts'
import { type Counted, RATE_WINDOW, type RateCounter, type RateLimit } from './rate.ts'
import { type Added, addShared } from './shared-rate.ts'

export interface SharedCounts {
  /** Counts one request and returns the rate-limit headers. @throws Failure `rate_limited`; the request may then be counted all the same */
  count(rate: RateLimit, counted: Counted): Awaitable<Readonly<Record<string, string>>>
}

/** Most counters in one statement. */
const MAX_AT_ONCE = 500

interface Waiting extends Added {
  times: number
  now: number
  readonly counted: ((total: number) => void)[]
}

export function sharedCounts(store: Store, rates: RateCounter, log: Log): SharedCounts {
  if (!store.isShared) return rates
  /** By name and address. Only one statement runs at a time; further requests wait and are added up for the next one. */
  let waiting = new Map<string, Waiting>()
  let writing = false

  async function write(): Promise<void> {
    writing = true
    for (; waiting.size > 0; ) {
      const some = [...waiting.values()].slice(0, MAX_AT_ONCE)
      waiting = new Map([...waiting].slice(MAX_AT_ONCE))
      const now = Math.max(...some.map(({ now }) => now))
      const totals = await addShared(store.write, some, now).catch((err: unknown) => {
        log.warn({ err }, 'a rate limit is counted only by this process')
        return []
      })
      // The last waiting request receives the total, each earlier one the count at its turn.
      for (const [i, { counted, times }] of some.entries()) {
        const before = (totals[i]?.count ?? 0) - times
        for (const [place, tell] of counted.entries()) tell(before + place + 1)
      }
    }
    writing = false
  }

  return {
    async count(rate, { who, now }) {
      const headers = rates.count(rate, { who, now })
      if (rate.limit === 0) return headers
      const total = await new Promise<number>(counted => {
        const key = `${rate.name} ${who}`
        const endsAt = now - (now % RATE_WINDOW) + RATE_WINDOW
        const known = waiting.get(key)
        if (known) {
          known.times++
          known.now = Math.max(known.now, now)
          known.counted.push(counted)
        } else waiting.set(key, { name: rate.name, who, times: 1, endsAt, now, counted: [counted] })
        if (!writing) void write()
      })
      return rates.raise(rate, { who, now, used: total })
    },
  }
}

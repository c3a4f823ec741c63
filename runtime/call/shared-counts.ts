/**
 * Rate limits that guard something, counted by all processes together. Memory is asked first, so that who has reached the
 * limit here costs the database nothing; what is counted is then added in the database, whose total holds here as well.
 * So a process learns what others have counted when it counts itself, and reads nothing before.
 */
import type { Store } from '../../storage/store.ts'
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Log } from '../observability/log.ts'
import { RATE_WINDOW, type RateCounter, type RateLimit } from './rate.ts'
import { type Added, addShared } from './shared-rate.ts'

export interface SharedCounts {
  /** Counts one request and returns the rate-limit headers. @throws Failure `rate_limited`; then it may be counted, too */
  count(rate: RateLimit, who: string, now: number): Awaitable<Readonly<Record<string, string>>>
}

/** Counts of one statement. */
const MOST_AT_ONCE = 500

interface Waiting extends Added {
  times: number
  now: number
  readonly counted: ((total: number) => void)[]
}

export function sharedCounts(store: Store, rates: RateCounter, log: Log): SharedCounts {
  if (!store.isShared) return rates
  /** By name and address. Only one statement is under way, whatever is sent here: the rest waits and is added up. */
  let waiting = new Map<string, Waiting>()
  let writing = false

  async function write(): Promise<void> {
    writing = true
    for (; waiting.size > 0; ) {
      const some = [...waiting.values()].slice(0, MOST_AT_ONCE)
      waiting = new Map([...waiting].slice(MOST_AT_ONCE))
      const now = Math.max(...some.map(({ now }) => now))
      const totals = await addShared(store.write, some, now).catch((err: unknown) => {
        log.warn({ err }, 'a rate limit is counted only by this process')
        return []
      })
      // The last of them is told the total, those before it what it was with each.
      for (const [i, { counted, times }] of some.entries()) {
        const before = (totals[i]?.count ?? 0) - times
        for (const [place, tell] of counted.entries()) tell(before + place + 1)
      }
    }
    writing = false
  }

  return {
    async count(rate, who, now) {
      const headers = rates.count(rate, who, now)
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
      return rates.raise(rate, who, now, total)
    },
  }
}

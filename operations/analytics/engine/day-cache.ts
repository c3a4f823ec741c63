/** Days in memory, the least used dropped first. A day is as good as new until its `rev` moves. */
import { LRUCache } from 'lru-cache'
import type { Day } from './day.ts'
import type { SiteDay } from './read-days.ts'
import type { SealedDay } from './sealed-day.ts'

/** A day, and where it is out of its segment how columns are brought to it. */
export interface Kept {
  readonly day: Day
  readonly sealed: SealedDay | null
}

interface Entry extends Kept {
  readonly rev: number
  readonly bytes: number
  readonly builtAt: number
  readonly buildMs: number
}

export interface DayCache {
  get(site: number, day: SiteDay): Kept | undefined
  set(site: number, day: SiteDay, built: Day, buildMs: number): void
  /** @param bytes what was brought to it so far */
  setSealed(site: number, day: SiteDay, sealed: SealedDay, bytes: number): void
}

/** A busy day that is costly to read is not read anew for every hit: it may lag by 20 times that cost, at most 1 s. */
const COSTLY_BYTES = 1_000_000
const COSTLY_MS = 25
const LAG = 20
const MOST_LAG_MS = 1_000
/** What a day takes beside its columns. */
const OBJECTS = 500

/**
 * @param bytes most that it keeps
 * @param clock ms, from anywhere
 */
export function openDayCache(bytes: number, clock: () => number): DayCache {
  const days = new LRUCache<number, Entry>({
    maxSize: bytes, maxEntrySize: bytes, sizeCalculation: entry => entry.bytes + OBJECTS,
  })
  return {
    get(site, siteDay) {
      const entry = days.get(keyOf(site, siteDay))
      if (!entry || entry.rev === siteDay.rev) return entry
      const { bytes, buildMs, builtAt } = entry
      const lag = bytes > COSTLY_BYTES && buildMs > COSTLY_MS ? Math.min(MOST_LAG_MS, LAG * buildMs) : 0
      return clock() - builtAt < lag ? entry : undefined
    },
    set(site, siteDay, day, buildMs) {
      const entry = { day, sealed: null, rev: siteDay.rev, bytes: day.bytes, builtAt: clock(), buildMs }
      days.set(keyOf(site, siteDay), entry)
    },
    setSealed(site, siteDay, sealed, bytes) {
      const key = keyOf(site, siteDay)
      const before = days.peek(key)
      const brought = before?.sealed === sealed ? before.bytes + bytes : bytes
      days.set(key, { day: sealed.day, sealed, rev: siteDay.rev, bytes: brought, builtAt: clock(), buildMs: 0 })
    },
  }
}

/** Days lie within ±10 million (the calendar's bounds are 8.64e15 ms). */
const DAYS = 2e7
const keyOf = (site: number, { day }: SiteDay): number => site * DAYS + day + DAYS / 2

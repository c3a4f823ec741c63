/** Decoded days, the least used dropped first. A day is as good as new until its `rev` moves. */
import { LRUCache } from 'lru-cache'
import type { Day } from './day.ts'
import type { SiteDay } from './read-days.ts'

interface Kept {
  readonly day: Day
  readonly rev: number
  readonly builtAt: number
  readonly buildMs: number
}

export interface DayCache {
  get(site: number, day: SiteDay): Day | undefined
  set(site: number, day: SiteDay, built: Day, buildMs: number): void
}

/** A busy day that is costly to read is not read anew for every hit: it may lag by 20 times that cost, at most 1 s. */
const COSTLY_BYTES = 1_000_000
const COSTLY_MS = 25
const LAG = 20
const MOST_LAG_MS = 1_000

/**
 * @param bytes most that it keeps
 * @param clock ms, from anywhere
 */
export function openDayCache(bytes: number, clock: () => number): DayCache {
  const days = new LRUCache<string, Kept>({ maxSize: bytes, maxEntrySize: bytes })
  const keyOf = (site: number, { day }: SiteDay) => `${site}/${day}`
  return {
    get(site, siteDay) {
      const kept = days.get(keyOf(site, siteDay))
      if (!kept) return undefined
      const lag = kept.day.bytes > COSTLY_BYTES && kept.buildMs > COSTLY_MS ? Math.min(MOST_LAG_MS, LAG * kept.buildMs) : 0
      return kept.rev === siteDay.rev || clock() - kept.builtAt < lag ? kept.day : undefined
    },
    set(site, siteDay, day, buildMs) {
      days.set(keyOf(site, siteDay), { day, rev: siteDay.rev, builtAt: clock(), buildMs }, { size: day.bytes + 500 })
    },
  }
}

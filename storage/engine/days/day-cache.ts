/**
 * Caches days in memory. Where they do not fit, the columns and sums that were not read for longest are dropped, so that questions
 * share the columns that both read. Whole days are dropped only if a single question does not fit. A day is valid until its `rev` changes.
 */
import { LRUCache } from 'lru-cache'
import type { Day, DayBounds } from './day.ts'
import type { Reads } from './reads.ts'
import type { SiteDay } from './site-days.ts'
import type { SealedDay } from './sealed-day.ts'
import type { DayRange } from './day-ranges.ts'

/** A day; if it was read from its segment, with a way to load more columns. */
export interface CachedDay {
  readonly day: Day
  readonly sealed: SealedDay | null
}

interface Entry extends CachedDay {
  readonly rev: number
  /** Whether it was sealed when it was cached. */
  readonly wasSealed: boolean
  /** The days of a range whose sums it adds up. */
  readonly of: readonly SiteDay[]
  readonly bytes: number
  /** The last request that read something of it. */
  usedBy: number
  readonly updatedAt: number
  readonly updateMs: number
}

export interface DayCache {
  /** A request begins, which will read these days and ranges: what it reads of them is not dropped for the rest of it. */
  begin(): void
  /** @param reads what is read of it */
  get(site: number, day: SiteDay, reads?: Reads | null): CachedDay | undefined
  /** The day as read from its rows at an earlier `rev`. */
  before(site: number, day: SiteDay): { readonly day: Day; readonly rev: number } | undefined
  /** @param updateMs time that updating a cached day took; 0 if it was not cached */
  set(site: number, of: SiteDay, built: { readonly day: Day; readonly updateMs: number }): void
  /** Call again after loading more into it, since its size has changed. */
  setSealed(site: number, day: SiteDay, sealed: SealedDay): void
  /** Undefined if one of its days has changed. */
  range(site: number, range: DayRange): CachedDay | undefined
  setRange(site: number, range: DayRange, sums: SealedDay): void
}

/**
 * A busy day that is expensive to update is not updated for every hit: it may lag by 20 times the last update's
 * duration, at most 1 s.
 */
const COSTLY_BYTES = 1_000_000
const COSTLY_MS = 25
const LAG = 20
const MAX_LAG_MS = 1_000
/** Overhead of a day in addition to its columns, bytes. */
const OBJECTS = 500
/** Part of the limit that is freed at a time, as all days are looked through for it. */
const FREED = 0.05
const NEARLY_FULL = 0.5

/**
 * @param bytes limit
 * @param clock ms, from any origin
 */
export function openDayCache(bytes: number, clock: () => number): DayCache {
  const days = new LRUCache<number | string, Entry>({
    maxSize: bytes,
    maxEntrySize: bytes,
    sizeCalculation: entry => entry.bytes + OBJECTS,
  })
  /** The number of the current request. */
  let request = 1
  /** Whether nothing is left but what the current request reads. */
  let isAllNeeded = false
  /** Before that, nothing notes which columns it reads: it would take time of every answer about small days. */
  let isNearlyFull = false

  function put(key: number | string, sealed: SealedDay, { rev, of }: Pick<Entry, 'rev' | 'of'>): void {
    sealed.use(null, request)
    const { day, bytes } = sealed
    // A day that does not fit is not kept in place of others that the same request reads: all of them would be read again the next time.
    if (!hasRoomFor(bytes - (days.peek(key)?.bytes ?? 0))) days.delete(key)
    else days.set(key, { day, sealed, rev, wasSealed: true, of, bytes, usedBy: request, updatedAt: clock(), updateMs: 0 })
  }

  /** Drops what was not read for longest, but nothing that the current request reads. */
  function hasRoomFor(added: number): boolean {
    const isFull = () => days.calculatedSize + added + OBJECTS > bytes
    if (!isFull()) return true
    if (isAllNeeded) return false
    const each: { readonly key: number | string; readonly uses: ReadonlyMap<number, number> }[] = []
    days.rforEach((entry, key) => each.push({ key, uses: usesOf(entry) }))
    const uses = [...new Set(each.flatMap(one => [...one.uses.keys()]))].filter(use => use < request).sort((a, b) => a - b)
    const wanted = Math.max(added, bytes * FREED)
    let freed = 0
    for (const use of uses) {
      for (const { key, uses } of each) {
        const size = uses.get(use)
        if (freed >= wanted || size === undefined) continue
        dropUsedBy(key, use)
        freed += size
      }
    }
    isAllNeeded = isFull()
    return !isAllNeeded
  }

  /** Drops what this request was the last to read of a day, and earlier ones. */
  function dropUsedBy(key: number | string, use: number): void {
    const entry = days.peek(key)
    const sealed = entry?.sealed?.usedSince(use + 1)
    if (entry && sealed && sealed.bytes > 0) days.set(key, { ...entry, day: sealed.day, sealed, bytes: sealed.bytes })
    else days.delete(key)
  }

  function used(entry: Entry, reads: Reads | null): Entry {
    if (!isNearlyFull && reads !== null) return entry
    entry.usedBy = request
    entry.sealed?.use(reads === null ? null : shared(reads), request)
    return entry
  }
  const shared = sharedReads()

  return {
    begin() {
      request++
      isAllNeeded = false
      isNearlyFull = days.calculatedSize > bytes * NEARLY_FULL
    },
    get(site, siteDay, reads = null) {
      const entry = days.get(keyOf(site, siteDay))
      if (entry && siteDay.sealed && !entry.wasSealed) return undefined // it was built from rows; now read its segment
      if (!entry || entry.rev === siteDay.rev) return entry && used(entry, reads)
      const { bytes, updateMs, updatedAt } = entry
      const lag = bytes > COSTLY_BYTES && updateMs > COSTLY_MS ? Math.min(MAX_LAG_MS, LAG * updateMs) : 0
      return clock() - updatedAt < lag ? used(entry, reads) : undefined
    },
    before(site, siteDay) {
      const entry = days.peek(keyOf(site, siteDay))
      return entry && !entry.sealed && entry.rev < siteDay.rev ? entry : undefined
    },
    set(site, siteDay, { day, updateMs }) {
      const { rev, sealed } = siteDay
      hasRoomFor(day.bytes)
      days.set(keyOf(site, siteDay), {
        day,
        sealed: null,
        rev,
        wasSealed: Boolean(sealed),
        of: [],
        bytes: day.bytes,
        usedBy: request,
        updatedAt: clock(),
        updateMs,
      })
    },
    setSealed(site, siteDay, sealed) {
      put(keyOf(site, siteDay), sealed, { rev: siteDay.rev, of: [] })
    },
    range(site, range) {
      const entry = days.get(keyOfRange(site, range))
      return entry && areSame(entry.of, range.days) ? used(entry, range.reads) : undefined
    },
    setRange(site, range, sealed) {
      put(keyOfRange(site, range), sealed, { rev: 0, of: range.days })
    },
  }
}

/** Most different reads that are remembered. */
const READS = 1_000

/** Gives one object for all reads of the same numbers. */
function sharedReads(): (reads: Reads) => Reads {
  const known = new Map<string, Reads>()
  let last: readonly [reads: Reads, shared: Reads] | undefined // as most days of a request are read alike
  return reads => {
    if (last?.[0] === reads) return last[1]
    const name = `${[...reads.columns].sort().join()}/${[...reads.sums].sort().join()}`
    const found = known.get(name) ?? reads
    if (known.size >= READS) known.clear()
    known.set(name, found)
    last = [reads, found]
    return found
  }
}

/** Memory of an entry by the last request that read it. */
const usesOf = ({ sealed, usedBy, bytes }: Entry): ReadonlyMap<number, number> => sealed?.bytesByUse() ?? new Map([[usedBy, bytes]])

const areSame = (before: readonly SiteDay[], now: readonly SiteDay[]): boolean =>
  before.length === now.length &&
  before.every((one, i) => {
    const other = now[i]
    return other && one.rev === other.rev && areSameBounds(one, other)
  })

/** A day's boundaries may change with the site's time zone while its `rev` stays. */
export const areSameBounds = (a: DayBounds, b: DayBounds): boolean => a.day === b.day && a.startsAt === b.startsAt && a.endsAt === b.endsAt

/** Day numbers lie within ±10 million (the calendar's bounds are 8.64e15 ms). */
const DAYS = 2e7
const keyOf = (site: number, { day }: SiteDay): number => site * DAYS + day + DAYS / 2
const keyOfRange = (site: number, { width, days: [first] }: DayRange): string => `${site}/${width}/${Math.floor((first?.day ?? 0) / width)}`

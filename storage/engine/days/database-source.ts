/** Days from rows and segments of a database, cached between queries. */
import { type Copied, summaryOf } from '../../moved-days/copy-notes.ts'
import { movedRows } from '../../moved-days/copies.ts'
import { packedCopy } from '../../moved-days/day-store.ts'
import { dayStoreOf } from '../../moved-days/day-stores.ts'
import { areSameRows } from '../../moved-days/same-rows.ts'
import { readSegments, type Sealed } from './segments.ts'
import type { Db, Store } from '../../store.ts'
import { confirmVersion, epochOf, inSnapshot } from '../../snapshots/snapshots.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { buildDay } from './build-day.ts'
import { counterIn, FETCHED_MOST } from './count-elsewhere.ts'
import type { Day } from './day.ts'
import { areSameBounds, openDayCache } from './day-cache.ts'
import { openDictionaries } from './dictionary.ts'
import { dayLoader } from './load-days.ts'
import { ROWS_A_PIECE } from './read-in-pieces.ts'
import { readDays } from './read-days.ts'
import { type SiteDay, siteDays } from './site-days.ts'
import { clicksIn, openMeasureCache, readClicks, readVitals, vitalsIn } from './read-measures.ts'
import { readRows } from './read-rows.ts'
import { READ_FORMATS } from './sealed-columns.ts'
import { hasAll, sealDay } from './sealed-day.ts'
import type { DayRequest, Source } from './source.ts'
import { addSums, type DayRange, dayRanges, openRange, type Width, WIDTHS, within } from './day-ranges.ts'
import { textsOf } from './texts.ts'

export interface Sources {
  /** Passes the source of a site, which reads from one snapshot. */
  at<T>(site: number, run: (source: Source) => Promise<T>): Promise<T>
  /**
   * A day in sealed form; null if it does not exist.
   * @param copy the number of a copy to make, which then has its columns; `PACK` for a packed one; 0 for none
   */
  seal(site: number, day: number, copy: number): Promise<SealedAt | null>
  /** Whether a packed copy has the rows that the tables have now. */
  matches(site: number, day: number, copy: number): Promise<boolean>
}

/** Instead of the number of a copy: to pack the day. Its number follows from the `rev` that is read. */
export const PACK = -1

/** A sealed day, and the `rev` at which it was read. */
export interface SealedAt {
  readonly rev: number
  /** Epoch of the server of this `rev`, which may use the number again after a failover. */
  readonly epoch: string
  /** Null if the day is empty. */
  readonly sealed: Sealed | null
  /** Null if no copy was written. */
  readonly copied: Copied | null
  /** Of a packed copy. */
  readonly blocks?: readonly Uint8Array[]
}

interface OpenSources {
  readonly bytes: number
  readonly clock: () => number
  readonly most?: number | undefined
  readonly fetched?: number | undefined
}

/**
 * @param bytes limit for decoded days and texts
 * @param clock ms, from any origin
 * @param most rows of a table that are read at a time
 * @param fetched numbers of a cluster's columns that are fetched rather than counted there
 */
export function openSources(
  store: Pick<Store, 'read' | 'cluster' | 'dialect'>,
  { bytes, clock, most = ROWS_A_PIECE, fetched = FETCHED_MOST }: OpenSources,
): Sources {
  const { cluster } = store
  let epoch: unknown
  const opened = () => openCaches(cluster, { bytes, clock, most, fetched })
  let sourceIn = opened()

  /** After a failover, a `rev` or an id in memory may belong to a lost commit, and may be used again. */
  function current(db: Db): typeof sourceIn {
    const now = epochOf(db)
    if (now !== epoch) sourceIn = opened()
    epoch = now
    return sourceIn
  }

  return {
    at: (site, run) => inSnapshot(store.read, site, db => run(current(db)(db, site))),
    seal: (site, day, copy) =>
      inSnapshot(store.read, site, async db => {
        const [siteDay] = await siteDays(db, site, day, day)
        if (!siteDay) return null
        const at = { rev: siteDay.rev, epoch: await store.dialect.epoch(db) }
        if (copy === PACK || (cluster && copy !== 0)) {
          const rows = await readRows(db, { cluster, site, siteDay, most })
          const built = buildDay(siteDay, rows)
          if (built.visits.count === 0) return { ...at, sealed: null, copied: null }
          const number = copy === PACK ? packedCopy(siteDay.rev) : copy
          const store = dayStoreOf(number, cluster)
          const blocks = await store.put({ site, day, copy: number, base: siteDay.startsAt }, rows)
          const whole = { ...built, vitals: vitalsIn(rows), clicks: clicksIn(rows) }
          const packs = store.name === 'packed'
          // A small day without a segment gets none: unpacking it is as fast, and takes less space.
          const isSegment = !packs || (await readSegments(db, { site, days: [siteDay], format: READ_FORMATS })).has(day)
          const sealed = isSegment ? sealDay(whole, { hasColumns: false, packs }) : null
          return { ...at, sealed, copied: summaryOf(number, rows), blocks }
        }
        const [built] = await readDays(db, { cluster, site, days: [siteDay], most })
        if (!built) return null
        if (built.visits.count === 0) return { ...at, sealed: null, copied: null }
        const [vitals, clicks] =
          siteDay.moved !== 0
            ? await movedRows(db, { cluster, site }, { day, copy: siteDay.moved }).then(rows => [vitalsIn(rows), clicksIn(rows)] as const)
            : [await readVitals(db, { site, day, page: null, most }), await readClicks(db, { site, day, page: null, most })]
        return { ...at, sealed: sealDay({ ...built, vitals, clicks }), copied: null }
      }),
    matches: (site, day, copy) =>
      inSnapshot(store.read, site, async db => {
        const [siteDay] = await siteDays(db, site, day, day)
        if (!siteDay || siteDay.moved !== 0 || copy !== packedCopy(siteDay.rev)) return false
        const here = await readRows(db, { cluster, site, siteDay, most })
        return areSameRows(here, await movedRows(db, { cluster, site }, { day, copy }))
      }),
  }
}

interface OpenCaches {
  readonly bytes: number
  readonly clock: () => number
  readonly most: number
  readonly fetched: number
}

function openCaches(cluster: Cluster | undefined, { bytes, clock, most, fetched }: OpenCaches): (db: Db, site: number) => Source {
  const cache = openDayCache(Math.floor(bytes * 0.75), clock)
  const measures = openMeasureCache(Math.floor(bytes * 0.05), cluster, most)
  const loader = dayLoader({ cache, clock, cluster, most })
  const countIn = cluster && counterIn(cluster, loader, fetched)
  const dictionaries = openDictionaries(Math.floor(bytes * 0.2))

  /** Returns the days if everything to read is in memory; otherwise null. */
  function inMemory(site: number, ranges: readonly DayRange[], request: DayRequest): Day[] | null {
    const found: Day[] = []
    for (const range of ranges) {
      const {
        width,
        days: [first],
      } = range
      if (!first || !range.reads) continue
      const known = width === 1 ? cache.get(site, first) : cache.range(site, range)
      if (!known) return null
      const isAsListed = width > 1 || areSameBounds(known.day, first)
      const reads = isAsListed ? range.reads : request.of(known.day)
      if (known.sealed && reads && !hasAll(known.sealed, reads)) return null
      found.push(known.day)
    }
    return found
  }

  /** Yields days; each range as a single day. */
  async function* daysIn(
    db: Db,
    { site, ranges, of }: { site: number; ranges: readonly DayRange[]; of: DayRequest['of'] },
  ): AsyncGenerator<Day[]> {
    let single: SiteDay[] = []
    for (const range of ranges) {
      if (range.width === 1) {
        single.push(...range.days)
        continue
      }
      yield* loader.load(db, site, single, of)
      single = []
      yield [await rangeIn(db, { site, range, width: range.width })]
    }
    yield* loader.load(db, site, single, of)
  }

  async function rangeIn(db: Db, { site, range, width }: { site: number; range: DayRange; width: Width }): Promise<Day> {
    const known = cache.range(site, range)?.sealed
    const lacking = [...(range.reads?.sums ?? [])].filter(number => !known?.has('sums', number))
    if (known && lacking.length === 0) return known.day
    const reads = { columns: new Set<number>(), sums: new Set(lacking) }
    const parts: Day[] = []
    const of = () => reads
    const narrower = dayRanges(within(width, range.days), { of, together: () => true })
    for await (const days of daysIn(db, { site, ranges: narrower, of })) parts.push(...days)
    const sums = known ?? openRange(range.days, parts)
    addSums(sums, lacking, parts)
    cache.setRange(site, range, sums)
    return sums.day
  }

  return (db, site) => ({
    texts: textsOf(db, site, dictionaries),
    measures: measures.in(db, site),
    count: countIn?.(db, site),
    async days(from, to, request) {
      const list = await siteDays(db, site, from, to)
      await confirmVersion(db)
      const ranges = dayRanges({ from, to, list, widths: WIDTHS }, request)
      const known = inMemory(site, ranges, request)
      return known ? [known] : daysIn(db, { site, ranges, of: request.of })
    },
  })
}

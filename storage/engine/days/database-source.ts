/** Days from rows and segments of a database, cached between queries. */
import type { Sealed } from './segments.ts'
import type { Db, Store } from '../../store.ts'
import { inSnapshot, confirmVersion } from '../../version.ts'
import type { Day } from './day.ts'
import { areSameBounds, openDayCache } from './day-cache.ts'
import { openDictionaries } from './dictionary.ts'
import { dayLoader } from './load-days.ts'
import { readDays, type SiteDay, siteDays } from './read-days.ts'
import { openMeasureCache, readClicks, readVitals } from './read-measures.ts'
import { hasAll, sealDay } from './sealed-day.ts'
import type { DayRequest, Source } from './source.ts'
import { addSums, type DayRange, dayRanges, openRange, type Width, WIDTHS, within } from './day-ranges.ts'
import { textsOf } from './texts.ts'

export interface Sources {
  /** Passes the source of a site, which reads from one snapshot. */
  at<T>(site: number, run: (source: Source) => Promise<T>): Promise<T>
  /** A day in sealed form; null if it does not exist. */
  seal(site: number, day: number): Promise<SealedAt | null>
}

/** A sealed day, and the `rev` at which it was read. */
export interface SealedAt {
  readonly rev: number
  /** Null if the day is empty. */
  readonly sealed: Sealed | null
}

/**
 * @param bytes limit for decoded days and texts
 * @param clock ms, from any origin
 */
export function openSources(store: Pick<Store, 'read'>, bytes: number, clock: () => number): Sources {
  const cache = openDayCache(Math.floor(bytes * 0.75), clock)
  const measures = openMeasureCache(Math.floor(bytes * 0.05))
  const loadDays = dayLoader(cache, clock)
  const dictionaries = openDictionaries(Math.floor(bytes * 0.2))

  /** The days, if all that is read is in memory; else null. */
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
  async function* daysIn(db: Db, site: number, ranges: readonly DayRange[], of: DayRequest['of']): AsyncGenerator<Day[]> {
    let single: SiteDay[] = []
    for (const range of ranges) {
      if (range.width === 1) {
        single.push(...range.days)
        continue
      }
      yield* loadDays(db, site, single, of)
      single = []
      yield [await rangeIn(db, site, range, range.width)]
    }
    yield* loadDays(db, site, single, of)
  }

  async function rangeIn(db: Db, site: number, range: DayRange, width: Width): Promise<Day> {
    const known = cache.range(site, range)?.sealed
    const lacking = [...(range.reads?.sums ?? [])].filter(number => !known?.has('sums', number))
    if (known && lacking.length === 0) return known.day
    const reads = { columns: new Set<number>(), sums: new Set(lacking) }
    const parts: Day[] = []
    const of = () => reads
    const narrower = dayRanges(within(width, range.days), { of, together: () => true })
    for await (const days of daysIn(db, site, narrower, of)) parts.push(...days)
    const sums = known ?? openRange(range.days, parts)
    addSums(sums, lacking, parts)
    cache.setRange(site, range, sums)
    return sums.day
  }

  return {
    at: (site, run) =>
      inSnapshot(store.read, db =>
        run({
          texts: textsOf(db, site, dictionaries),
          measures: measures.in(db, site),
          async days(from, to, request) {
            const list = await siteDays(db, site, from, to)
            await confirmVersion(db)
            const ranges = dayRanges({ from, to, list, widths: WIDTHS }, request)
            const known = inMemory(site, ranges, request)
            return known ? [known] : daysIn(db, site, ranges, request.of)
          },
        }),
      ),
    seal: (site, day) =>
      inSnapshot(store.read, async db => {
        const [siteDay] = await siteDays(db, site, day, day)
        const [built] = siteDay ? await readDays(db, site, [siteDay]) : []
        if (!siteDay || !built) return null
        if (built.visits.count === 0) return { rev: siteDay.rev, sealed: null }
        const [vitals, clicks] = [await readVitals(db, site, day, null), await readClicks(db, site, day, null)]
        return { rev: siteDay.rev, sealed: sealDay({ ...built, vitals, clicks }) }
      }),
  }
}

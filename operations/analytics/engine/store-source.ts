/** The rows and segments of a database as a source of days, remembered from query to query. */
import { readBlobs, readSegments, type Sealed } from '../../../storage/sealed/segments.ts'
import type { Db, Store } from '../../../storage/store.ts'
import { onlyReads } from '../../../storage/version.ts'
import type { Day } from './day.ts'
import { type Kept, openDayCache } from './day-cache.ts'
import { openDictionaries } from './dictionary.ts'
import { extendDay, readDays, type SiteDay, siteDays } from './read-days.ts'
import { openMeasureCache, readClicks, readVitals } from './read-measures.ts'
import { FORMAT } from './sealed-columns.ts'
import { openSealed, sealDay, type SealedDay, type Wanted } from './sealed-day.ts'
import type { Source, Wish } from './source.ts'
import { type Days, holdSums, openStretch, type Stretch, stretchesOf, type Width, within } from './stretches.ts'
import { textsOf } from './texts.ts'

export interface Sources {
  /** Hands over the source of a site, all of it as it is at one moment. */
  at<T>(site: number, run: (source: Source) => Promise<T>): Promise<T>
  /** A day as it would be sealed; null where there is none. */
  seal(site: number, day: number): Promise<SealedAt | null>
}

/** What a day is sealed as, and the `rev` at which it was read. */
export interface SealedAt {
  readonly rev: number
  /** Null where nothing is left of the day. */
  readonly sealed: Sealed | null
}

type WantedOf = (day: SiteDay) => Wanted | null

/** Visitors whose rows are read at a time, so that a few MB are on the way. */
const ROWS_AT_ONCE = 2_000
/** Visitors of sealed days whose columns are read at a time: 0.2 to 2 MB a column. */
const COLUMNS_AT_ONCE = 200_000

/**
 * @param bytes most that decoded days and texts take
 * @param clock ms, from anywhere
 */
export function openSources(store: Pick<Store, 'read'>, bytes: number, clock: () => number): Sources {
  const cache = openDayCache(Math.floor(bytes * 0.75), clock)
  const measures = openMeasureCache(Math.floor(bytes * 0.05))
  const dictionaries = openDictionaries(Math.floor(bytes * 0.2))

  /** Days without a segment, from their rows. @param all in order; what is here already has its place in `kept` */
  async function readMissing(db: Db, site: number, all: readonly SiteDay[], kept: Map<SiteDay, Kept>): Promise<void> {
    for (const missing of runsOf(all, day => !kept.has(day), ROWS_AT_ONCE)) {
      const began = clock()
      const days = await readDays(db, site, missing)
      const took = clock() - began
      const hits = days.reduce((sum, day) => sum + day.hits.count, 0)
      for (const [i, day] of days.entries()) {
        const siteDay = missing[i]
        if (!siteDay) continue
        kept.set(siteDay, { day, sealed: null })
        const isUpdate = cache.before(site, siteDay) !== undefined
        cache.set(site, siteDay, day, isUpdate ? (took * day.hits.count) / Math.max(1, hits) : 0)
      }
    }
  }

  /** Days that are here as they were before. */
  async function extend(db: Db, site: number, all: readonly SiteDay[], kept: Map<SiteDay, Kept>): Promise<void> {
    for (const siteDay of all) {
      const before = kept.has(siteDay) ? undefined : cache.before(site, siteDay)
      if (!before) continue
      const began = clock()
      const day = await extendDay(db, site, siteDay, before)
      if (!day) continue
      kept.set(siteDay, { day, sealed: null })
      cache.set(site, siteDay, day, clock() - began)
    }
  }

  async function openSegments(db: Db, site: number, all: readonly SiteDay[], kept: Map<SiteDay, Kept>): Promise<void> {
    const missing = all.filter(day => day.sealed && !kept.has(day))
    if (missing.length === 0) return
    const segments = await readSegments(db, site, missing, FORMAT)
    for (const siteDay of missing) {
      const segment = segments.get(siteDay.day)
      if (!segment) continue
      const sealed = openSealed(segment)
      kept.set(siteDay, { day: sealed.day, sealed })
      cache.setSealed(site, siteDay, sealed, 0)
    }
  }

  /** Has sealed days hold what is wanted of them. */
  async function bring(db: Db, site: number, kept: ReadonlyMap<SiteDay, Kept>, wanted: WantedOf): Promise<void> {
    for (const table of ['columns', 'sums'] as const) {
      const numbers = new Set<number>()
      const lacking = new Map<number, { siteDay: SiteDay; sealed: SealedDay }>()
      for (const [siteDay, { sealed }] of kept) {
        for (const number of (sealed && wanted(siteDay)?.[table]) ?? []) {
          if (sealed?.has(table, number) !== false) continue
          numbers.add(number)
          lacking.set(siteDay.day, { siteDay, sealed })
        }
      }
      if (numbers.size === 0) continue
      const days = [...lacking.keys()]
      const name = table === 'columns' ? 'segment_cols' : 'segment_sums'
      const blobs = await readBlobs(db, name, site, [...numbers], Math.min(...days), Math.max(...days))
      for (const { day, col, data } of blobs) {
        const { siteDay, sealed } = lacking.get(day) ?? {}
        if (!siteDay || !sealed || sealed.has(table, col)) continue
        cache.setSealed(site, siteDay, sealed, sealed.bring(table, col, data))
      }
    }
  }

  /** Stretches where the wish allows it, and days as they are. */
  async function* daysIn(db: Db, site: number, days: Days, wish: Wish): AsyncGenerator<Day[]> {
    let alone: SiteDay[] = []
    for (const stretch of stretchesOf(days, wish)) {
      if (stretch.width === 1) {
        alone.push(...stretch.days)
        continue
      }
      yield* eachOf(db, site, alone, wish.of)
      alone = []
      yield [await stretchIn(db, site, stretch, stretch.width, wish)]
    }
    yield* eachOf(db, site, alone, wish.of)
  }

  async function stretchIn(db: Db, site: number, stretch: Stretch, width: Width, wish: Wish): Promise<Day> {
    const [first] = stretch.days
    const known = cache.stretch(site, stretch)
    const lacking = [...(first && wish.of(first)?.sums) ?? []].filter(number => !known?.has('sums', number))
    if (known && lacking.length === 0) return known.day
    const wanted = { columns: new Set<number>(), sums: new Set(lacking) }
    const parts: Day[] = []
    const narrower = daysIn(db, site, within(width, stretch.days), { of: () => wanted, together: () => true })
    for await (const days of narrower) parts.push(...days)
    const sums = known ?? openStretch(stretch.days, parts)
    cache.setStretch(site, stretch, sums, holdSums(sums, lacking, parts))
    return sums.day
  }

  async function* eachOf(db: Db, site: number, all: readonly SiteDay[], wanted: WantedOf): AsyncGenerator<Day[]> {
    for (const some of runsOf(all, day => wanted(day) !== null, COLUMNS_AT_ONCE)) {
      const kept = new Map<SiteDay, Kept>()
      for (const siteDay of some) {
        const found = cache.get(site, siteDay)
        if (found) kept.set(siteDay, found)
      }
      await openSegments(db, site, some, kept)
      await extend(db, site, some, kept)
      await readMissing(db, site, some, kept)
      await bring(db, site, kept, wanted)
      yield some.flatMap(siteDay => kept.get(siteDay)?.day ?? [])
    }
  }

  const atOneMoment = <T>(read: (db: Db) => Promise<T>): Promise<T> =>
    store.read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(trx => {
      onlyReads(trx, store.read)
      return read(trx)
    })

  return {
    at: (site, run) => atOneMoment(db => run({
      texts: textsOf(db, site, dictionaries),
      measures: measures.in(db, site),
      async *days(from, to, wish) {
        yield* daysIn(db, site, { from, to, list: await siteDays(db, site, from, to), widths: [64, 8] }, wish)
      },
    })),
    seal: (site, day) => atOneMoment(async db => {
      const [siteDay] = await siteDays(db, site, day, day)
      const [built] = siteDay ? await readDays(db, site, [siteDay]) : []
      if (!siteDay || !built) return null
      if (built.visits.count === 0) return { rev: siteDay.rev, sealed: null }
      const [vitals, clicks] = [await readVitals(db, site, day, null), await readClicks(db, site, day, null)]
      return { rev: siteDay.rev, sealed: sealDay({ ...built, vitals, clicks }) }
    }),
  }
}

/** Neighbours among the days that are `of` it, of at most so many visitors together; one day at least. */
function* runsOf(days: readonly SiteDay[], of: (day: SiteDay) => boolean, most: number): Generator<SiteDay[]> {
  let run: SiteDay[] = []
  let visitors = 0
  for (const day of days) {
    const belongs = of(day)
    if (run.length > 0 && (!belongs || visitors + day.visitors > most)) {
      yield run
      run = []
      visitors = 0
    }
    if (!belongs) continue
    run.push(day)
    visitors += day.visitors
  }
  if (run.length > 0) yield run
}

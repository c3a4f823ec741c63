/** Loads days from the cache, their segments or their rows, whichever is fastest. */
import { readBlobs, readCopies, readSegments } from './segments.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../store.ts'
import { dayStoreOf } from '../../moved-days/day-stores.ts'
import type { Lacking } from './cluster-columns.ts'
import { loadCopies as loadFromCopies } from './copied-days.ts'
import type { Day, DayBounds } from './day.ts'
import type { CachedDay, DayCache } from './day-cache.ts'
import { extendDay, readDays } from './read-days.ts'
import type { SiteDay } from './site-days.ts'
import { PACKED_SUMS, READ_FORMATS } from './sealed-columns.ts'
import type { Reads } from './reads.ts'
import { openSealed, type SealedDay } from './sealed-day.ts'
import { readRuns } from './sum-runs.ts'

type ReadsOf = (day: DayBounds) => Reads | null

export interface DayLoader {
  /** As of the cache that it fills. */
  begin(): void
  /** Yields the days of which something is read, a few at a time. @param all in order */
  load(db: Db, site: number, all: readonly SiteDay[], reads: ReadsOf): AsyncIterable<Day[]>
  /** The days with a segment, with their columns in memory. */
  open(db: Db, site: number, all: readonly SiteDay[]): Promise<ReadonlyMap<SiteDay, SealedDay>>
}

/** Number of visitors whose rows are read at a time: a few MB. */
const ROWS_AT_ONCE = 2_000
/** Visitors of sealed days whose columns are read at a time: 0.2 to 2 MB a column. */
export const COLUMNS_AT_ONCE = 200_000

interface DayLoaderInput {
  readonly cache: DayCache
  readonly clock: () => number
  readonly cluster: Cluster | undefined
  readonly max: number
}

/**
 * @param clock ms, from any origin
 * @param cluster has the columns, and the rows, of some days
 * @param max rows of a table that are read at a time
 */
export function dayLoader({ cache, clock, cluster, max }: DayLoaderInput): DayLoader {
  /** Reads days without a segment from their rows. @param loaded days loaded so far; gets these too */
  async function readMissing(
    db: Db,
    { site, all, loaded }: { site: number; all: readonly SiteDay[]; loaded: Map<SiteDay, CachedDay> },
  ): Promise<void> {
    for (const missing of runsOfDays(all, day => !loaded.has(day), ROWS_AT_ONCE)) {
      const began = clock()
      const days = await readDays(db, { cluster, site, days: missing, max })
      const took = clock() - began
      const hits = days.reduce((sum, day) => sum + day.hits.count, 0)
      for (const [i, day] of days.entries()) {
        const siteDay = missing[i]
        if (!siteDay) continue
        loaded.set(siteDay, { day, sealed: null })
        const isUpdate = cache.before(site, siteDay) !== undefined
        cache.set(site, siteDay, { day, updateMs: isUpdate ? (took * day.hits.count) / Math.max(1, hits) : 0 })
      }
    }
  }

  /** Updates days that are cached at an earlier `rev`. */
  async function extend(
    db: Db,
    { site, all, loaded }: { site: number; all: readonly SiteDay[]; loaded: Map<SiteDay, CachedDay> },
  ): Promise<void> {
    for (const siteDay of all) {
      const before = loaded.has(siteDay) ? undefined : cache.before(site, siteDay)
      if (!before) continue
      const began = clock()
      const day = await extendDay(db, { site, siteDay, known: before, max })
      if (!day) continue
      loaded.set(siteDay, { day, sealed: null })
      cache.set(site, siteDay, { day, updateMs: clock() - began })
    }
  }

  async function openSegments(
    db: Db,
    { site, all, loaded }: { site: number; all: readonly SiteDay[]; loaded: Map<SiteDay, CachedDay> },
  ): Promise<void> {
    const missing = all.filter(day => day.sealed && !loaded.has(day))
    if (missing.length === 0) return
    const segments = await readSegments(db, { site, days: missing, format: READ_FORMATS })
    for (const siteDay of missing) {
      const segment = segments.get(siteDay.day)
      if (!segment) continue
      const sealed = openSealed(segment)
      loaded.set(siteDay, { day: sealed.day, sealed })
      cache.setSealed(site, siteDay, sealed)
    }
  }

  /** Loads missing columns of sealed days, using the boundaries of their segments. */
  async function loadColumns(
    db: Db,
    { site, loaded, reads }: { site: number; loaded: ReadonlyMap<SiteDay, CachedDay>; reads: ReadsOf },
  ): Promise<void> {
    for (const table of ['columns', 'sums'] as const) {
      const numbers = new Set<number>()
      const lacking = new Map<number, Lacking>()
      for (const [siteDay, { sealed }] of loaded) {
        for (const number of (sealed && reads(sealed.day)?.[table]) ?? []) {
          if (sealed?.has(table, number) !== false) continue
          numbers.add(number)
          lacking.set(siteDay.day, { siteDay, sealed })
        }
      }
      if (numbers.size === 0) continue
      if (table === 'columns') {
        const elsewhere = [...lacking.values()].filter(({ sealed }) => sealed.copy !== 0)
        for (const { siteDay } of await loadCopies(db, { site, days: elsewhere, numbers })) lacking.delete(siteDay.day)
      }
      const days = [...lacking.keys()]
      if (days.length === 0) continue
      const name = table === 'columns' ? 'segment_cols' : 'segment_sums'
      const stored = table === 'columns' ? [...numbers] : [...numbers].flatMap(number => [number, PACKED_SUMS + number])
      const blobs = await readBlobs(db, { table: name, site, numbers: stored, from: Math.min(...days), to: Math.max(...days) })
      for (const { day, col, data } of blobs) {
        const { siteDay, sealed } = lacking.get(day) ?? {}
        if (!siteDay || !sealed || sealed.has(table, col % PACKED_SUMS)) continue
        sealed.load(table, col, data)
        cache.setSealed(site, siteDay, sealed)
      }
      if (table === 'sums') {
        const isLacking = (day: number, number: number) => lacking.get(day)?.sealed.has('sums', number) === false
        const runs = await readRuns(db, { site, numbers, from: Math.min(...days), to: Math.max(...days), isLacking })
        for (const { day, number, sums } of runs) lacking.get(day)?.sealed.setSums(number, sums)
      }
      if (table === 'columns') await loadCopied(db, { site, all: [...lacking.values()], numbers })
      else {
        for (const { siteDay, sealed } of lacking.values()) {
          sealed.deriveSums(numbers)
          cache.setSealed(site, siteDay, sealed)
        }
      }
    }
  }

  /** Loads columns from copies. @returns the days whose copies were there */
  async function loadCopies(
    db: Db,
    of: { site: number; days: readonly Lacking[]; numbers: ReadonlySet<number> },
  ): Promise<readonly Lacking[]> {
    const loaded = await loadFromCopies(db, { ...of, cluster })
    for (const { siteDay, sealed } of loaded) cache.setSealed(of.site, siteDay, sealed)
    return loaded
  }

  /** Finds days that were copied after they were read into memory. */
  async function loadCopied(
    db: Db,
    { site, all, numbers }: { site: number; all: readonly Lacking[]; numbers: ReadonlySet<number> },
  ): Promise<void> {
    const missing = all.filter(({ sealed }) => [...numbers].some(number => !sealed.has('columns', number)))
    if (missing.length === 0) return
    const days = missing.map(({ siteDay }) => siteDay)
    const copied = new Map((await readCopies(db, { site, days, format: READ_FORMATS })).map(({ day, copy }) => [day, copy]))
    for (const { siteDay, sealed } of missing) sealed.copy = copied.get(siteDay.day) ?? 0
    const away = missing.filter(({ sealed }) => sealed.copy !== 0)
    const found = new Set(await loadCopies(db, { site, days: away, numbers }))
    const lost = away.find(day => !found.has(day))
    if (lost) throw dayStoreOf(lost.sealed.copy, cluster).incomplete(lost.siteDay.day)
  }

  async function opened(db: Db, site: number, all: readonly SiteDay[]): Promise<Map<SiteDay, CachedDay>> {
    const loaded = new Map<SiteDay, CachedDay>()
    for (const siteDay of all) {
      const found = cache.get(site, siteDay)
      if (found) loaded.set(siteDay, found)
    }
    await openSegments(db, { site, all, loaded })
    return loaded
  }

  return {
    begin: () => cache.begin(),
    async *load(db, site, all, reads) {
      for (const some of runsOfDays(all, day => reads(day) !== null, COLUMNS_AT_ONCE)) {
        const loaded = await opened(db, site, some)
        await extend(db, { site, all: some, loaded })
        await readMissing(db, { site, all: some, loaded })
        await loadColumns(db, { site, loaded, reads })
        yield some.flatMap(siteDay => loaded.get(siteDay)?.day ?? [])
      }
    },
    async open(db, site, all) {
      const found = new Map<SiteDay, SealedDay>()
      for (const [siteDay, { sealed }] of await opened(db, site, all)) if (sealed) found.set(siteDay, sealed)
      return found
    },
  }
}

/** Runs of adjacent days for which `of` is true, with a limited number of visitors together, but at least one day. */
export function* runsOfDays<D extends SiteDay>(days: readonly D[], of: (day: D) => boolean, max: number): Generator<D[]> {
  let run: D[] = []
  let visitors = 0
  for (const day of days) {
    const belongs = of(day)
    if (run.length > 0 && (!belongs || visitors + day.visitors > max)) {
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

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
import { counterIn, MAX_FETCHED } from './count-elsewhere.ts'
import { openDayCache } from './day-cache.ts'
import { openDictionaries } from './dictionary.ts'
import { dayLoader } from './load-days.ts'
import { ROWS_A_PIECE } from './read-in-pieces.ts'
import { readDays } from './read-days.ts'
import { siteDays } from './site-days.ts'
import { clicksIn, openMeasureCache, readClicks, readVitals, vitalsIn } from './read-measures.ts'
import { readRows } from './read-rows.ts'
import { READ_FORMATS } from './sealed-columns.ts'
import { sealDay } from './sealed-day.ts'
import type { Source } from './source.ts'
import type { Scope } from '../vocabulary/scope.ts'
import { daysOf } from './days-of.ts'
import type { Group } from './group/group-source.ts'
import { textsOf } from './texts.ts'

export interface Sources {
  /** Passes the source of a site, or of the sites of a group, which reads from one snapshot. */
  at<T>(scope: Pick<Scope, 'site' | 'members' | 'isClockTime'>, run: (source: Source) => Promise<T>): Promise<T>
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
  /** Blocks of a packed copy. */
  readonly blocks?: readonly Uint8Array[]
}

interface OpenSources {
  readonly bytes: number
  readonly clock: () => number
  readonly max?: number | undefined
  readonly fetched?: number | undefined
}

/**
 * @param bytes limit for decoded days and texts
 * @param clock ms, from any origin
 * @param max rows of a table that are read at a time
 * @param fetched numbers of a cluster's columns that are fetched rather than counted there
 */
export function openSources(
  store: Pick<Store, 'read' | 'cluster' | 'dialect'>,
  { bytes, clock, max = ROWS_A_PIECE, fetched = MAX_FETCHED }: OpenSources,
): Sources {
  const { cluster } = store
  let epoch: unknown
  const opened = () => openCaches(cluster, { bytes, clock, max, fetched })
  let sourceIn = opened()

  /** After a failover, a `rev` or an id in memory may belong to a lost commit, and may be used again. */
  function current(db: Db): typeof sourceIn {
    const now = epochOf(db)
    if (now !== epoch) sourceIn = opened()
    epoch = now
    return sourceIn
  }

  return {
    at: ({ site, members, isClockTime = false }, run) =>
      members === undefined
        ? inSnapshot(store.read, [site], db => run(current(db).site(db, site)))
        : inSnapshot(
            store.read,
            members.map(one => one.site),
            async db => run(await current(db).group(db, { members, isClockTime })),
          ),
    seal: (site, day, copy) =>
      inSnapshot(store.read, [site], async db => {
        const [siteDay] = await siteDays(db, site, day, day)
        if (!siteDay) return null
        const at = { rev: siteDay.rev, epoch: await store.dialect.epoch(db) }
        if (copy === PACK || (cluster && copy !== 0)) {
          const rows = await readRows(db, { cluster, site, siteDay, max })
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
        const [built] = await readDays(db, { cluster, site, days: [siteDay], max })
        if (!built) return null
        if (built.visits.count === 0) return { ...at, sealed: null, copied: null }
        const [vitals, clicks] =
          siteDay.moved !== 0
            ? await movedRows(db, { cluster, site }, { day, copy: siteDay.moved }).then(rows => [vitalsIn(rows), clicksIn(rows)] as const)
            : [await readVitals(db, { site, day, page: null, max }), await readClicks(db, { site, day, page: null, max })]
        return { ...at, sealed: sealDay({ ...built, vitals, clicks }), copied: null }
      }),
    matches: (site, day, copy) =>
      inSnapshot(store.read, [site], async db => {
        const [siteDay] = await siteDays(db, site, day, day)
        if (!siteDay || siteDay.moved !== 0 || copy !== packedCopy(siteDay.rev)) return false
        const here = await readRows(db, { cluster, site, siteDay, max })
        return areSameRows(here, await movedRows(db, { cluster, site }, { day, copy }))
      }),
  }
}

interface OpenCaches {
  readonly bytes: number
  readonly clock: () => number
  readonly max: number
  readonly fetched: number
}

interface Caches {
  site(db: Db, site: number): Source
  group(db: Db, group: Group): Promise<Source>
}

function openCaches(cluster: Cluster | undefined, { bytes, clock, max, fetched }: OpenCaches): Caches {
  const cache = openDayCache(Math.floor(bytes * 0.75), clock)
  const measures = openMeasureCache(Math.floor(bytes * 0.05), cluster, max)
  const loader = dayLoader({ cache, clock, cluster, max })
  const countIn = cluster && counterIn(cluster, loader, fetched)
  const dictionaries = openDictionaries(Math.floor(bytes * 0.2))
  /** Loaded with the first question about a group. Days of sites that make up a day of the group are not kept as well. */
  let groups: Promise<(db: Db, group: Group) => Source> | undefined
  const openGroups = async () => {
    const passing = openDayCache(Math.floor(bytes * 0.05), clock)
    const loader = dayLoader({ cache: passing, clock, cluster, max })
    return (await import('./group/group-source.ts')).openGroups({ bytes: Math.floor(bytes * 0.25), cache, measures, loader, dictionaries })
  }

  return {
    site: (db, site) => ({
      texts: textsOf(db, site, dictionaries),
      measures: measures.in(db, site),
      count: countIn?.(db, site),
      async days(from, to, request) {
        const list = await siteDays(db, site, from, to)
        await confirmVersion(db)
        return daysOf(cache, { key: site, load: (days, of) => loader.load(db, site, days, of) }, { from, to, list, request })
      },
    }),
    group: async (db, group) => (await (groups ??= openGroups()))(db, group),
  }
}

/** Reads days from their copies, in whichever store these are: columns of sealed days, and days without a segment. */
import type { Cluster } from '../../cluster/cluster.ts'
import { movedRows } from '../../moved-days/copies.ts'
import { byStore, type StoreName } from '../../moved-days/day-store.ts'
import type { Db } from '../../store.ts'
import { daysFromBlocks, loadFromBlocks } from './block-columns.ts'
import { buildDay } from './build-day.ts'
import { type Lacking, loadFromCluster } from './cluster-columns.ts'
import type { Day } from './day.ts'
import type { SiteDay } from './site-days.ts'

interface In {
  readonly cluster: Cluster | undefined
  readonly site: number
}

interface CopiedDays {
  /**
   * Loads columns of sealed days.
   * @returns days whose copy is not there: they have been sealed otherwise since they were read into memory
   * @throws StorageUnavailable `cluster`
   */
  load(db: Db, of: In & { readonly days: readonly Lacking[]; readonly numbers: ReadonlySet<number> }): Promise<readonly Lacking[]>
  /** Days whose rows have left. @throws StorageUnavailable `cluster` */
  read(db: Db, of: In & { readonly days: readonly SiteDay[] }): Promise<Day[]>
}

const stores: Readonly<Record<StoreName, CopiedDays>> = {
  packed: { load: loadFromBlocks, read: daysFromBlocks },
  clickhouse: {
    async load(db, of) {
      await loadFromCluster(db, of)
      return []
    },
    async read(db, { cluster, site, days }) {
      const built: Day[] = []
      for (const day of days) built.push(buildDay(day, await movedRows(db, { cluster, site }, { day: day.day, copy: day.moved })))
      return built
    },
  },
}

/** Loads columns from copies. @returns the days whose copies were there */
export async function loadCopies(db: Db, of: Parameters<CopiedDays['load']>[1]): Promise<readonly Lacking[]> {
  const missing = new Set<Lacking>()
  for (const [name, days] of byStore(of.days, ({ sealed }) => sealed.copy)) {
    for (const day of await stores[name].load(db, { ...of, days })) missing.add(day)
  }
  return of.days.filter(day => !missing.has(day))
}

/** Days whose rows have left, by number. */
export async function readMoved(db: Db, of: Parameters<CopiedDays['read']>[1]): Promise<Map<number, Day>> {
  const found = new Map<number, Day>()
  for (const [name, days] of byStore(of.days, ({ moved }) => moved)) {
    for (const day of await stores[name].read(db, { ...of, days })) found.set(day.day, day)
  }
  return found
}

/**
 * Where copies of closed days are: packed in the database itself, or in ClickHouse. A copy has everything that the rows of its
 * day have, and never changes. The number of a copy says where it is.
 */
import { type Cluster, type Copy, incompleteIn } from '../cluster/cluster.ts'
import type { CopyOf } from '../cluster/day-blocks.ts'
import type { DayRows } from '../cluster/day-rows.ts'
import { joinedRows, packDay, unpackRows } from '../packed/day-blocks.ts'
import type { Db } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'

export interface DayStore {
  /**
   * Makes a copy of the rows of a day.
   * @returns the blocks that the database is to store in the transaction in which the day begins to use the copy; none if the
   * copy is complete elsewhere
   * @throws StorageUnavailable `cluster`
   * @throws Error if the rows do not belong together, or if another copy was stored than was written
   */
  put(of: CopyOf, rows: DayRows): Promise<readonly Uint8Array[]>
  /** All rows of a copy. @throws StorageUnavailable `cluster`, also if only a part of them is there */
  rows(db: Db, site: number, copy: Copy): Promise<DayRows>
}

/** The number of a packed copy, from the `rev` of the day: another process packs the same rows under the same number. */
export const packedCopy = (rev: number): number => -1 - rev
export const isPacked = (copy: number): boolean => copy < 0

/** @param copy its number @throws StorageUnavailable if this process does not know of the cluster */
export const dayStoreOf = (copy: number, cluster: Cluster | undefined): DayStore =>
  isPacked(copy) ? packedDays : clusterDays(clusterOf(cluster))

const packedDays: DayStore = {
  async put(_, rows) {
    return [...packDay(rows)]
  },
  async rows(db, site, { day }) {
    const parts: DayRows[] = []
    for (const data of await blocksOf(db, site, day)) {
      parts.push(unpackRows(data))
      await yieldWhereDue()
    }
    if (parts.length === 0) throw incompleteIn(day)
    return joinedRows(parts)
  },
}

const clusterDays = (cluster: Cluster): DayStore => ({
  async put(of, rows) {
    await cluster.write(of, rows)
    return []
  },
  rows: (_, site, copy) => cluster.rows(site, copy),
})

/** The blocks of a day, in order. */
export async function blocksOf(db: Db, site: number, day: number): Promise<Uint8Array[]> {
  const ofDay = db.selectFrom('day_blocks').select('data').where('site_id', '=', site).where('day', '=', day)
  return (await ofDay.orderBy('block').execute()).map(({ data }) => data)
}

/** @throws StorageUnavailable if this process does not know of the cluster */
export function clusterOf(cluster: Cluster | undefined): Cluster {
  if (!cluster)
    throw new StorageUnavailable('cluster', 'This day is in ClickHouse, which this process is not connected to: CLICKHOUSE_URL is not set.')
  return cluster
}

/** Copies of days in ClickHouse. */
import { sql, type SqlBool } from 'kysely'
import { type Cluster, incompleteIn } from '../cluster/cluster.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'
import type { DayStore } from './day-store.ts'

export const clusterDays = (cluster: Cluster | undefined): DayStore => ({
  name: 'clickhouse',
  async put(of, rows) {
    await clusterOf(cluster).write(of, rows)
    return []
  },
  async use(trx, { site, day }, { copy, ...note }, now) {
    const ofDay = trx.updateTable('clickhouse_copies').where('site_id', '=', site).where('day', '=', day)
    const { numUpdatedRows } = await ofDay.set(note).where('copy', '=', copy).where('drop_at', '>', now).executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },
  async isWhole(_, { site, day, copy, visits, hits }) {
    const counts = { visits: 'count()', hits: 'sum(length(h_at))' }
    const { column } = await clusterOf(cluster).select('footfall_visits', site, [{ day, copy }], counts, 'day', 'day')
    return (column('visits').values[0] ?? 0) === visits && (column('hits').values[0] ?? 0) === hits
  },
  async *parts(_, site, copy) {
    yield await clusterOf(cluster).rows(site, copy)
  },
  incomplete: incompleteIn,
  // Its number is its own, and the segment has the `rev`.
  isCurrent: copy => sql<SqlBool>`exists (
    select 1 from segments s
    where s.site_id = site_days.site_id and s.day = site_days.day and s.copy = ${copy} and s.rev = site_days.rev)`,
})

/** @throws StorageUnavailable if this process does not know of the cluster */
export function clusterOf(cluster: Cluster | undefined): Cluster {
  if (!cluster)
    throw new StorageUnavailable('cluster', 'This day is in ClickHouse, which this process is not connected to: CLICKHOUSE_URL is not set.')
  return cluster
}

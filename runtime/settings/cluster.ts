/** Sealed days that are not in the database (docs/clickhouse.md): for operations that read them, and for health checks. */
import { sql } from 'kysely'
import type { Cluster } from '../../storage/cluster/cluster.ts'
import type { Store } from '../../storage/store.ts'
import type { Gauge } from '../observability/metrics.ts'
import { resource } from './resource.ts'

/** Undefined if all days are in the database. The store closes it. */
export const cluster = resource<Cluster | undefined>({ name: 'cluster', open: ({ store }) => store.cluster, close: async () => {} })

/** A cluster that takes longer than this counts as lost, ms. */
const patience = 2_000

/** Whether all of its shards answer; undefined without a cluster. */
export async function clusterAnswers({ store }: { readonly store: Store }): Promise<boolean | undefined> {
  if (!store.cluster) return undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, patience, false)
  })
  const answer = store.cluster.ping().then(
    () => true,
    () => false,
  )
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Gauges of the cluster in `/metrics`; none without one. */
export async function clusterGauges({ store }: { readonly store: Store }): Promise<Gauge[]> {
  const answers = await clusterAnswers({ store })
  if (answers === undefined) return []
  const { rows } = await sql<{ copied: number; moved: number; dropped: number }>`
    select count(*) filter (where drop_at is null) as copied, count(*) filter (where drop_at is null and emptied = 1) as moved,
      count(*) filter (where drop_at is not null) as dropped
    from clickhouse_copies where copy > 0`.execute(store.read)
  const { copied = 0, moved = 0, dropped = 0 } = rows[0] ?? {}
  const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, values: [{ labels: {}, value }] })
  return [
    gauge('clickhouse_up', 'Whether all shards of the ClickHouse cluster answer.', answers ? 1 : 0),
    gauge('clickhouse_day_sets', 'Days of sites whose columns are in ClickHouse.', copied),
    gauge('clickhouse_day_sets_moved', 'Days of sites whose rows are only in ClickHouse.', moved),
    gauge('clickhouse_copies_dropped', 'Copies of days that are to be deleted from ClickHouse.', dropped),
  ]
}

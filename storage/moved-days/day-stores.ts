/** The stores of copies by their names. */
import type { Cluster } from '../cluster/cluster.ts'
import { clusterDays } from './cluster-days.ts'
import { type DayStore, type StoreName, storeNameOf } from './day-store.ts'
import { packedDays } from './packed-days.ts'

const stores: Readonly<Record<StoreName, (cluster: Cluster | undefined) => DayStore>> = {
  packed: () => packedDays,
  clickhouse: cluster => clusterDays(cluster),
}

/** @param copy its number; never 0 */
export const dayStoreOf = (copy: number, cluster: Cluster | undefined): DayStore => stores[storeNameOf(copy)](cluster)

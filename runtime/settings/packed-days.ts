/** Gauges of the days that are packed in the database (docs/operations.md). */
import { sql } from 'kysely'
import { toPack } from '../../storage/moved-days/to-pack.ts'
import type { Store } from '../../storage/store.ts'
import type { Gauge } from '../observability/metrics.ts'
import type { Config } from './config.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

/** Waiting days that are counted: each costs a look at its visits. */
const MAX_COUNTED = 5_000

/** Gauges of packed days; none if there are none, and none are to be packed. */
export async function packedGauges({ store, config, now }: { store: Store; config: Config; now(): number }): Promise<Gauge[]> {
  const after = store.cluster ? null : config.PACK_AFTER_DAYS
  const waiting = sql`select 1 from site_days d where ${toPack({ now: now(), graceMs: (after ?? 0) * DAY_MS })} limit ${MAX_COUNTED}`
  const { rows } = await sql<{ packed: number; waiting: number }>`
    select (select count(*) from clickhouse_copies where copy < 0 and emptied = 1) as packed,
      ${after === null ? sql`0` : sql`(select count(*) from (${waiting}) w)`} as waiting`.execute(store.read)
  const { packed = 0, waiting: left = 0 } = rows[0] ?? {}
  if (packed === 0 && after === null) return []
  const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, values: [{ labels: {}, value }] })
  return [
    gauge('packed_day_sets', 'Days of sites whose rows are only in blocks.', packed),
    gauge('packed_day_sets_waiting', `Days of sites that are to be packed; at most ${MAX_COUNTED} are counted.`, left),
  ]
}

import { task, type TaskContext } from '../../../runtime/table/task.ts'
import { dropCopies, repeatNotes } from '../../../storage/moved-days/copies.ts'
import { moveOut, rowTables } from '../../../storage/moved-days/moving.ts'
import { appliedAt } from '../../../storage/migrations/applied.ts'
import type { Store } from '../../../storage/store.ts'
import { engine } from './engine.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

export const days_seal = task({
  name: 'days_seal',
  summary: 'Writes finished days as columns and sums, 15 minutes after they ended',
  every: MINUTE_MS,
  lease: 2 * MINUTE_MS,
  shared: true,
  async run({ store, now, signal, use, log, progress }) {
    await repeatNotes(store)
    const more = await use(engine).sealDays({
      now,
      signal,
      progress: done => progress(done, null),
      failed: ({ site, day }, err) => log.error({ site, day, err }, 'a day could not be sealed'),
    })
    return { more }
  },
})

/** How long processes of the previous version may serve during an update. The oldest of them would read the rows that have left. */
const UPDATE_MS = 24 * HOUR_MS

export const days_pack = task({
  name: 'days_pack',
  summary: 'Packs sealed days into blocks after `PACK_AFTER_DAYS`, the oldest first, and deletes their rows',
  every: 10 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run({ store, config, use, now, signal, log, progress }) {
    if (config.PACK_AFTER_DAYS === null || store.cluster) return
    if (store.isShared && now() < (await appliedAt(store, '2026-11-27-1-packed-days')) + UPDATE_MS) return
    const more = await use(engine).packDays({
      now,
      graceMs: config.PACK_AFTER_DAYS * DAY_MS,
      signal,
      progress: done => progress(done, null),
      failed: ({ site, day }, err) => log.error({ site, day, err }, 'a day could not be packed'),
    })
    if (!more && !signal.aborted && store.isShared) await shrink({ store, now, log })
    return { more }
  },
})

/** By store, when the tables are looked at again after some were in use. */
const notBefore = new WeakMap<Store, number>()

/** Gives the space of rows that have left back to the file system. */
async function shrink({ store, now, log }: Pick<TaskContext, 'store' | 'now' | 'log'>): Promise<void> {
  if (now() < (notBefore.get(store) ?? 0)) return
  const { shrinkTables } = await import('../../../storage/moved-days/postgres-space.ts')
  const { written, busy } = await shrinkTables(store, [...rowTables, 'segment_cols', 'segment_sums'])
  if (written.length > 0) log.info({ tables: written }, 'tables whose rows were packed were rewritten without their free space')
  if (busy.length > 0) notBefore.set(store, now() + 6 * HOUR_MS)
}

export const days_move = task({
  name: 'days_move',
  summary: 'With ClickHouse: deletes rows of days that are in ClickHouse, after `CLICKHOUSE_GRACE_DAYS`, and copies that no day needs',
  every: 10 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run({ store, config, now, signal, progress }) {
    await dropCopies(store, now())
    if (!store.cluster) return
    const graceMs = config.CLICKHOUSE_GRACE_DAYS * DAY_MS
    return { more: await moveOut(store, { now, graceMs, signal, progress: done => progress(done, null) }) }
  },
})

/** One run of a sync: sends due days one by one, and records each sent day. */
import { m } from './messages.ts'
import { storedSentence, valueTerm } from '../../../runtime/texts/message.ts'
import { sql } from 'kysely'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import type { Trx } from '../../../storage/store.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { tables, type Texts, textsOf } from '../exports/index.ts'
import type { DayState } from './cut-days.ts'
import { type DueDay, pendingDays, stateOf } from './due.ts'
import { afterFailure, healthy, CHECK_MS, statusOf } from './health.ts'
import { LeaseLost, type SyncLease, syncLease } from './lease.ts'
import { mailCreator } from './notice.ts'
import { ids, tablesOf } from './records.ts'
import { openWarehouse } from './open.ts'
import { type SentFigures, type Warehouse, WarehouseError } from './warehouse.ts'

/** A run ends after this time; the next continues at once. */
const RUN_MS = 600_000
/** How often a day that changes while it is read is sent before the run fails. */
const MAX_TRIES = 3

class DayChanged extends Error {}

type Context = Pick<TaskContext, 'store' | 'use' | 'now' | 'config' | 'signal' | 'log' | 'newId'>
type Total = SentFigures & { readonly days: number }

/** Runs a sync that the process has leased, and stores how it ended. @throws StorageUnavailable */
export async function runSync(context: Context, sync: WarehouseSyncRow): Promise<void> {
  const { store, now, config, log, signal } = context
  const lease = syncLease(store, { sync, now, signal })
  const pending = await pendingDays(store.read, sync, { now: now(), config })
  const due = pending.filter(({ isDue }) => isDue)
  const total = { days: 0, rows: 0, bytes: 0 }
  let run: string | null = null
  try {
    if (due.length > 0 || sync.requested === 1) run = await beginRun(context, sync, lease)
    const isDone = due.length === 0 || (await sendDays(context, { sync, lease, due, total }))
    await settle(context, { sync, lease, run, total, isDone })
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error // its lease expires, and the next run continues
    // The request of a suspended process fails, which says nothing about the destination.
    if (error instanceof LeaseLost || lease.until <= now()) {
      if (signal.aborted) await release(context, sync, lease)
      return endRun(context, { run, total, status: 'interrupted', failure: null })
    }
    const failure =
      error instanceof WarehouseError
        ? error
        : new WarehouseError('internal_error', m.internal_error({ code: valueTerm('internal_error') }))
    if (error !== failure) log.error({ sync: sync.id, err: error }, 'a warehouse sync failed')
    run ??= await beginRun(context, sync, lease)
    await settleFailure(context, { sync, lease, failure })
    await endRun(context, { run, total, status: 'failed', failure })
  }
}

interface SendDays {
  readonly sync: WarehouseSyncRow
  readonly lease: SyncLease
  readonly due: readonly DueDay[]
  readonly total: { days: number; rows: number; bytes: number }
}

/** Sends the due days and adds them to `total`. @returns whether all were sent before the run had to end */
async function sendDays(context: Context, { sync, lease, due, total }: SendDays): Promise<boolean> {
  const { store, now, config, use } = context
  const endsAt = now() + RUN_MS
  const texts = new Map<string, Texts>()
  await lease.hold()
  const warehouse = await openWarehouse(sync, { config, box: use(secretBox), db: store.read, tables: tablesOf(sync), now })
  try {
    for (const day of due) {
      if (now() > endsAt) return false
      const known = texts.get(day.site.id)
      if (!known) texts.clear() // holds the texts of one site at a time
      const textsOfSite = known ?? textsOf(store.read, day.site.number)
      texts.set(day.site.id, textsOfSite)
      const sent = await sendDay(context, { sync, lease, warehouse, day, texts: textsOfSite })
      total.days++
      total.rows += sent.rows
      total.bytes += sent.bytes
    }
    return true
  } finally {
    await warehouse.close()
  }
}

interface SendDay {
  readonly sync: WarehouseSyncRow
  readonly lease: SyncLease
  readonly warehouse: Warehouse
  readonly day: DueDay
  readonly texts: Texts
}

async function sendDay({ store, now }: Context, { sync, lease, warehouse, day, texts }: SendDay): Promise<SentFigures> {
  for (let tries = 1; ; tries++) {
    const { rev, stored }: DayState = (await stateOf(store.read, day)) ?? { rev: day.rev, stored: [] }
    const { columns, rowsOf } = tables[day.table]
    try {
      const sent = await warehouse.send({
        table: day.table,
        columns,
        site: day.site.id,
        date: dateOf(day.day),
        rev,
        async *rows() {
          const options = { site: day.site, shownAs: day.day, texts, now: now() }
          for (const part of stored) yield* rowsOf(store, { ...options, day: part.day, part: part.part })
        },
        assertLease: lease.hold,
        async assertUnchanged() {
          if (((await stateOf(store.read, day))?.rev ?? rev) !== rev) throw new DayChanged()
        },
      })
      await recordSent(store, { sync, lease, day, rev, at: now() })
      return sent
    } catch (error) {
      if (!(error instanceof DayChanged)) throw error
      if (tries === MAX_TRIES) throw new WarehouseError('day_changing', m.day_changing({ code: valueTerm('day_changing') }))
    }
  }
}

/**
 * Locks the sync in a transaction, so that no other process takes it until the end. A change of the sync takes the lease and
 * forgets the days sent to the earlier destination. @throws LeaseLost
 */
async function keepLease(trx: Trx, { id }: WarehouseSyncRow, { until }: SyncLease): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('warehouse_syncs')
    .set(({ ref }) => ({ leased_until: ref('leased_until') }))
    .where('id', '=', id)
    .where('leased_until', '=', until)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new LeaseLost()
}

interface SentDay {
  readonly sync: WarehouseSyncRow
  readonly lease: SyncLease
  readonly day: DueDay
  readonly rev: number
  readonly at: number
}

/** Records that a day was sent. @throws LeaseLost */
function recordSent(store: Context['store'], { sync, lease, day, rev, at }: SentDay): Promise<void> {
  return store.transaction(async trx => {
    await keepLease(trx, sync, lease)
    await trx.updateTable('warehouse_syncs').set({ last_error: null }).where('id', '=', sync.id).execute()
    await trx
      .insertInto('warehouse_sync_days')
      .values({ sync_id: sync.id, table_name: day.table, site_id: day.site.id, day: day.day, rev, sent_at: at })
      .onConflict(conflict => conflict.columns(['sync_id', 'table_name', 'site_id', 'day']).doUpdateSet({ rev, sent_at: at }))
      .execute()
  })
}

/** Stores the start of a run. @returns its id @throws LeaseLost */
async function beginRun({ store, now, newId }: Context, sync: WarehouseSyncRow, lease: SyncLease): Promise<string> {
  const id = newId(ids.warehouse_sync_run)
  await store.transaction(async trx => {
    await keepLease(trx, sync, lease) // so an earlier run has ended
    await trx
      .updateTable('warehouse_sync_runs')
      .set({ status: 'interrupted', finished_at: now() })
      .where('sync_id', '=', sync.id)
      .where('status', '=', 'running')
      .execute()
    await trx
      .insertInto('warehouse_sync_runs')
      .values({
        id,
        sync_id: sync.id,
        status: 'running',
        requested: sync.requested,
        days: 0,
        rows_sent: 0,
        bytes: 0,
        error_code: null,
        error_message: null,
        started_at: now(),
        finished_at: null,
      })
      .execute()
  })
  return id
}

interface EndRun {
  readonly run: string | null
  readonly total: Total
  readonly status: 'completed' | 'failed' | 'interrupted'
  readonly failure: WarehouseError | null
}

async function endRun({ store, now }: Context, { run, total: { days, rows, bytes }, status, failure }: EndRun): Promise<void> {
  if (run === null) return
  await store.write
    .updateTable('warehouse_sync_runs')
    .set({
      status,
      days,
      rows_sent: rows,
      bytes,
      finished_at: now(),
      error_code: failure?.code ?? null,
      error_message: failure === null ? null : storedSentence(failure.sentence),
    })
    .where('id', '=', run)
    .where('status', '=', 'running')
    .execute()
}

/** Releases the sync for the next process. */
async function release({ store, now }: Context, sync: WarehouseSyncRow, lease: SyncLease): Promise<void> {
  await store.write
    .updateTable('warehouse_syncs')
    .set({ leased_until: null, next_at: now() })
    .where('id', '=', sync.id)
    .where('leased_until', '=', lease.until)
    .execute()
}

interface Settle {
  readonly sync: WarehouseSyncRow
  readonly lease: SyncLease
  readonly run: string | null
  readonly total: Total
  readonly isDone: boolean
}

async function settle(context: Context, { sync, lease, run, total, isDone }: Settle): Promise<void> {
  const { store, now, config } = context
  const pending = await pendingDays(store.read, { ...sync, requested: 0 }, { now: now(), config })
  const isEmpty = pending.length === 0
  await endRun(context, { run, total, status: 'completed', failure: null })
  await store.write
    .updateTable('warehouse_syncs')
    .set({
      ...healthy,
      ...nextRun(sync, isDone && !pending.some(({ isDue }) => isDue) ? now() + CHECK_MS : now(), now()),
      lag_days: lagDays(pending),
      ...(isEmpty && { last_synced_at: now() }),
      leased_until: null,
    })
    .where('id', '=', sync.id)
    .where('leased_until', '=', lease.until)
    .execute()
}

/** The number of days of which a table is not sent yet. */
const lagDays = (pending: readonly DueDay[]): number => new Set(pending.map(({ day }) => day)).size

/** When the next run is due: at `next`, or at once if a member has requested a run during this one. */
const nextRun = ({ requested }: WarehouseSyncRow, next: number | null, now: number) => ({
  requested: 0,
  next_at: next,
  ...(requested === 0 && {
    requested: sql<number>`requested`,
    next_at: sql<number | null>`case when requested = 1 then cast(${now} as bigint) else cast(${next} as bigint) end`,
  }),
})

async function settleFailure(
  context: Context,
  { sync, lease, failure }: { sync: WarehouseSyncRow; lease: SyncLease; failure: WarehouseError },
): Promise<void> {
  const { store, now, config } = context
  const pending = await pendingDays(store.read, sync, { now: now(), config })
  const after = afterFailure(sync, now(), failure.sentence)
  await store.transaction(async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('warehouse_syncs')
      .set({ ...after, ...nextRun(sync, after.next_at, now()), lag_days: lagDays(pending), leased_until: null })
      .where('id', '=', sync.id)
      .where('leased_until', '=', lease.until)
      .executeTakeFirstOrThrow()
    const status = statusOf(after)
    if (numUpdatedRows > 0n && status !== statusOf(sync))
      await mailCreator({ ...context, db: trx, now: now() }, { sync, status, error: failure.sentence })
  })
}

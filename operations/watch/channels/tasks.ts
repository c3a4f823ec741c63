import { sql } from 'kysely'
import { holds, laneClaim } from '../../../runtime/tasks/lease.ts'
import { task, type TaskContext } from '../../../runtime/table/task.ts'
import { processDueRows } from '../../../runtime/tasks/process-due-rows.ts'
import { storedSentence } from '../../../runtime/texts/message.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import type { NotificationRow } from '../../../storage/tables/index.ts'
import { SENDING_MS } from '../../people/mail/index.ts'
import { send } from './send.ts'
import { notifications_total } from './meters.ts'
import { DAY_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

const queue = { table: 'notifications', due: 'due_at' } as const
/**
 * Attempts under way at once. Each channel has at most one, whichever worker makes it, so its messages stay in order and a
 * channel that hangs delays no other.
 */
const LANES = 100
/** Longer than any attempt takes. Mails take longest. */
const LEASE_MS = 120_000

/** Delays between attempts, ms: the first entry follows the first attempt. */
const PAUSES = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS]
const KEPT_MS = 90 * DAY_MS

export const notifications_send = task({
  name: 'notifications_send',
  summary: 'Sends messages to notification channels',
  every: 2_000,
  lease: MINUTE_MS,
  shared: true,
  queue,
  run(context) {
    const { store, signal, now } = context
    const claimOf = laneClaim(store, queue, 'channel_id')
    return processDueRows<NotificationRow, void>({
      max: LANES,
      signal,
      laneOf: ({ channel_id }) => channel_id,
      async claim(free, busy) {
        const waiting = (await channelsDue(store.read, now())).filter(id => !busy.has(id)).slice(0, free)
        if (waiting.length === 0) return []
        return store.transaction(async trx => {
          const lanes = (await idleChannels(store, { trx, among: waiting, now: now() })).map(name => ({ name, places: 1 }))
          return claimOf(trx, lanes, { now: now(), leaseMs: LEASE_MS })
        })
      },
      work: row => attempt(row, context),
    })
  },
})

async function channelsDue(db: Db, now: number): Promise<string[]> {
  const due = await db
    .selectFrom('notifications')
    .select('channel_id')
    .distinct()
    .where('due_at', '<=', now)
    .where(({ or, eb }) => or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .execute()
  return due.map(({ channel_id }) => channel_id)
}

/**
 * Returns the channels to which no worker is sending, locked until the transaction ends; two workers would send messages in
 * any order. Reads pending messages after locking, to see which channels other workers have claimed before.
 */
async function idleChannels(store: Store, { trx, among, now }: { trx: Trx; among: readonly string[]; now: number }): Promise<string[]> {
  const { rows: locked } = await sql<{ id: string }>`
    select id from channels where id in (${sql.join(among)}) order by id ${sql.raw(store.dialect.rowLock.skipLocked)}`.execute(trx)
  const sending = await trx
    .selectFrom('notifications')
    .select('channel_id')
    .where('channel_id', 'in', [...among])
    .where('due_at', '<=', now)
    .where('leased_until', '>', now)
    .execute()
  const busy = new Set(sending.map(({ channel_id }) => channel_id))
  return locked.flatMap(({ id }) => (busy.has(id) ? [] : [id]))
}

async function attempt(row: NotificationRow, context: TaskContext): Promise<void> {
  const { store, metrics, now } = context
  const channel = await store.read.selectFrom('channels').selectAll().where('id', '=', row.channel_id).executeTakeFirst()
  if (!channel) return // deleted with its notifications
  if (!holds(row, now(), SENDING_MS)) return
  const sent = await send(channel, row, context)
  if (!sent.ok && !holds(row, now(), 0)) return // the process was suspended, so the failure says nothing about the channel
  metrics.add(notifications_total, { kind: channel.kind, outcome: sent.ok ? 'sent' : 'failed' })
  const at = now()
  const failure = sent.ok ? sent.warning : sent.error
  const error = failure === null ? null : storedSentence(failure)
  const pause = sent.ok || sent.final ? undefined : PAUSES[row.attempt]
  const status = sent.ok ? 'sent' : pause === undefined ? 'failed' : 'pending'
  await store.transaction(async trx => {
    const settled = await trx
      .updateTable('notifications')
      .set({
        status,
        error,
        attempt: row.attempt + 1,
        leased_until: null,
        due_at: pause === undefined ? null : at + pause,
        sent_at: sent.ok ? at : null,
      })
      .where('id', '=', row.id)
      .where('leased_until', '=', row.leased_until)
      .returning('id')
      .executeTakeFirst()
    if (!settled) return
    await trx
      .updateTable('channels')
      .where('id', '=', channel.id)
      .set({ last_error: error, ...(error !== null && { last_error_at: at }), ...(sent.ok && { last_sent_at: at }) })
      .execute()
  })
}

export const notifications_forget = task({
  name: 'notifications_forget',
  summary: 'Deletes notifications after 90 days',
  every: DAY_MS,
  lease: 10 * MINUTE_MS,
  async run({ store, now }) {
    await store.write
      .deleteFrom('notifications')
      .where('created_at', '<', now() - KEPT_MS)
      .where('status', '<>', 'pending')
      .execute()
  },
})

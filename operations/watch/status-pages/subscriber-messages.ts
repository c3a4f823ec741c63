/**
 * Messages to subscribers: one row for each subscriber of an incident. Each update that notifies makes the row due again, at
 * least 5 minutes after its last mail. A mail contains all updates since the previous one.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { claimDue, holds } from '../../../runtime/tasks/lease.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import type { StatusIncidentRow, StatusMessageRow } from '../../../storage/tables/status-pages.ts'
import { isRefusedMailbox, mailer, MAX_REFUSALS, SENDING_MS } from '../../people/mail/index.ts'
import { mailAbout } from './mail.ts'
import { ids, lockIncident } from './records.ts'
import { subscriptionToken } from './subscription.ts'
import { HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

export const queue = { table: 'status_messages', due: 'due_at' } as const

/** Minimum time between two mails about an incident to a subscriber, ms. */
export const GAP_MS = 5 * MINUTE_MS
/** Messages queued in one transaction; other writers run between two transactions. */
const queuedAtOnce = 100
const sentAtOnce = 20
const LEASE_MS = 2 * MINUTE_MS
/** Delays after failed attempts, ms. After the last one, the message waits for another update. */
const PAUSES = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS]

/** Queues the messages of updates that notify, or makes them due again. */
export async function queueMessages(context: TaskContext): Promise<void> {
  const { store, signal, now } = context
  const waiting = await store.read
    .selectFrom('status_incidents')
    .select('id')
    .where('notify_at', '<=', now())
    .orderBy('notify_at')
    .limit(50)
    .execute()
  for (const { id } of waiting) while (!signal.aborted && (await queueSome(id, context))) await turn()
}

/** @returns whether more subscribers wait for a message */
function queueSome(incidentId: string, { store, now, newId }: TaskContext): Promise<boolean> {
  return store.transaction(async db => {
    const incident = await lockIncident(db, incidentId)
    if (!incident || incident.notify_at === null || incident.notify_since === null) return false
    const [at, since] = [now(), incident.notify_since]
    const subscribers = await db
      .selectFrom('status_subscribers')
      .select('id')
      .where('page_id', '=', incident.page_id)
      .where('confirmed_at', 'is not', null)
      .where('refused', '<', MAX_REFUSALS)
      .where('id', '>', incident.notify_after)
      .orderBy('id')
      .limit(queuedAtOnce)
      .execute()
    const last = subscribers.at(-1)
    if (last)
      await db
        .insertInto('status_messages')
        .values(
          subscribers.map(({ id }) => ({
            id: newId(ids.status_message),
            incident_id: incident.id,
            subscriber_id: id,
            due_at: at,
            leased_until: null,
            attempt: 0,
            told_until: since,
            sent_at: null,
          })),
        )
        .onConflict(conflict =>
          conflict.columns(['incident_id', 'subscriber_id']).doUpdateSet(({ eb, fn, val }) => ({
            attempt: 0,
            due_at: fn.coalesce(
              'status_messages.due_at',
              eb
                .case()
                .when('status_messages.sent_at', '>', at - GAP_MS)
                .then(eb('status_messages.sent_at', '+', GAP_MS))
                .else(val(at))
                .end(),
            ),
          })),
        )
        .execute()
    const more = subscribers.length === queuedAtOnce
    await db
      .updateTable('status_incidents')
      .set(more && last ? { notify_after: last.id } : { notify_at: null, notify_since: null, notify_after: '' })
      .where('id', '=', incident.id)
      .execute()
    wakeAfter(db, 'status_messages_send')
    return more
  })
}

/** Sends messages that are due. @returns whether there may be more */
export async function sendMessages(context: TaskContext): Promise<boolean> {
  const rows = await claimDue(context.store, { ...queue, limit: sentAtOnce, leaseMs: LEASE_MS, now: context.now() })
  await Promise.all(rows.map(row => send(row, context)))
  return rows.length === sentAtOnce
}

async function send(row: StatusMessageRow, context: TaskContext): Promise<void> {
  const { store, use, now, log } = context
  const readAt = now()
  const content = await contentOf(row, context)
  const server = use(mailer)
  if (!content || !server) return settle(context, { row, sentUntil: readAt, set: { due_at: null } })
  const latest = content.updates[0].created_at
  const mail = await mailAbout({ ...content, message: row }, context.config, await subscriptionToken(use, store.read, row.subscriber_id))
  if (!holds(row, now(), SENDING_MS)) return
  const thrown = await server.send(mail).then(
    () => undefined,
    (thrown: unknown) => ({ thrown }),
  )
  if (!thrown)
    return settle(context, {
      row,
      sentUntil: latest,
      set: { due_at: null, attempt: 0, told_until: latest, sent_at: now() },
      mailbox: 'taken',
    })
  if (!holds(row, now(), 0)) return // the process was suspended, so the failure says nothing about the mail server
  // The log gets neither the address nor the server's text, which may repeat it.
  const code = thrown.thrown instanceof Error && 'responseCode' in thrown.thrown ? thrown.thrown.responseCode : undefined
  const isRefused = isRefusedMailbox(thrown.thrown)
  const pause = isRefused ? undefined : PAUSES[row.attempt]
  log.warn(
    { message: row.id, attempt: row.attempt + 1, code },
    pause === undefined ? 'a status mail was given up' : 'a status mail could not be sent',
  )
  const next = pause === undefined ? null : now() + pause
  return settle(context, {
    row,
    sentUntil: latest,
    set: { due_at: next, attempt: row.attempt + 1 },
    mailbox: isRefused ? 'refused' : undefined,
  })
}

interface Settle {
  readonly row: StatusMessageRow
  readonly sentUntil: number
  readonly set: Partial<StatusMessageRow>
  readonly mailbox?: 'taken' | 'refused' | undefined
}

/**
 * Stores the result of an attempt, unless another worker has claimed the message.
 * @param sentUntil time of the latest update in the mail; if there is a later update, the message is due again
 * @param mailbox whether the mailbox accepted the mail, which is counted
 */
function settle(
  { store, now }: TaskContext,
  { row: { id, incident_id, subscriber_id, leased_until }, sentUntil, set, mailbox }: Settle,
): Promise<void> {
  return store.transaction(async db => {
    const own = await db
      .updateTable('status_messages')
      .set({ ...set, leased_until: null })
      .where('id', '=', id)
      .where('leased_until', '=', leased_until)
      .returning('sent_at')
      .executeTakeFirst()
    if (!own) return
    const subscriber = db.updateTable('status_subscribers').where('id', '=', subscriber_id)
    if (mailbox === 'taken') await subscriber.set({ refused: 0 }).where('refused', '>', 0).execute()
    if (mailbox === 'refused') await subscriber.set(({ eb }) => ({ refused: eb('refused', '+', 1) })).execute()
    if (set.due_at !== null || mailbox === 'refused') return
    // An update that was posted during the attempt found the message already due. Look for it while the message is locked.
    const later = await db
      .selectFrom('status_incident_updates')
      .select('id')
      .where('incident_id', '=', incident_id)
      .where('notify', '=', 1)
      .where('created_at', '>', sentUntil)
      .limit(1)
      .executeTakeFirst()
    const due_at = own.sent_at === null ? now() : own.sent_at + GAP_MS
    if (later) await db.updateTable('status_messages').set({ due_at, attempt: 0 }).where('id', '=', id).execute()
  })
}

/** Reads the content of a message; undefined if there is no update to send any more. */
async function contentOf({ incident_id, subscriber_id, told_until }: StatusMessageRow, { store }: TaskContext) {
  const db = store.read
  const incident: StatusIncidentRow | undefined = await db
    .selectFrom('status_incidents')
    .selectAll()
    .where('id', '=', incident_id)
    .executeTakeFirst()
  const page = incident && (await db.selectFrom('status_pages').selectAll().where('id', '=', incident.page_id).executeTakeFirst())
  const subscriber = await db.selectFrom('status_subscribers').selectAll().where('id', '=', subscriber_id).executeTakeFirst()
  const [latest, ...earlier] = await db
    .selectFrom('status_incident_updates')
    .selectAll()
    .where('incident_id', '=', incident_id)
    .where('notify', '=', 1)
    .where('created_at', '>', told_until)
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute()
  if (!subscriber || subscriber.refused >= MAX_REFUSALS) return undefined
  return incident && page && latest && { incident, page, subscriber, updates: [latest, ...earlier] as const }
}

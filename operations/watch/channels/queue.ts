/** Outgoing messages: queued in the transaction of the event that they report, sent by a task. */
import { keepMessages } from '../../../runtime/texts/message.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import type { Db } from '../../../storage/store.ts'
import type { NotificationRow } from '../../../storage/tables/index.ts'
import type { Message } from './message.ts'
import { ids } from './records.ts'

export interface Queueing {
  readonly db: Db
  readonly now: number
  newId(kind: IdKind): string
}

/** Queues the message for each of these channels that still exists. */
export async function notify({ db, now, newId }: Queueing, channelIds: readonly string[], message: Message): Promise<NotificationRow[]> {
  if (channelIds.length === 0) return []
  const known = await db
    .selectFrom('channels')
    .select('id')
    .where('id', 'in', [...channelIds])
    .orderBy('id')
    .execute()
  const rows = known.map(
    ({ id }): NotificationRow => ({
      id: newId(ids.notification),
      channel_id: id,
      message: JSON.stringify(message, keepMessages),
      status: 'pending',
      attempt: 0,
      due_at: now,
      leased_until: null,
      error: null,
      sent_at: null,
      created_at: now,
    }),
  )
  if (rows.length > 0) await db.insertInto('notifications').values(rows).execute()
  wakeAfter(db, 'notifications_send')
  return rows
}

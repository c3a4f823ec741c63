/** Rows of deliveries: written with the event, paused while their webhook is disabled, resumed when it is enabled. */
import type { IdKind } from '../../../runtime/values/ids.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import type { Db } from '../../../storage/store.ts'
import type { DeliveryRow } from '../../../storage/tables/index.ts'
import { ids } from './records.ts'

/** Name of the task that sends deliveries, for code that wakes it. */
export const delivering = 'webhooks_deliver'

type EventPayload = Pick<DeliveryRow, 'webhook_id' | 'event' | 'event_id' | 'payload'>
interface Writing {
  readonly now: number
  newId(kind: IdKind): string
}

/** A delivery that is due now. @param manual requested by a person: one attempt, whose failure does not count */
export function newDelivery(sent: EventPayload, manual: boolean, { now, newId }: Writing): DeliveryRow {
  const { webhook_id, event, event_id, payload } = sent
  return {
    id: newId(ids.delivery),
    webhook_id,
    event,
    event_id,
    payload,
    manual: Number(manual),
    status: 'pending',
    attempt: 0,
    status_code: null,
    error: null,
    duration_ms: null,
    response_body: null,
    delivered_at: null,
    next_at: now,
    leased_until: null,
    created_at: now,
  }
}

export async function addDelivery(db: Db, row: DeliveryRow): Promise<DeliveryRow> {
  await db.insertInto('webhook_deliveries').values(row).execute()
  wakeAfter(db, delivering)
  return row
}

/** Pauses the pending deliveries of a disabled webhook. Manual ones (tests, resends) still go out. */
export async function pausePending(db: Db, webhookId: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_at: null })
    .where('webhook_id', '=', webhookId)
    .where('next_at', 'is not', null)
    .where('manual', '=', 0)
    .execute()
}

export async function resumePending(db: Db, webhookId: string, now: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_at: now })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .where('next_at', 'is', null)
    .where('manual', '=', 0)
    .execute()
  wakeAfter(db, delivering)
}

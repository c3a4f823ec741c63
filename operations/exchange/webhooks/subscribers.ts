import { onEveryEvent } from '../../../runtime/events/subscriber.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { delivering, newDelivery } from './deliveries.ts'
import { kindsOf } from './records.ts'
import { envelopeText } from './envelope.ts'

/**
 * Writes a delivery for each enabled webhook of the workspace that subscribes to this type, in the event's transaction.
 */
export const deliver_event = onEveryEvent(async (event, { db, newId }) => {
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('workspace_id', '=', event.workspace_id)
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute()
  const payload = envelopeText(event)
  const sent = { event: event.type, event_id: event.id, payload }
  const rows = webhooks
    .filter(({ events }) => kindsOf(events).some(kind => kind === event.type))
    .map(({ id }) => newDelivery({ webhook_id: id, ...sent }, false, { now: event.created_at, newId }))
  if (rows.length === 0) return
  await db.insertInto('webhook_deliveries').values(rows).execute()
  wakeAfter(db, delivering)
})

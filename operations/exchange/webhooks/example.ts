/** A webhook with one failed delivery. Nothing emits events of its type on its own. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { eventId } from '../../../runtime/values/ids.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { envelopeText } from './envelope.ts'
import { ids } from './records.ts'
import { makeSecret } from './secret.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId, random, use }) => {
  const [webhook, delivery, event_id, workspace_id] = [newId(ids.webhook), newId(ids.delivery), newId(eventId), id('workspace')]
  await db
    .insertInto('webhooks')
    .values({
      id: webhook,
      workspace_id,
      url: `https://hooks.${domain}/footfall`,
      events: '["export.ready"]',
      enabled: 1,
      secret: await use(secretBox).seal(db, makeSecret(random), webhook),
      previous_secret: null,
      previous_until: null,
      consecutive_failures: 0,
      failing_since: null,
      last_success_at: null,
      last_failure_at: null,
      created_at: now,
    })
    .execute()
  const data = JSON.stringify({ export_id: 'exp_1', expires_at: new Date(now).toISOString() })
  await db
    .insertInto('webhook_deliveries')
    .values({
      id: delivery,
      webhook_id: webhook,
      event: 'export.ready',
      event_id,
      manual: 0,
      status: 'failed',
      attempt: 10,
      status_code: 500,
      error: null,
      payload: envelopeText({ id: event_id, type: 'export.ready', workspace_id, site_id: null, data, created_at: now }),
      duration_ms: 12,
      response_body: 'no',
      delivered_at: null,
      next_at: null,
      leased_until: null,
      created_at: now,
    })
    .execute()
  return { webhook, delivery }
})

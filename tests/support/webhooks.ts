/** A webhook of the test world with one delivery that failed. It is of a kind of event that nothing emits unasked. */
import { randomBytes } from 'node:crypto'
import { envelopeText } from '../../operations/exchange/webhooks/envelope.ts'
import { makeSecret } from '../../operations/exchange/webhooks/secret.ts'
import type { App } from '../../runtime/app.ts'
import { makeId } from '../../runtime/ids.ts'
import { secretBox } from '../../runtime/secret-box.ts'

export async function addWebhook({ store: { write }, use }: App, now: number, workspace_id: string, domain: string) {
  const [webhook, delivery, event_id] = (['webhook', 'delivery', 'event'] as const).map(kind => makeId(kind, now, randomBytes(14)))
  if (!webhook || !delivery || !event_id) throw new Error('three ids were made')
  await write.insertInto('webhooks').values({
    id: webhook, workspace_id, url: `https://hooks.${domain}/footfall`, events: '["export.ready"]', enabled: 1,
    secret: await use(secretBox).seal(write, makeSecret(randomBytes), webhook), previous_secret: null, previous_until: null,
    consecutive_failures: 0, failing_since: null, last_success_at: null, last_failure_at: null, created_at: now,
  }).execute()
  const data = JSON.stringify({ export_id: 'exp_1', expires_at: new Date(now).toISOString() })
  await write.insertInto('webhook_deliveries').values({
    id: delivery, webhook_id: webhook, event: 'export.ready', event_id, manual: 0, status: 'failed', attempt: 10, status_code: 500, error: null,
    payload: envelopeText({ id: event_id, type: 'export.ready', workspace_id, site_id: null, data, created_at: now }),
    duration_ms: 12, response_body: 'no', delivered_at: null, next_at: null, leased_until: null, created_at: now,
  }).execute()
  return { webhook, delivery }
}

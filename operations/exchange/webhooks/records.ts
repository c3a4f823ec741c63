/** A webhook receives events; each event sent to it is a delivery. */
import { Type } from '@sinclair/typebox'
import { EventType } from '../../../runtime/events/event-type.ts'
import { DateTime, iso, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { DeliveryRow, WebhookRow } from '../../../storage/tables/index.ts'
import { Envelope } from './envelope.ts'
import { statuses, statusOf } from './health.ts'
import { secretOf } from './secret.ts'
import { idKind } from '../../../runtime/values/ids.ts'

export const ids = { webhook: idKind('wh_'), delivery: idKind('whd_') }

export const Webhook = record(
  'Webhook',
  {
    id: Type.String({ description: 'Prefix `wh_`.' }),
    url: Type.String({ description: 'Endpoint that events are posted to.' }),
    events: Type.Array(EventType(), { description: 'Types of events that it receives.' }),
    enabled: Type.Boolean({ description: 'Whether Footfall sends events to it.' }),
    status: OneOf(statuses, {
      description:
        '`failing` after 4 failures in a row; `disabled` by a member, by a 410 response, or after at least 10 ' +
        'failures in a row over 120 hours.',
    }),
    secret: Type.String({
      description: 'Signing secret. Empty if it was encrypted with a different SECRET_KEY; in that case ' + 'rotate it.',
    }),
    consecutive_failures: Type.Integer({ unit: 'count', better: 'less', description: 'Failed attempts since the last success.' }),
    last_success_at: Nullable(DateTime(), { description: 'Time of the last successful attempt.' }),
    last_failure_at: Nullable(DateTime(), { description: 'Time of the last failed attempt.' }),
    created_at: DateTime({ description: 'Creation time.' }),
  },
  'A webhook: an endpoint that receives events.',
)

export const WebhookDelivery = record(
  'WebhookDelivery',
  {
    id: Type.String({ description: 'Prefix `whd_`.' }),
    event: Type.String({ description: 'Type of the event, or `webhook.test`.' }),
    status: OneOf(['pending', 'succeeded', 'failed'], {
      description: '`pending` until an attempt succeeds or the last one fails.',
    }),
    status_code: Nullable(Type.Integer(), {
      description: 'HTTP status of the last attempt; null without a response.',
    }),
    error: Nullable(Sentence(), { description: 'Error of the last attempt without a response, after a code.' }),
    attempt: Type.Integer({ unit: 'count', description: 'Attempts made so far, at most 10.' }),
    duration_ms: Nullable(Type.Integer(), { unit: 'ms', better: 'less', description: 'Duration of the last attempt.' }),
    payload: Envelope,
    response_body: Nullable(Type.String(), { description: 'First 2,000 characters of the last response.' }),
    delivered_at: Nullable(DateTime(), { description: 'Time of the success.' }),
    created_at: DateTime({ description: 'Creation time.' }),
  },
  'A delivery of one event to one webhook.',
)

export const webhook = subject<'webhook', WebhookRow>({
  name: 'webhook',
  calledBy: 'url',
  table: 'webhooks',
  async find(db, id) {
    const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
})

export const delivery = subject<'delivery', DeliveryRow>({
  name: 'delivery',
  calledBy: null,
  async find(db, id) {
    const found = await db
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
      .selectAll('d')
      .select('w.workspace_id')
      .where('d.id', '=', id)
      .executeTakeFirst()
    return found && { row: found, workspaceId: found.workspace_id, siteId: null }
  },
})

export async function toWebhook(row: WebhookRow, box: SecretBox, db: Db): Promise<Static<typeof Webhook>> {
  return {
    id: row.id,
    url: row.url,
    events: kindsOf(row.events),
    enabled: row.enabled === 1,
    status: statusOf(row),
    secret: (await secretOf(box, db, row)) ?? '',
    consecutive_failures: row.consecutive_failures,
    last_success_at: iso(row.last_success_at),
    last_failure_at: iso(row.last_failure_at),
    created_at: iso(row.created_at),
  }
}

export function toDelivery(row: DeliveryRow): Static<typeof WebhookDelivery> {
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    status_code: row.status_code,
    error: row.error === null ? null : sentenceOf(row.error),
    attempt: row.attempt,
    duration_ms: row.duration_ms,
    payload: JSON.parse(row.payload), // written by envelopeText
    response_body: row.response_body,
    delivered_at: iso(row.delivered_at),
    created_at: iso(row.created_at),
  }
}

export function kindsOf(events: string): string[] {
  return JSON.parse(events) as string[] // written by us as a list of kinds
}

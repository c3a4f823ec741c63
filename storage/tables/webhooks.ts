/** Webhooks and their deliveries. */
import { text, int, instant, flag, json, oneOf, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const webhooks = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    url: text,
    /** JSON list of event types. */
    events: json,
    enabled: flag,
    /** Sealed. The previous secret, also sealed, signs as well until `previous_until`. */
    secret: text,
    previous_secret: nullable(text),
    previous_until: nullable(instant),
    /** Number of failed attempts since the last success, and the time of the first one. */
    consecutive_failures: int,
    failing_since: nullable(instant),
    last_success_at: nullable(instant),
    last_failure_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['workspace_id']] },
)
export type WebhookRow = Row<typeof webhooks>

export const webhook_deliveries = table(
  {
    id: text,
    webhook_id: reference('webhooks'),
    /** Type and id of the event, equal in all of its deliveries. */
    event: text,
    event_id: text,
    /** The exact text to sign and send. */
    payload: text,
    /** 1 for a test or a resend: it has one attempt, whose failure does not count. */
    manual: flag,
    status: oneOf('pending', 'succeeded', 'failed'),
    /** Number of attempts so far. */
    attempt: int,
    /** HTTP status of the latest attempt. */
    status_code: nullable(int),
    error: nullable(text),
    duration_ms: nullable(int),
    response_body: nullable(text),
    delivered_at: nullable(instant),
    /** When the next attempt is due; null if there is none, or while the webhook is disabled. */
    next_at: nullable(instant),
    leased_until: nullable(instant),
    created_at: instant,
  },
  {
    indexes: [
      ['webhook_id', 'created_at'],
      ['created_at'],
      { name: 'webhook_deliveries_due', on: ['next_at'], where: 'next_at is not null' },
      { name: 'webhook_deliveries_lane', on: ['webhook_id', 'next_at'], where: 'next_at is not null' },
    ],
  },
)
export type DeliveryRow = Row<typeof webhook_deliveries>

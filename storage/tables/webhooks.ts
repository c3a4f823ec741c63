/** Webhooks and their deliveries. */

export interface WebhookRow {
  id: string
  workspace_id: string
  url: string
  /** JSON list of event kinds. */
  events: string
  enabled: number
  /** Sealed, as is the one before it, which signs beside it until `previous_until`. */
  secret: string
  previous_secret: string | null
  previous_until: number | null
  /** Failed attempts since the last success, and when the first of them was. */
  consecutive_failures: number
  failing_since: number | null
  last_success_at: number | null
  last_failure_at: number | null
  created_at: number
}

export interface DeliveryRow {
  id: string
  webhook_id: string
  /** The kind of event, and its id: the same in every delivery of the event. */
  event: string
  event_id: string
  /** The bytes that are signed and sent. */
  payload: string
  /** 1 for one that was asked for: a test, or the same again. It has one attempt and counts for nothing. */
  manual: number
  status: 'pending' | 'succeeded' | 'failed'
  /** Attempts made. */
  attempt: number
  /** Of the last attempt. */
  status_code: number | null
  error: string | null
  duration_ms: number | null
  response_body: string | null
  delivered_at: number | null
  /** When the next attempt is due; null once there is none, and while the webhook is disabled. */
  next_at: number | null
  leased_until: number | null
  created_at: number
}

export interface WebhooksTables {
  webhooks: WebhookRow
  webhook_deliveries: DeliveryRow
}

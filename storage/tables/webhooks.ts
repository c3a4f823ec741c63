/** Webhooks and their deliveries. */

export interface WebhookRow {
  id: string
  workspace_id: string
  url: string
  /** JSON list of event types. */
  events: string
  enabled: number
  /** Sealed, like the previous one, which also signs until `previous_until`. */
  secret: string
  previous_secret: string | null
  previous_until: number | null
  /** Failed attempts since the last success, and the time of the first. */
  consecutive_failures: number
  failing_since: number | null
  last_success_at: number | null
  last_failure_at: number | null
  created_at: number
}

export interface DeliveryRow {
  id: string
  webhook_id: string
  /** The event's type and id, equal in all of its deliveries. */
  event: string
  event_id: string
  /** The exact text that is signed and sent. */
  payload: string
  /** 1 for a manual one, which is a test or a resend: one attempt, whose failure does not count. */
  manual: number
  status: 'pending' | 'succeeded' | 'failed'
  /** Attempts so far. */
  attempt: number
  /** Status of the latest attempt. */
  status_code: number | null
  error: string | null
  duration_ms: number | null
  response_body: string | null
  delivered_at: number | null
  /** When the next attempt is due; null if there is none, or while the webhook is disabled. */
  next_at: number | null
  leased_until: number | null
  created_at: number
}

export interface WebhooksTables {
  webhooks: WebhookRow
  webhook_deliveries: DeliveryRow
}

/** Alerts, their incidents, and their notification channels. */
import type { Generated, Selectable } from 'kysely'

export interface AlertTable {
  id: string
  workspace_id: string
  site_id: string | null
  name: string
  kind: 'threshold' | 'anomaly' | 'goal' | 'no_data' | 'usage' | 'uptime' | 'ssl' | 'vitals'
  metric: 'visitors' | 'visits' | 'pageviews' | 'bounce_rate' | 'conversion' | 'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb' | null
  operator: 'gt' | 'gte' | 'lt' | 'lte' | null
  /** In the unit of its kind: the metric's own, completions, hours, percent, days or milliseconds. */
  threshold: number | null
  window_minutes: number
  sensitivity: 'low' | 'medium' | 'high'
  goal_id: string | null
  uptime_check_id: string | null
  state: 'ok' | 'triggered'
  enabled: number
  muted_until: number | null
  last_triggered_at: number | null
  last_evaluated_at: number | null
  created_at: number
  /** When the next evaluation is due; null while disabled. */
  evaluate_at: number | null
  leased_until: number | null
  /** Consecutive evaluations with the same result: above 0 breaches, below 0 clear ones. */
  streak: Generated<number>
}
export type AlertRow = Selectable<AlertTable>

/** A notification channel of an alert. */
export interface AlertChannelRow {
  alert_id: string
  channel_id: string
  /** Position in the alert's list. */
  position: number
}

export interface IncidentRow {
  id: string
  alert_id: string
  triggered_at: number
  /** Null while it is open; an alert has at most one open incident. */
  resolved_at: number | null
  /** Reason of the resolution. */
  resolution: 'recovered' | 'rule_changed' | 'disabled' | 'deleted' | null
  value: number | null
  message: string | null
  acknowledged_at: number | null
  acknowledged_by: string | null
  /** When its channels were last notified; null: never. */
  announced_at: number | null
}

export interface ChannelRow {
  id: string
  workspace_id: string
  name: string
  kind: 'email' | 'webhook' | 'slack' | 'discord' | 'teams'
  /** JSON list of e-mail addresses, or a URL, which is sealed because it is as good as a password. */
  target: string
  /** The masked URL; null for e-mail. */
  shown: string | null
  last_sent_at: number | null
  /** Error of the latest message, if sending failed. */
  last_error: string | null
  last_error_at: number | null
  created_at: number
  updated_at: number
}

/** A message to a notification channel, sent or pending. */
export interface NotificationRow {
  id: string
  channel_id: string
  /** JSON. */
  message: string
  status: 'pending' | 'sent' | 'failed'
  /** Attempts so far. */
  attempt: number
  /** When the next attempt is due; null if there is none. */
  due_at: number | null
  leased_until: number | null
  /** The error of the latest attempt. */
  error: string | null
  sent_at: number | null
  created_at: number
}

export interface AlertsTables {
  alerts: AlertTable
  alert_channels: AlertChannelRow
  alert_incidents: IncidentRow
  channels: ChannelRow
  notifications: NotificationRow
}

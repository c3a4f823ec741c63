/** Alerts, their incidents, and whom they tell. */
import type { Generated, Selectable } from 'kysely'

export interface AlertTable {
  id: string
  workspace_id: string
  site_id: string | null
  name: string
  kind: 'threshold' | 'anomaly' | 'goal' | 'no_data' | 'usage' | 'uptime' | 'ssl' | 'vitals'
  metric: 'visitors' | 'visits' | 'pageviews' | 'bounce_rate' | 'conversion' | 'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb' | null
  operator: 'gt' | 'gte' | 'lt' | 'lte' | null
  /** By kind: the metric's own unit, completions, hours, percent, days or milliseconds. */
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
  /** When it is due to be evaluated; null while it is disabled. */
  evaluate_at: number | null
  leased_until: number | null
  /** Evaluations in a row that say the same: above 0 breaches, below 0 clear ones. */
  streak: Generated<number>
}
export type AlertRow = Selectable<AlertTable>

/** A channel that hears of an alert. */
export interface AlertChannelRow {
  alert_id: string
  channel_id: string
  /** Where it stands in the alert's list. */
  position: number
}

export interface IncidentRow {
  id: string
  alert_id: string
  triggered_at: number
  /** Null while it is open; an alert has at most one open incident. */
  resolved_at: number | null
  /** Why it was resolved. */
  resolution: 'recovered' | 'rule_changed' | 'disabled' | 'deleted' | null
  value: number | null
  message: string | null
  acknowledged_at: number | null
  acknowledged_by: string | null
  /** When its notification channels were last told of it; null: never. */
  announced_at: number | null
}

export interface ChannelRow {
  id: string
  workspace_id: string
  name: string
  kind: 'email' | 'webhook' | 'slack' | 'discord' | 'teams'
  /** Where it leads: JSON list of e-mail addresses, or a URL, sealed, as it is as good as a password. */
  target: string
  /** What is shown of the URL; null for e-mail. */
  shown: string | null
  last_sent_at: number | null
  /** Of the latest message, where it could not be sent. */
  last_error: string | null
  last_error_at: number | null
  created_at: number
  updated_at: number
}

/** A message to a notification channel, sent or on its way. */
export interface NotificationRow {
  id: string
  channel_id: string
  /** What it says, JSON. */
  message: string
  status: 'pending' | 'sent' | 'failed'
  /** Attempts made. */
  attempt: number
  /** When the next attempt is due; null once there is none. */
  due_at: number | null
  leased_until: number | null
  /** Of the last attempt. */
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

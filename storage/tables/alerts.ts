/** Alerts, their incidents, and their notification channels. */
import { text, int, real, instant, flag, json, oneOf, reference, nullable, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const alerts = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    site_id: nullable(reference('sites')),
    name: text,
    kind: oneOf('threshold', 'anomaly', 'goal', 'no_data', 'usage', 'uptime', 'ssl', 'vitals'),
    metric: nullable(oneOf('visitors', 'visits', 'pageviews', 'bounce_rate', 'conversion', 'lcp', 'inp', 'cls', 'fcp', 'ttfb')),
    operator: nullable(oneOf('gt', 'gte', 'lt', 'lte')),
    /** In the unit of the kind: the unit of the metric, or completions, hours, percent, days or milliseconds. */
    threshold: nullable(real),
    window_minutes: int,
    sensitivity: oneOf('low', 'medium', 'high'),
    goal_id: nullable(text),
    uptime_check_id: nullable(text),
    state: oneOf('ok', 'triggered'),
    enabled: flag,
    muted_until: nullable(instant),
    last_triggered_at: nullable(instant),
    last_evaluated_at: nullable(instant),
    created_at: instant,
    /** When the next evaluation is due; null while disabled. */
    evaluate_at: nullable(instant),
    leased_until: nullable(instant),
    /** Number of consecutive evaluations with the same result: positive for breaches, negative for clear ones. */
    streak: withDefault(int, 0),
  },
  { indexes: [['workspace_id'], ['site_id'], ['evaluate_at']] },
)
export type AlertRow = Row<typeof alerts>

/** A notification channel of an alert. */
export const alert_channels = table(
  {
    alert_id: reference('alerts'),
    channel_id: reference('channels'),
    /** Position in the alert's list. */
    position: int,
  },
  { key: ['alert_id', 'channel_id'], clustered: true, indexes: [['channel_id']] },
)
export type AlertChannelRow = Row<typeof alert_channels>

export const alert_incidents = table(
  {
    id: text,
    alert_id: reference('alerts'),
    triggered_at: instant,
    /** Null while the incident is open; an alert has at most one open incident. */
    resolved_at: nullable(instant),
    /** Reason of the resolution. */
    resolution: nullable(oneOf('recovered', 'rule_changed', 'disabled', 'deleted')),
    value: nullable(real),
    message: nullable(text),
    acknowledged_at: nullable(instant),
    acknowledged_by: nullable(text),
    /** When the channels were last notified; null if they never were. */
    announced_at: nullable(instant),
  },
  {
    indexes: [['alert_id', 'triggered_at'], { name: 'alert_incidents_open', on: ['alert_id'], unique: true, where: 'resolved_at is null' }],
  },
)
export type IncidentRow = Row<typeof alert_incidents>

export const channels = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    name: text,
    kind: oneOf('email', 'webhook', 'slack', 'discord', 'teams'),
    /** JSON list of e-mail addresses, or a URL, which is sealed because it works like a password. */
    target: text,
    /** The masked URL; null for e-mail. */
    shown: nullable(text),
    last_sent_at: nullable(instant),
    /** Error of the latest message, if it could not be sent. */
    last_error: nullable(text),
    last_error_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['workspace_id']] },
)
export type ChannelRow = Row<typeof channels>

/** A message to a notification channel, sent or pending. */
export const notifications = table(
  {
    id: text,
    channel_id: reference('channels'),
    /** JSON. */
    message: json,
    status: oneOf('pending', 'sent', 'failed'),
    /** Number of attempts so far. */
    attempt: int,
    /** When the next attempt is due; null if there is none. */
    due_at: nullable(instant),
    leased_until: nullable(instant),
    /** The error of the latest attempt. */
    error: nullable(text),
    sent_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['channel_id', 'created_at'], ['channel_id', 'due_at'], ['due_at'], ['created_at']] },
)
export type NotificationRow = Row<typeof notifications>

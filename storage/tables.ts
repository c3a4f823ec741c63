/**
 * Every table, as Kysely sees it. Times are epoch milliseconds, flags 0/1, lists and objects JSON text:
 * the one form that both engines keep alike.
 */
import type { Generated, Selectable } from 'kysely'

export interface WorkspaceRow {
  id: string
  name: string
  created_at: number
}

export interface AccountRow {
  id: string
  email: string
  unconfirmed_email: string | null
  name: string | null
  theme: string
  default_landing: string
  locale: string
  timezone: string | null
  shortcuts_enabled: number
  reduce_motion: number
  product_emails: number
  newsletter: number
  marketing_emails: number
  two_factor: number
  passkeys: number
  created_at: number
}

export interface MemberRow {
  id: string
  workspace_id: string
  account_id: string
  role: string
  /** 0 while the member is deactivated: tokens stop, the record stays. */
  active: number
  created_at: number
}

export interface TokenRow {
  id: string
  workspace_id: string
  member_id: string
  name: string
  /** SHA-256 of the secret, hex. */
  hash: string
  token_prefix: string
  /** JSON lists of strings. */
  permissions: string
  site_ids: string
  allowed_ips: string
  oauth_client: string | null
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  created_at: number
}

export interface SiteTable {
  id: string
  /** Short key of the site in the tables of hits. */
  number: Generated<number>
  workspace_id: string
  name: string
  /** Null once the site is deleted, so that the name is free again. */
  domain: string | null
  timezone: string
  currency: string
  public: number
  /** ISO weekday, 1 = Monday. */
  week_start: number
  umami_id: string | null
  created_at: number
  /** Set when deleted; its hits go in the background. */
  deleted_at: number | null
}

export type SiteRow = Selectable<SiteTable>

export interface NoteRow {
  id: string
  site_id: string
  at: number
  text: string
  author: string
  created_at: number
  updated_at: number
}

export interface GoalRow {
  id: string
  site_id: string
  name: string
  kind: string
  /** Page pattern with `*`, for page goals. */
  path: string | null
  event: string | null
  property: string | null
  value: string | null
  created_at: number
  updated_at: number
}

export interface SavedSegmentRow {
  id: string
  site_id: string
  name: string
  filters: string
  created_at: number
  updated_at: number
}

export interface FunnelRow {
  id: string
  site_id: string
  name: string
  /** JSON list: each a goal by its id, or a condition of its own. */
  steps: string
  created_at: number
  updated_at: number
}

export interface DashboardRow {
  id: string
  workspace_id: string
  name: string
  /** JSON list, in order. */
  cards: string
  created_at: number
  updated_at: number
}

/** What a site says of an event, by the name that is sent. */
export interface EventSettingRow {
  site_id: string
  name: string
  /** Null: it is shown under its own name. */
  display_name: string | null
  hidden: number
  /** ISO 4217: of amounts that are sent without a currency. */
  currency: string | null
  updated_at: number
}
/** What a site says of a property, by its key as it is sent. */
export interface PropertySettingRow {
  site_id: string
  key: string
  display_name: string | null
  hidden: number
  export_safe: number
  updated_at: number
}
/** An event that was asked to be deleted: the hits that had this id when it lost its name. */
export interface EventDeletionRow {
  site_id: string
  /** Id in the dictionary of events; no hit gets it any more. */
  event: number
  name: string
  /** How many are gone. */
  hits: number
  /** The first day that may still have some; null before the first look. */
  next_day: number | null
  /** Percent of the days. */
  progress: number
  requested_at: number
  finished_at: number | null
}

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
  /** JSON list of strings. */
  channel_ids: string
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

/** Hits of a site's day, as they were counted when the day had this `rev`. */
export interface UsageDayRow {
  site_id: number
  day: number
  rev: number
  hits: number
}
export interface UsageMonthRow {
  workspace_id: string
  /** `2026-11` */
  month: string
  hits: number
  /** The highest percentage of the limit that was told of. */
  announced: number
}

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

/** What an installation on Postgres keeps for itself. */
export interface InstanceSecretRow { name: string; value: string }

export interface AuditRow {
  id: string
  workspace_id: string
  site_id: string | null
  at: number
  operation: string
  /** Id of what was changed, where it has one. */
  subject_id: string | null
  /** E-mail of the member, and the token they used. */
  actor: string
  token_id: string | null
  surface: string
  ip: string | null
  request_id: string
  /** The validated input without secrets, JSON. */
  input: string
}

export interface EventRow {
  id: string
  type: string
  workspace_id: string
  site_id: string | null
  data: string
  created_at: number
}

export interface IdempotencyRow {
  token_id: string
  operation: string
  key: string
  /** Hash of the input it was first sent with. */
  fingerprint: string
  /** The data answered, JSON; null while in flight. */
  answer: string | null
  created_at: number
}

export interface TaskRow {
  name: string
  next_at: number
  /** The worker that runs it, until the lease ends. */
  leased_by: string | null
  leased_until: number | null
  last_started_at: number | null
  last_ended_at: number | null
  /** Null when the last run went well. */
  last_error: string | null
  /** How far the run is, or the last one came; `total` null where it is not known. */
  done: number
  total: number | null
}

// --- hits: analytics.md §5 -------------------------------------------------

export interface DictRow { site_id: number; dim: number; id: number; value: string }
export interface SaltRow { site_id: number; day: number; salt: string }
export interface SiteDayRow {
  site_id: number
  /** Local day number: days since 1970-01-01 in the site's calendar. */
  day: number
  starts_at: number
  ends_at: number
  /** Visitors are numbered from 1, in the order of their first visits. */
  next_visitor: number
  /** The next `seq` of vitals and clicks that no visit has: their `visit_id` is 0. */
  next_loose: number
  /** Moves with every change to the day. */
  rev: number
  sealed_rev: number
}
export interface VisitorRow { site_id: number; day: number; hash: string; visitor: number }

/** Visit-level dimensions, each a column of dictionary ids. */
export const visitDimensions = [
  'entry_page', 'exit_page', 'channel', 'source', 'referrer',
  'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term',
  'country', 'region', 'city', 'browser', 'browser_version', 'os', 'os_version',
  'device', 'screen', 'language', 'hostname',
] as const
export type VisitDimension = (typeof visitDimensions)[number]

export interface VisitRow extends Record<VisitDimension, number> {
  site_id: number
  day: number
  /** visitor · 256 + visit number. */
  visit_id: number
  started_at: number
  /** Last activity − first, ms. */
  duration: number
  pageviews: number
  events: number
  /** 1: fewer than two pageviews and no interactive event. */
  bounce: number
  /** Minor units of the site's currency. */
  revenue: number
  /** From the start to the first and to the last pageview, ms: where a late hit goes among them. */
  entry_after: number
  exit_after: number
  /** Rows of hits, vitals and clicks are numbered from 0 in the order they came. */
  next_seq: number
  /** The day's `rev` since which the visit and its hits are as they are. */
  rev: number
}
export interface HitRow {
  site_id: number
  day: number
  visit_id: number
  /** Unique within the visit. The order of its hits is (at, seq). */
  seq: number
  at: number
  page: number
  /** 0 is a pageview. */
  event: number
  interactive: number
  revenue: number
  engaged_ms: number
  scroll: number
}
export interface HitPropRow {
  site_id: number
  day: number
  event: number
  key: number
  visit_id: number
  seq: number
  value: number
  /** The value as a number, where it is one. */
  num: number | null
}
export interface VitalRow {
  site_id: number
  day: number
  page: number
  metric: string
  visit_id: number
  seq: number
  /** ms; for cls thousandths of the score. */
  value: number
  device: number
}
export interface ClickRow {
  site_id: number
  day: number
  page: number
  visit_id: number
  seq: number
  selector: number
  x: number
  y: number
}
/** What a day was at one `rev`; its columns and sums lie beside it. */
export interface SegmentRow {
  site_id: number
  day: number
  rev: number
  /** Which columns there are, by number: those of another format are not read. */
  format: number
  starts_at: number
  ends_at: number
  /** JSON: how many visits, hits … */
  shape: string
}
/** A column of a day, or the sums of its values by one dimension: `storage/sealed/column.ts`. */
export interface SegmentBlobRow { site_id: number; col: number; day: number; data: Uint8Array }
/** Hits not stored, by reason. `site_id` 0: the site was not known. */
export interface DropRow { site_id: number; day: number; reason: string; count: number }
/** Texts that a day brought into a dictionary (`dim`) first, while it can receive hits. */
export interface NewTextRow { site_id: number; day: number; dim: number; count: number }
/** How far a file of hits from elsewhere has been taken in: written with the hits. */
export interface HitImportRow {
  site_id: number
  /** SHA-256 of the file, hex. */
  fingerprint: string
  /** How its fields are read, JSON. */
  options: string
  /** Records taken from its beginning, those that were refused among them. */
  records: number
  hits: number
  refused: number
  /** Hits kept without their revenue, which was in another currency. */
  moneyless: number
  started_at: number
  updated_at: number
  finished_at: number | null
}
/** The first of the lines that were refused. */
export interface HitImportRefusalRow { site_id: number; fingerprint: string; line: number; reason: string }

// --- uptime: decisions.md §5 ------------------------------------------------

export interface UptimeCheckTable {
  id: string
  /** Short key of the check in the tables below. */
  number: Generated<number>
  workspace_id: string
  site_id: string | null
  /** Null: it is called by its target. */
  name: string | null
  kind: 'http' | 'keyword' | 'tcp' | 'dns'
  url: string | null
  host: string | null
  port: number | null
  keyword: string | null
  expected_status: number
  http_method: 'GET' | 'HEAD'
  interval_seconds: number
  timeout_seconds: number
  public: number
  status: 'up' | 'down' | 'pending' | 'paused'
  status_since: number
  /** When it was made, resumed or aimed elsewhere: what was seen before says nothing of it. */
  watched_since: number
  last_checked_at: number | null
  /** When the service itself probes it next; null while paused. */
  next_check_at: number | null
  leased_until: number | null
  last_response_ms: number | null
  ssl_expires_at: number | null
  ssl_issuer: string | null
  /** Registrable domain of the target, where it has one. */
  domain: string | null
  domain_expires_at: number | null
  created_at: number
}
export type UptimeCheckRow = Selectable<UptimeCheckTable>
/** What one location holds of one check. */
export interface UptimeLocationRow {
  check_number: number
  location: string
  state: 'unknown' | 'up' | 'down'
  /** The latest result, how many like it came in a row, and when the first of them did. */
  ok: number
  streak: number
  streak_since: number
  /** JSON: how often each error came in a streak of failures. */
  errors: string
  last_at: number
}
/** Results of one location, summed over `span` ms from `at`; span 0 is a single one. */
export interface UptimeResultRow {
  check_number: number
  location: string
  span: number
  at: number
  probes: number
  failures: number
  /** Successes whose time was taken, and their times together. */
  timed: number
  total_ms: number
}
/** Holds until the next one begins. */
export interface UptimePeriodRow { check_number: number; started_at: number; status: UptimeCheckTable['status'] }
export interface UptimeIncidentRow {
  id: string
  check_number: number
  started_at: number
  /** Null while it is open; a check has at most one open incident. */
  resolved_at: number | null
  /** The commonest of its errors. */
  cause: string | null
  /** JSON: how often each error came. */
  errors: string
  /** JSON list of strings. */
  failed_locations: string
}
/** What registries say of a registrable domain, its `id`; asked once for all checks that are under it. */
export interface UptimeDomainRow {
  id: string
  expires_at: number | null
  asked_at: number | null
  next_at: number
  leased_until: number | null
}
export interface ProbeTokenRow {
  id: string
  workspace_id: string
  name: string
  location: string
  /** SHA-256 of the secret, hex. */
  hash: string
  token_prefix: string
  /** E-mail of the member who made it. */
  created_by: string
  last_used_at: number | null
  revoked_at: number | null
  created_at: number
}

export interface Tables {
  workspaces: WorkspaceRow
  accounts: AccountRow
  members: MemberRow
  api_tokens: TokenRow
  sites: SiteTable
  notes: NoteRow
  goals: GoalRow
  saved_segments: SavedSegmentRow
  funnels: FunnelRow
  dashboards: DashboardRow
  event_settings: EventSettingRow
  property_settings: PropertySettingRow
  event_deletions: EventDeletionRow
  alerts: AlertTable
  alert_incidents: IncidentRow
  channels: ChannelRow
  notifications: NotificationRow
  usage_days: UsageDayRow
  usage_months: UsageMonthRow
  webhooks: WebhookRow
  webhook_deliveries: DeliveryRow
  instance_secrets: InstanceSecretRow
  audit_entries: AuditRow
  events: EventRow
  idempotency_keys: IdempotencyRow
  tasks: TaskRow
  dict: DictRow
  salts: SaltRow
  site_days: SiteDayRow
  visitors: VisitorRow
  visits: VisitRow
  hits: HitRow
  hit_props: HitPropRow
  vitals: VitalRow
  clicks: ClickRow
  segments: SegmentRow
  segment_cols: SegmentBlobRow
  segment_sums: SegmentBlobRow
  drops: DropRow
  new_texts: NewTextRow
  hit_imports: HitImportRow
  hit_import_refusals: HitImportRefusalRow
  uptime_checks: UptimeCheckTable
  uptime_locations: UptimeLocationRow
  uptime_results: UptimeResultRow
  uptime_periods: UptimePeriodRow
  uptime_incidents: UptimeIncidentRow
  uptime_domains: UptimeDomainRow
  probe_tokens: ProbeTokenRow
}

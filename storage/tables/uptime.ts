/** Uptime checks and the results of their probes. */
import { text, int, bigint, serial, instant, day, flag, json, oneOf, reference, nullable, unique, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const uptime_checks = table(
  {
    id: unique(text),
    /** Short key of the check in other tables. */
    number: serial,
    workspace_id: reference('workspaces'),
    site_id: nullable(reference('sites')),
    /** Null to show the target as its name. */
    name: nullable(text),
    kind: oneOf('http', 'keyword', 'tcp', 'dns'),
    url: nullable(text),
    host: nullable(text),
    port: nullable(int),
    keyword: nullable(text),
    expected_status: int,
    /** JSON list of further statuses and classes of them: `204`, `3xx`. */
    accepted_statuses: withDefault(json, '[]'),
    http_method: oneOf('GET', 'HEAD'),
    interval_seconds: int,
    timeout_seconds: int,
    public: flag,
    status: oneOf('up', 'down', 'pending', 'paused'),
    status_since: instant,
    /** When the check was created, resumed or got another target. Earlier results do not count. */
    watched_since: instant,
    last_checked_at: nullable(instant),
    /** When the built-in probe is next due; null while paused. */
    next_check_at: nullable(instant),
    leased_until: nullable(instant),
    last_response_ms: nullable(int),
    ssl_expires_at: nullable(instant),
    ssl_issuer: nullable(text),
    /** Registrable domain of the target; null if it has none. */
    domain: nullable(text),
    domain_expires_at: nullable(instant),
    created_at: instant,
  },
  { key: ['number'], indexes: [['workspace_id'], ['site_id'], ['next_check_at'], ['domain']] },
)
export type UptimeCheckRow = Row<typeof uptime_checks>

/** State of a check at one location. */
export const uptime_locations = table(
  {
    check_number: reference('uptime_checks.number', { type: 'int' }),
    location: text,
    state: oneOf('unknown', 'up', 'down'),
    /** The latest result, the number of consecutive equal results, and the time of the first of these. */
    ok: flag,
    streak: int,
    streak_since: instant,
    /** JSON object with the counts of errors in a streak of failures. */
    errors: json,
    last_at: instant,
  },
  { key: ['check_number', 'location'], clustered: true },
)
export type UptimeLocationRow = Row<typeof uptime_locations>

/** Results of one location, summed over `span` ms from `at`; with a span of 0, a single result. */
export const uptime_results = table(
  {
    check_number: reference('uptime_checks.number', { type: 'int' }),
    location: text,
    span: int,
    at: instant,
    probes: int,
    failures: int,
    /** Number and total response time of successes whose response time was measured. */
    timed: int,
    total_ms: bigint,
  },
  { key: ['check_number', 'location', 'span', 'at'], clustered: true },
)
export type UptimeResultRow = Row<typeof uptime_results>

/** A period of one status, which ends when the next one begins. */
export const uptime_periods = table(
  {
    check_number: reference('uptime_checks.number', { type: 'int' }),
    started_at: instant,
    status: oneOf('up', 'down', 'pending', 'paused'),
  },
  { key: ['check_number', 'started_at'], clustered: true },
)
export type UptimePeriodRow = Row<typeof uptime_periods>

export const uptime_incidents = table(
  {
    id: text,
    check_number: reference('uptime_checks.number', { type: 'int' }),
    started_at: instant,
    /** Null while the incident is open; a check has at most one open incident. */
    resolved_at: nullable(instant),
    /** The most frequent error. */
    cause: nullable(text),
    /** JSON object with the counts of errors. */
    errors: json,
    /** JSON list of strings. */
    failed_locations: json,
  },
  {
    indexes: [
      ['check_number', 'started_at'],
      { name: 'uptime_incidents_open', on: ['check_number'], unique: true, where: 'resolved_at is null' },
    ],
  },
)
export type UptimeIncidentRow = Row<typeof uptime_incidents>

/** Up time and down time of a check on one UTC day, without maintenance. Kept for 90 days, while periods are kept for 30. */
export const uptime_days = table(
  {
    check_number: reference('uptime_checks.number', { type: 'int' }),
    /** Days since 1970-01-01. */
    day: day,
    up_ms: int,
    down_ms: int,
  },
  { key: ['check_number', 'day'], clustered: true },
)
export type UptimeDayRow = Row<typeof uptime_days>

/** Planned work on a check's target, from `starts_at` until before `ends_at`. */
export const uptime_maintenance = table(
  {
    /** Id of the record that planned the maintenance. */
    planned_by: text,
    check_number: reference('uptime_checks.number', { type: 'int' }),
    starts_at: instant,
    ends_at: instant,
  },
  { key: ['check_number', 'planned_by', 'starts_at'], clustered: true, indexes: [['planned_by']] },
)
export type UptimeMaintenanceRow = Row<typeof uptime_maintenance>

/** Data of a registrable domain (`id`) from its registry, queried once for all of its checks. */
export const uptime_domains = table(
  {
    id: text,
    expires_at: nullable(instant),
    asked_at: nullable(instant),
    next_at: instant,
    leased_until: nullable(instant),
  },
  { indexes: [['next_at']] },
)
export type UptimeDomainRow = Row<typeof uptime_domains>

export const probe_tokens = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    name: text,
    location: text,
    /** SHA-256 of the secret, hex. */
    hash: unique(text),
    token_prefix: text,
    /** E-mail address of the member who created it. */
    created_by: text,
    last_used_at: nullable(instant),
    revoked_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['workspace_id']] },
)
export type ProbeTokenRow = Row<typeof probe_tokens>

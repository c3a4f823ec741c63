/** Uptime checks and the results of their probes. */
import type { Generated, Selectable } from 'kysely'

export interface UptimeCheckTable {
  id: string
  /** Short key of the check in the tables below. */
  number: Generated<number>
  workspace_id: string
  site_id: string | null
  /** Null: named after its target. */
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
  /** When it was created, resumed or got another target; earlier results do not count. */
  watched_since: number
  last_checked_at: number | null
  /** When the service's own probe is next due; null while paused. */
  next_check_at: number | null
  leased_until: number | null
  last_response_ms: number | null
  ssl_expires_at: number | null
  ssl_issuer: string | null
  /** Registrable domain of the target, if it has one. */
  domain: string | null
  domain_expires_at: number | null
  created_at: number
}
export type UptimeCheckRow = Selectable<UptimeCheckTable>

/** State of a check at one location. */
export interface UptimeLocationRow {
  check_number: number
  location: string
  state: 'unknown' | 'up' | 'down'
  /** The latest result, the number of equal results in a row, and the time of the first of these. */
  ok: number
  streak: number
  streak_since: number
  /** JSON: counts of errors in a streak of failures. */
  errors: string
  last_at: number
}

/** Results of one location, summed over `span` ms from `at`; span 0 is a single result. */
export interface UptimeResultRow {
  check_number: number
  location: string
  span: number
  at: number
  probes: number
  failures: number
  /** Number and total of successes with a measured response time. */
  timed: number
  total_ms: number
}

/** Lasts until the next one begins. */
export interface UptimePeriodRow {
  check_number: number
  started_at: number
  status: UptimeCheckTable['status']
}

export interface UptimeIncidentRow {
  id: string
  check_number: number
  started_at: number
  /** Null while it is open; a check has at most one open incident. */
  resolved_at: number | null
  /** Its most frequent error. */
  cause: string | null
  /** JSON: counts of errors. */
  errors: string
  /** JSON list of strings. */
  failed_locations: string
}

/** A check's up and down time of one UTC day, without maintenance. Periods are kept for 30 days, these for 90. */
export interface UptimeDayRow {
  check_number: number
  /** Days since 1970-01-01. */
  day: number
  up_ms: number
  down_ms: number
}

/** Planned work on a check's target, from `starts_at` until before `ends_at`. */
export interface UptimeMaintenanceRow {
  /** Id of the record that planned it. */
  planned_by: string
  check_number: number
  starts_at: number
  ends_at: number
}

/** Data of a registrable domain (`id`) from its registry; queried once for all checks under it. */
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
  /** E-mail address of the member who created it. */
  created_by: string
  last_used_at: number | null
  revoked_at: number | null
  created_at: number
}

export interface UptimeTables {
  uptime_checks: UptimeCheckTable
  uptime_locations: UptimeLocationRow
  uptime_results: UptimeResultRow
  uptime_periods: UptimePeriodRow
  uptime_incidents: UptimeIncidentRow
  uptime_days: UptimeDayRow
  uptime_maintenance: UptimeMaintenanceRow
  uptime_domains: UptimeDomainRow
  probe_tokens: ProbeTokenRow
}

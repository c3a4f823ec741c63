/** Uptime checks and what their probes found. */
import type { Generated, Selectable } from 'kysely'

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

export interface UptimeTables {
  uptime_checks: UptimeCheckTable
  uptime_locations: UptimeLocationRow
  uptime_results: UptimeResultRow
  uptime_periods: UptimePeriodRow
  uptime_incidents: UptimeIncidentRow
  uptime_domains: UptimeDomainRow
  probe_tokens: ProbeTokenRow
}

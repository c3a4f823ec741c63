/** A check probes one target at a fixed rate; while it is down it has an open incident. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/schema.ts'
import { subject } from '../../../runtime/subject.ts'
import type { UptimeCheckRow, UptimeIncidentRow } from '../../../storage/tables/index.ts'
import { rangeNames } from './response-times.ts'
import { kinds, targetName } from './target.ts'

export const statuses = ['up', 'down', 'pending', 'paused'] as const

export const UptimeCheck = record('UptimeCheck', {
  id: Type.String({ description: 'Prefix `upc_`.' }),
  workspace_id: Type.String({ description: 'Workspace it belongs to.' }),
  site_id: Nullable(Type.String(), { description: 'Site it belongs to; null for a check of the whole workspace.' }),
  name: Type.String({ description: 'Name shown in lists and notifications; its target where it was given none.' }),
  kind: OneOf(kinds, {
    description: 'http: status code. keyword: text in the body. tcp: a connection. dns: a name that resolves.',
  }),
  url: Nullable(Type.String(), { description: 'Address, for http and keyword.' }),
  host: Nullable(Type.String(), { description: 'Host, for tcp and dns.' }),
  port: Nullable(Type.Integer(), { description: 'Port, for tcp.' }),
  keyword: Nullable(Type.String(), { description: 'Text that the body must contain.' }),
  expected_status: Type.Integer({ description: 'Status code that is up. Redirects are followed unless it is a 3xx.' }),
  http_method: OneOf(['GET', 'HEAD'], { description: 'Method of http checks.' }),
  interval_seconds: Type.Integer({ description: 'From one probe to the next.' }),
  timeout_seconds: Type.Integer({ description: 'How long a probe waits.' }),
  status: OneOf(statuses, {
    description: 'up and down are decided by most locations; pending until the first decision.',
  }),
  enabled: Type.Boolean({ description: 'Whether it is probed: false while paused.' }),
  public: Type.Boolean({ description: 'Whether it may be shown on a public status page.' }),
  last_checked_at: Nullable(DateTime(), { description: 'The latest probe.' }),
  next_check_at: Nullable(DateTime(), { description: 'The next probe of the service itself; null while paused.' }),
  last_response_ms: Nullable(Type.Integer(), {
    description: 'Response time of the latest probe; null where nothing answered.',
  }),
  ssl_expires_at: Nullable(DateTime(), { description: 'The earliest expiry in the chain of certificates.' }),
  ssl_issuer: Nullable(Type.String(), { description: 'Who issued the certificate: organisation, else common name.' }),
  domain_expires_at: Nullable(DateTime(), {
    description: 'Expiry of the registered domain; null where its registry does not say.',
  }),
  created_at: DateTime({ description: 'When it was made.' }),
}, 'An uptime check: a target that is probed, and how it is.')

export const UptimeIncident = record('UptimeIncident', {
  started_at: DateTime({ description: 'The first failing probe.' }),
  resolved_at: Nullable(DateTime(), { description: 'The first success of the recovery; null while it is open.' }),
  duration_seconds: Type.Integer({ description: 'How long it was down; up to now while it is open.' }),
  cause: Nullable(Type.String(), {
    description: 'The commonest error: `timeout`, `status_503`, `dns_error`, `tls_expired`, `keyword_missing` …',
  }),
  failed_locations: Type.Array(Type.String(), { description: 'Locations that saw it fail.' }),
}, 'A time that a check was down.')

const percent = (window: string) => Nullable(Type.Number(), {
  description: `Percent of the last ${window} that it was up, of the time it was up or down; null where that is none.`,
})

export const UptimeCheckDetail = record('UptimeCheckDetail', {
  ...UptimeCheck.properties,
  uptime: Type.Object({ '24h': percent('24 hours'), '7d': percent('7 days'), '30d': percent('30 days') }, {
    description: 'Availability.',
  }),
  range: OneOf(rangeNames, { description: 'Range of the response times.' }),
  response_times: Type.Object({
    unit: Type.Literal('ms', { description: 'Milliseconds.' }),
    labels: Type.Array(DateTime(), { description: 'Beginnings of the buckets, oldest first.' }),
    series: Type.Record(Type.String(), Type.Array(Nullable(Type.Number())), {
      description: 'By location: the average of the successful probes of each bucket; null where there were none.',
    }),
  }, { description: 'Response times over the range.' }),
  incidents: Type.Array(UptimeIncident, { description: 'The latest 50 incidents, newest first.' }),
}, 'An uptime check with its availability, response times and incidents.')

export const check = subject<'check', UptimeCheckRow>({
  name: 'check',
  kind: 'check',
  async find(db, id) {
    const row = await db.selectFrom('uptime_checks').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: row.site_id, unrestricted: row.site_id === null }
  },
  lock: (db, id) => db.updateTable('uptime_checks').set(({ ref }) => ({ kind: ref('kind') })).where('id', '=', id)
    .returningAll().executeTakeFirst(),
})

export function toCheck(row: Omit<UptimeCheckRow, 'number'>): Static<typeof UptimeCheck> {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    site_id: row.site_id,
    name: row.name ?? targetName(row),
    kind: row.kind,
    url: row.url,
    host: row.host,
    port: row.port,
    keyword: row.keyword,
    expected_status: row.expected_status,
    http_method: row.http_method,
    interval_seconds: row.interval_seconds,
    timeout_seconds: row.timeout_seconds,
    status: row.status,
    enabled: row.status !== 'paused',
    public: row.public === 1,
    last_checked_at: iso(row.last_checked_at),
    next_check_at: iso(row.next_check_at),
    last_response_ms: row.last_response_ms,
    ssl_expires_at: iso(row.ssl_expires_at),
    ssl_issuer: row.ssl_issuer,
    domain_expires_at: iso(row.domain_expires_at),
    created_at: iso(row.created_at),
  }
}

export function toIncident(row: UptimeIncidentRow, now: number): Static<typeof UptimeIncident> {
  return {
    started_at: iso(row.started_at),
    resolved_at: iso(row.resolved_at),
    duration_seconds: Math.max(0, Math.round(((row.resolved_at ?? now) - row.started_at) / 1000)),
    cause: row.cause,
    failed_locations: JSON.parse(row.failed_locations) as string[], // written by us as a list of strings
  }
}

/** Fields of uptime checks that reports and the uptime area share. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { availabilities } from './availability.ts'

export const statuses = ['up', 'down', 'pending', 'paused'] as const satisfies UptimeCheckRow['status'][]
export const kinds = ['http', 'keyword', 'tcp', 'dns'] as const satisfies UptimeCheckRow['kind'][]

export const UptimeCheck = record(
  'UptimeCheck',
  {
    id: Type.String({ description: 'Prefix `upc_`.' }),
    workspace_id: Type.String({ description: 'Workspace of the check.' }),
    site_id: Nullable(Type.String(), { description: 'Site of the check; null for a check of the whole workspace.' }),
    name: Type.String({ description: 'Name in lists and notifications. Defaults to the target.' }),
    kind: OneOf(kinds, {
      description: 'Kind of check. http: status code. keyword: text in the body. tcp: a connection. dns: a name that resolves.',
    }),
    url: Nullable(Type.String(), { description: 'URL, for http and keyword.' }),
    host: Nullable(Type.String(), { description: 'Host, for tcp and dns.' }),
    port: Nullable(Type.Integer(), { description: 'Port, for tcp.' }),
    keyword: Nullable(Type.String(), { description: 'Text that the body must contain.' }),
    expected_status: Type.Integer({
      description: 'Status code that counts as up. Redirects are followed, unless a 3xx code is expected or accepted.',
    }),
    accepted_statuses: Type.Array(Type.String(), {
      description: 'Further status codes that count as up, and classes of them: `204`, `3xx`.',
    }),
    http_method: OneOf(['GET', 'HEAD'], { description: 'Method of http checks.' }),
    interval_seconds: Type.Integer({ unit: 'seconds', description: 'Time between two probes.' }),
    timeout_seconds: Type.Integer({ unit: 'seconds', description: 'Longest time that a probe waits.' }),
    status: OneOf(statuses, {
      description: 'State of the check. Most locations decide up and down; pending until the first decision.',
    }),
    enabled: Type.Boolean({ description: 'Whether the check runs; false while it is paused.' }),
    public: Type.Boolean({ description: 'Whether a public status page may show the check.' }),
    last_checked_at: Nullable(DateTime(), { description: 'Time of the latest probe.' }),
    next_check_at: Nullable(DateTime(), { description: 'Time of the next probe by the service itself; null while paused.' }),
    last_response_ms: Nullable(Type.Integer(), {
      unit: 'ms',
      better: 'less',
      description: 'Response time of the latest probe; null if there was no response.',
    }),
    ssl_expires_at: Nullable(DateTime(), { description: 'Earliest expiry in the certificate chain.' }),
    ssl_issuer: Nullable(Type.String(), { description: 'Issuer of the certificate: its organization; otherwise, its common name.' }),
    domain_expires_at: Nullable(DateTime(), {
      description: 'Expiry of the registered domain; null if its registry does not publish it.',
    }),
    created_at: DateTime({ description: 'When the check was created.' }),
  },
  'An uptime check: a target to probe, and its current state.',
)

/** Path of the page of a check; the uptime area sets it. */
export const checkPath = slot<{ readonly id: string }, string>('path of the page of an uptime check')

const percent = (window: string) =>
  Nullable(Type.Number(), {
    unit: 'percent',
    better: 'more',
    description: `Share of the last ${window} in which the check was up, in percent of the time that it was up or down; null if it was neither.`,
  })

export const Availability = Type.Object(
  { '24h': percent('24 hours'), '7d': percent('7 days'), '30d': percent('30 days') },
  { description: 'Availability.' },
)

export const CheckAvailability = record(
  'CheckAvailability',
  { ...UptimeCheck.properties, uptime: Availability },
  'An uptime check and its availability.',
)

/** @param now epoch ms */
export async function withAvailability(db: Db, rows: readonly UptimeCheckRow[], now: number): Promise<Static<typeof CheckAvailability>[]> {
  const uptimeOf = await availabilities(db, rows, now)
  return rows.map(row => ({ ...toCheck(row), uptime: uptimeOf(row.number) }))
}

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
    accepted_statuses: JSON.parse(row.accepted_statuses),
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

/** Returns the target as text: the URL, `host:port` or the host. */
export function targetName({ url, host, port }: Pick<UptimeCheckRow, 'url' | 'host' | 'port'>): string {
  if (url !== null) return url
  return port === null ? (host ?? '') : `${host?.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}:${port}`
}

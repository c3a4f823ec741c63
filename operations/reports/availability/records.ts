/** Fields of uptime checks that reports and the area of uptime share. */
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
    interval_seconds: Type.Integer({ unit: 'seconds', description: 'From one probe to the next.' }),
    timeout_seconds: Type.Integer({ unit: 'seconds', description: 'How long a probe waits.' }),
    status: OneOf(statuses, {
      description: 'up and down are decided by most locations; pending until the first decision.',
    }),
    enabled: Type.Boolean({ description: 'Whether it is probed: false while paused.' }),
    public: Type.Boolean({ description: 'Whether it may be shown on a public status page.' }),
    last_checked_at: Nullable(DateTime(), { description: 'The latest probe.' }),
    next_check_at: Nullable(DateTime(), { description: 'The next probe of the service itself; null while paused.' }),
    last_response_ms: Nullable(Type.Integer(), {
      unit: 'ms',
      better: 'less',
      description: 'Response time of the latest probe; null where nothing answered.',
    }),
    ssl_expires_at: Nullable(DateTime(), { description: 'The earliest expiry in the chain of certificates.' }),
    ssl_issuer: Nullable(Type.String(), { description: 'Who issued the certificate: organisation, else common name.' }),
    domain_expires_at: Nullable(DateTime(), {
      description: 'Expiry of the registered domain; null where its registry does not say.',
    }),
    created_at: DateTime({ description: 'When it was made.' }),
  },
  'An uptime check: a target that is probed, and how it is.',
)

/** Path of the page of a check, which the area of uptime brings. */
export const checkPath = slot<{ readonly id: string }, string>('path of the page of an uptime check')

const percent = (window: string) =>
  Nullable(Type.Number(), {
    unit: 'percent',
    better: 'more',
    description: `Percent of the last ${window} that it was up, of the time it was up or down; null where that is none.`,
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

/** The target as text: the URL, `host:port` or the host. */
export function targetName({ url, host, port }: Pick<UptimeCheckRow, 'url' | 'host' | 'port'>): string {
  if (url !== null) return url
  return port === null ? (host ?? '') : `${host?.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}:${port}`
}

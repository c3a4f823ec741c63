/** Uptime checks, results of their probes, and tokens of remote probes. */
import { sql } from 'kysely'
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofWorkspace = ['text', 'references workspaces(id) on delete cascade'] as const
const ofCheck = ['int', 'references uptime_checks(number) on delete cascade'] as const

export const uptime: Migration = async (db, dialect) => {
  const table = (name: string, key: string, columns: Parameters<typeof createTable>[3], kind?: 'keyed') =>
    createTable(db, dialect, name, columns, { key, ...(kind && { kind }) })

  await table('uptime_checks', 'number', {
    number: 'serial',
    id: ['text', 'unique'],
    workspace_id: ofWorkspace,
    site_id: ['text?', 'references sites(id) on delete cascade'],
    name: 'text?',
    kind: 'text',
    url: 'text?',
    host: 'text?',
    port: 'int?',
    keyword: 'text?',
    expected_status: 'int',
    http_method: 'text',
    interval_seconds: 'int',
    timeout_seconds: 'int',
    public: 'int',
    status: 'text',
    status_since: 'bigint',
    watched_since: 'bigint',
    last_checked_at: 'bigint?',
    next_check_at: 'bigint?',
    leased_until: 'bigint?',
    last_response_ms: 'int?',
    ssl_expires_at: 'bigint?',
    ssl_issuer: 'text?',
    domain: 'text?',
    domain_expires_at: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'uptime_checks', 'workspace_id')
  await createIndex(db, 'uptime_checks', 'site_id')
  await createIndex(db, 'uptime_checks', 'next_check_at')
  await createIndex(db, 'uptime_checks', 'domain')
  await table(
    'uptime_locations',
    'check_number, location',
    {
      check_number: ofCheck,
      location: 'text',
      state: 'text',
      ok: 'int',
      streak: 'int',
      streak_since: 'bigint',
      errors: 'text',
      last_at: 'bigint',
    },
    'keyed',
  )
  await table(
    'uptime_results',
    'check_number, location, span, at',
    {
      check_number: ofCheck,
      location: 'text',
      span: 'int',
      at: 'bigint',
      probes: 'int',
      failures: 'int',
      timed: 'int',
      total_ms: 'bigint',
    },
    'keyed',
  )
  await table(
    'uptime_periods',
    'check_number, started_at',
    {
      check_number: ofCheck,
      started_at: 'bigint',
      status: 'text',
    },
    'keyed',
  )
  await table('uptime_incidents', 'id', {
    id: 'text',
    check_number: ofCheck,
    started_at: 'bigint',
    resolved_at: 'bigint?',
    cause: 'text?',
    errors: 'text',
    failed_locations: 'text',
  })
  await createIndex(db, 'uptime_incidents', 'check_number, started_at')
  await sql`create unique index uptime_incidents_open on uptime_incidents (check_number) where resolved_at is null`.execute(db)
  await table('uptime_domains', 'id', {
    id: 'text',
    expires_at: 'bigint?',
    asked_at: 'bigint?',
    next_at: 'bigint',
    leased_until: 'bigint?',
  })
  await createIndex(db, 'uptime_domains', 'next_at')
  await table('probe_tokens', 'id', {
    id: 'text',
    workspace_id: ofWorkspace,
    name: 'text',
    location: 'text',
    hash: ['text', 'unique'],
    token_prefix: 'text',
    created_by: 'text',
    last_used_at: 'bigint?',
    revoked_at: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'probe_tokens', 'workspace_id')
}

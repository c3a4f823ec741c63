/** Workspaces, members, tokens, sites and their settings. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'
import { createIndex, createTable } from './create-table.ts'

const ofWorkspace = ['text', 'references workspaces(id) on delete cascade'] as const
const ofSite = ['text', 'references sites(id) on delete cascade'] as const

export const foundation: Migration = async (db, dialect) => {
  const table = (name: string, columns: Parameters<typeof createTable>[3], key = 'id') => createTable(db, dialect, name, columns, { key })

  await table('workspaces', { id: 'text', name: 'text', created_at: 'bigint' })
  await table('accounts', {
    id: 'text',
    email: ['text', 'unique'],
    unconfirmed_email: 'text?',
    name: 'text?',
    theme: 'text',
    default_landing: 'text',
    locale: 'text',
    timezone: 'text?',
    shortcuts_enabled: 'int',
    reduce_motion: 'int',
    product_emails: 'int',
    newsletter: 'int',
    marketing_emails: 'int',
    two_factor: 'int',
    passkeys: 'int',
    created_at: 'bigint',
  })
  await table('members', {
    id: 'text',
    workspace_id: ofWorkspace,
    account_id: ['text', 'references accounts(id) on delete cascade'],
    role: 'text',
    active: 'int',
    created_at: ['bigint', ', unique (workspace_id, account_id)'],
  })
  await table('api_tokens', {
    id: 'text',
    workspace_id: ofWorkspace,
    member_id: ['text', 'references members(id) on delete cascade'],
    name: 'text',
    hash: ['text', 'unique'],
    token_prefix: 'text',
    permissions: 'text',
    site_ids: 'text',
    allowed_ips: 'text',
    oauth_client: 'text?',
    expires_at: 'bigint?',
    last_used_at: 'bigint?',
    revoked_at: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'api_tokens', 'workspace_id')
  await table(
    'sites',
    {
      number: 'serial',
      id: ['text', 'unique'],
      workspace_id: 'text',
      name: 'text',
      domain: ['text?', 'unique'],
      timezone: 'text',
      currency: 'text',
      public: 'int',
      week_start: 'int',
      umami_id: ['text?', 'unique'],
      created_at: 'bigint',
      deleted_at: 'bigint?',
    },
    'number',
  )
  await createIndex(db, 'sites', 'workspace_id')
  await table('notes', {
    id: 'text',
    site_id: ofSite,
    at: 'bigint',
    text: 'text',
    author: 'text',
    created_at: 'bigint',
    updated_at: 'bigint',
  })
  await createIndex(db, 'notes', 'site_id, at')
  await table('goals', {
    id: 'text',
    site_id: ofSite,
    name: 'text',
    kind: 'text',
    path: 'text?',
    event: 'text?',
    property: 'text?',
    value: 'text?',
    created_at: 'bigint',
    updated_at: ['bigint', ', unique (site_id, name)'],
  })
  await table('saved_segments', {
    id: 'text',
    site_id: ofSite,
    name: 'text',
    filters: 'text',
    created_at: 'bigint',
    updated_at: ['bigint', ', unique (site_id, name)'],
  })
  await table('alerts', {
    id: 'text',
    workspace_id: ofWorkspace,
    site_id: ['text?', 'references sites(id) on delete cascade'],
    name: 'text',
    kind: 'text',
    metric: 'text?',
    operator: 'text?',
    threshold: 'real?',
    window_minutes: 'int',
    sensitivity: 'text',
    goal_id: 'text?',
    uptime_check_id: 'text?',
    channel_ids: 'text',
    state: 'text',
    enabled: 'int',
    muted_until: 'bigint?',
    last_triggered_at: 'bigint?',
    last_evaluated_at: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'alerts', 'workspace_id')
  await createIndex(db, 'alerts', 'site_id')
  await table('alert_incidents', {
    id: 'text',
    alert_id: ['text', 'references alerts(id) on delete cascade'],
    triggered_at: 'bigint',
    resolved_at: 'bigint?',
    resolution: 'text?',
    value: 'real?',
    message: 'text?',
    acknowledged_at: 'bigint?',
    acknowledged_by: 'text?',
  })
  await createIndex(db, 'alert_incidents', 'alert_id, triggered_at')
  await sql`create unique index alert_incidents_open on alert_incidents (alert_id) where resolved_at is null`.execute(db)
  await table('audit_entries', {
    id: 'text',
    workspace_id: 'text',
    site_id: 'text?',
    at: 'bigint',
    operation: 'text',
    subject_id: 'text?',
    actor: 'text',
    token_id: 'text?',
    surface: 'text',
    ip: 'text?',
    request_id: 'text',
    input: 'text',
  })
  await createIndex(db, 'audit_entries', 'workspace_id, at')
  await table('events', {
    id: 'text',
    type: 'text',
    workspace_id: 'text',
    site_id: 'text?',
    data: 'text',
    created_at: 'bigint',
  })
  await createIndex(db, 'events', 'workspace_id, created_at')
  await table(
    'idempotency_keys',
    {
      token_id: 'text',
      operation: 'text',
      key: 'text',
      fingerprint: 'text',
      answer: 'text?',
      created_at: 'bigint',
    },
    'token_id, operation, key',
  )
}

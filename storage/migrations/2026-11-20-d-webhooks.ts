/** Webhooks and their deliveries, and the key with which an installation on Postgres seals their secrets. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const webhooks: Migration = async (db, dialect) => {
  const table = (name: string, columns: Parameters<typeof createTable>[3], key = 'id') => createTable(db, dialect, name, columns, { key })

  await table('webhooks', {
    id: 'text',
    workspace_id: ['text', 'references workspaces(id) on delete cascade'],
    url: 'text',
    events: 'text',
    enabled: 'int',
    secret: 'text',
    previous_secret: 'text?',
    previous_until: 'bigint?',
    consecutive_failures: 'int',
    failing_since: 'bigint?',
    last_success_at: 'bigint?',
    last_failure_at: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'webhooks', 'workspace_id')
  await table('webhook_deliveries', {
    id: 'text',
    webhook_id: ['text', 'references webhooks(id) on delete cascade'],
    event: 'text',
    event_id: 'text',
    payload: 'text',
    manual: 'int',
    status: 'text',
    attempt: 'int',
    status_code: 'int?',
    error: 'text?',
    duration_ms: 'int?',
    response_body: 'text?',
    delivered_at: 'bigint?',
    next_at: 'bigint?',
    leased_until: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'webhook_deliveries', 'webhook_id, created_at')
  await createIndex(db, 'webhook_deliveries', 'created_at')
  // Partial indexes: few rows are due at any time, so these stay small.
  for (const [name, columns] of [
    ['due', 'next_at'],
    ['lane', 'webhook_id, next_at'],
  ]) {
    const index = `webhook_deliveries_${name} on webhook_deliveries (${columns}) where next_at is not null`
    await sql.raw(`create index ${index}`).execute(db)
  }

  await table('instance_secrets', { name: 'text', value: 'text' }, 'name')
  if (dialect.name !== 'postgres') return // SQLite has a file beside it for this: storage/installation/instance-key.ts
  const key = randomBytes(32).toString('base64')
  await sql`insert into instance_secrets (name, value) values ('key', ${key})`.execute(db)
}

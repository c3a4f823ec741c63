/** Alerts, notification channels and their messages, and usage counts. */
import { sql } from 'kysely'
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const alerting: Migration = async (db, dialect) => {
  const { bigint, int } = dialect.types
  const add = (table: string, column: string) => sql.raw(`alter table ${table} add column ${column}`).execute(db)
  await add('alerts', `evaluate_at ${bigint}`)
  await add('alerts', `leased_until ${bigint}`)
  await add('alerts', `streak ${int} not null default 0`)
  await sql`update alerts set evaluate_at = 0 where enabled = 1`.execute(db)
  await createIndex(db, 'alerts', 'evaluate_at')
  await add('alert_incidents', `announced_at ${bigint}`)

  const table = (name: string, key: string, columns: Parameters<typeof createTable>[3]) => createTable(db, dialect, name, columns, { key })
  const ofWorkspace = ['text', 'references workspaces(id) on delete cascade'] as const
  await table('channels', 'id', {
    id: 'text',
    workspace_id: ofWorkspace,
    name: 'text',
    kind: 'text',
    target: 'text',
    shown: 'text?',
    last_sent_at: 'bigint?',
    last_error: 'text?',
    last_error_at: 'bigint?',
    created_at: 'bigint',
    updated_at: 'bigint',
  })
  await createIndex(db, 'channels', 'workspace_id')
  await table('notifications', 'id', {
    id: 'text',
    channel_id: ['text', 'references channels(id) on delete cascade'],
    message: 'text',
    status: 'text',
    attempt: 'int',
    due_at: 'bigint?',
    leased_until: 'bigint?',
    error: 'text?',
    sent_at: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'notifications', 'channel_id, created_at')
  await createIndex(db, 'notifications', 'channel_id, due_at')
  await createIndex(db, 'notifications', 'due_at')
  await createIndex(db, 'notifications', 'created_at')

  await table('usage_days', 'site_id, day', { site_id: 'int', day: 'int', rev: 'int', hits: 'int' })
  await table('usage_months', 'workspace_id, month', {
    workspace_id: ofWorkspace,
    month: 'text',
    hits: 'bigint',
    announced: 'int',
  })
}

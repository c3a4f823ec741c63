/** Warehouse syncs: where days of sites are sent, which were, and when. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const
const ofSync = ['text', 'references warehouse_syncs(id) on delete cascade'] as const

export const warehouseSyncs: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'warehouse_syncs',
    {
      id: 'text',
      workspace_id: ['text', 'references workspaces(id) on delete cascade'],
      name: 'text',
      destination: 'text',
      tables: 'text',
      format: 'text?',
      endpoint: 'text?',
      region: 'text?',
      bucket: 'text?',
      prefix: 'text?',
      access_key_id: 'text?',
      host: 'text?',
      port: 'int?',
      database: 'text?',
      schema: 'text?',
      username: 'text?',
      tls: 'text?',
      secret: 'text',
      backfill_from: 'int?',
      enabled: 'int',
      consecutive_failures: 'int',
      failing_since: 'bigint?',
      last_error: 'text?',
      last_synced_at: 'bigint?',
      lag_days: 'int',
      requested: 'int',
      created_by: 'text',
      next_at: 'bigint?',
      leased_until: 'bigint?',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'warehouse_syncs', 'workspace_id')
  await createIndex(db, 'warehouse_syncs', 'next_at')
  await createTable(db, dialect, 'warehouse_sync_sites', { sync_id: ofSync, site_id: ofSite }, { key: 'sync_id, site_id', kind: 'keyed' })
  await createIndex(db, 'warehouse_sync_sites', 'site_id')
  await createTable(
    db,
    dialect,
    'warehouse_sync_days',
    { sync_id: ofSync, table_name: 'text', site_id: ofSite, day: 'int', rev: 'bigint', sent_at: 'bigint' },
    { key: 'sync_id, table_name, site_id, day', kind: 'keyed' },
  )
  await createIndex(db, 'warehouse_sync_days', 'site_id')
  await createTable(
    db,
    dialect,
    'warehouse_sync_runs',
    {
      id: 'text',
      sync_id: ofSync,
      status: 'text',
      requested: 'int',
      days: 'int',
      rows_sent: 'bigint',
      bytes: 'bigint',
      error_code: 'text?',
      error_message: 'text?',
      started_at: 'bigint',
      finished_at: 'bigint?',
    },
    { key: 'id' },
  )
  await createIndex(db, 'warehouse_sync_runs', 'sync_id, started_at')
}

/** Warehouse syncs, what they have sent, and their runs. */

export interface WarehouseSyncRow {
  id: string
  workspace_id: string
  name: string
  destination: string
  /** JSON list of tables. */
  tables: string
  format: string | null
  endpoint: string | null
  region: string | null
  bucket: string | null
  prefix: string | null
  access_key_id: string | null
  host: string | null
  port: number | null
  database: string | null
  schema: string | null
  username: string | null
  tls: string | null
  /** Secret access key or password, sealed. */
  secret: string
  backfill_from: number | null
  enabled: number
  consecutive_failures: number
  failing_since: number | null
  last_error: string | null
  last_synced_at: number | null
  lag_days: number
  /** 1: a person wants it to run now, whatever was sent a moment ago. */
  requested: number
  /** Account that gets mail when it fails. */
  created_by: string
  /** When it is looked at next; null while it is paused. */
  next_at: number | null
  leased_until: number | null
  created_at: number
  updated_at: number
}

export interface WarehouseSyncSiteRow {
  sync_id: string
  site_id: string
}

/** A day of a table that is at the destination. */
export interface WarehouseSyncDayRow {
  sync_id: string
  table_name: string
  site_id: string
  day: number
  /** `rev` of the day when it was read. */
  rev: number
  sent_at: number
}

export interface WarehouseSyncRunRow {
  id: string
  sync_id: string
  status: string
  requested: number
  days: number
  rows_sent: number
  bytes: number
  error_code: string | null
  error_message: string | null
  started_at: number
  finished_at: number | null
}

declare module './index.ts' {
  interface Tables {
    warehouse_syncs: WarehouseSyncRow
    warehouse_sync_sites: WarehouseSyncSiteRow
    warehouse_sync_days: WarehouseSyncDayRow
    warehouse_sync_runs: WarehouseSyncRunRow
  }
}

/** Warehouse syncs, the days that they have sent, and their runs. */
import { text, int, bigint, instant, day, flag, json, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const warehouse_syncs = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    name: text,
    destination: text,
    /** JSON list of tables. */
    tables: json,
    format: nullable(text),
    endpoint: nullable(text),
    region: nullable(text),
    bucket: nullable(text),
    prefix: nullable(text),
    access_key_id: nullable(text),
    host: nullable(text),
    port: nullable(int),
    database: nullable(text),
    schema: nullable(text),
    username: nullable(text),
    tls: nullable(text),
    /** Secret access key or password, sealed. */
    secret: text,
    backfill_from: nullable(int),
    enabled: flag,
    consecutive_failures: int,
    failing_since: nullable(instant),
    last_error: nullable(text),
    last_synced_at: nullable(instant),
    lag_days: int,
    /** 1 if a member requested a run, which ignores the pause since the last one. */
    requested: flag,
    /** Account that is mailed if the sync fails. */
    created_by: text,
    /** When the sync is next due; null while it is paused. */
    next_at: nullable(instant),
    leased_until: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['workspace_id'], ['next_at']] },
)
export type WarehouseSyncRow = Row<typeof warehouse_syncs>

export const warehouse_sync_sites = table(
  {
    sync_id: reference('warehouse_syncs'),
    site_id: reference('sites'),
  },
  { key: ['sync_id', 'site_id'], clustered: true, indexes: [['site_id']] },
)
export type WarehouseSyncSiteRow = Row<typeof warehouse_sync_sites>

/** A day of a table that was sent to the destination. */
export const warehouse_sync_days = table(
  {
    sync_id: reference('warehouse_syncs'),
    table_name: text,
    site_id: reference('sites'),
    day: day,
    /** `rev` of the day when it was read. */
    rev: bigint,
    sent_at: instant,
  },
  { key: ['sync_id', 'table_name', 'site_id', 'day'], clustered: true, indexes: [['site_id']] },
)
export type WarehouseSyncDayRow = Row<typeof warehouse_sync_days>

export const warehouse_sync_runs = table(
  {
    id: text,
    sync_id: reference('warehouse_syncs'),
    status: text,
    requested: flag,
    days: int,
    rows_sent: bigint,
    bytes: bigint,
    error_code: nullable(text),
    error_message: nullable(text),
    started_at: instant,
    finished_at: nullable(instant),
  },
  { indexes: [['sync_id', 'started_at']] },
)
export type WarehouseSyncRunRow = Row<typeof warehouse_sync_runs>

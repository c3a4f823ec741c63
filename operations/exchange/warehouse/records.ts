/** Warehouse syncs. A sync sends ended days of sites to a warehouse, in runs. */
import { sentenceOf } from '../../../runtime/texts/message.ts'
import { type Static, Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { among, CalendarDay, DateTime, iso, Nullable, OneOf, record, Sentence } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { WarehouseSyncRow, WarehouseSyncRunRow } from '../../../storage/tables/warehouse.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { type TableName, tableNames } from '../exports/index.ts'
import { statusOf, statuses } from './health.ts'

export const ids = { warehouse_sync: idKind('syn_'), warehouse_sync_run: idKind('run_') }

export const destinations = ['s3', 'postgres'] as const
export const formats = ['parquet', 'ndjson'] as const
export const tlsModes = ['verify', 'off'] as const
export const runStates = ['running', 'completed', 'failed', 'interrupted'] as const
export const limits = { syncs: 20, sites: 100 } as const

export const WarehouseSync = record(
  'WarehouseSync',
  {
    id: Type.String({ description: 'Prefix `syn_`.' }),
    name: Type.String({ description: 'Name shown in lists.' }),
    destination: OneOf(destinations, { description: 'Kind of the warehouse.' }),
    status: OneOf(statuses, {
      description: '`failing` after 5 failures in a row, then retried hourly; `paused` by hand, or after 14 days of failures.',
    }),
    enabled: Type.Boolean({ description: 'Whether the sync sends data.' }),
    lag_days: Type.Integer({ unit: 'days', better: 'less', description: 'Ended days that are not sent yet, or must be sent again.' }),
    last_synced_at: Nullable(DateTime(), { description: 'Time at which the warehouse was last complete.' }),
    last_error: Nullable(Sentence(), { description: 'Error of the last attempt; null if it succeeded.' }),
    site_ids: Type.Array(Type.String(), { description: 'Sites whose days are sent.' }),
    tables: Type.Array(OneOf(tableNames), { description: 'Sent tables.' }),
    format: Nullable(OneOf(formats), { description: 's3: format of the files.' }),
    endpoint: Nullable(Type.String(), { description: 's3: address of the service; null for AWS.' }),
    region: Nullable(Type.String(), { description: 's3: region.' }),
    bucket: Nullable(Type.String(), { description: 's3: bucket.' }),
    prefix: Nullable(Type.String(), { description: 's3: prefix of the keys.' }),
    access_key_id: Nullable(Type.String(), { description: 's3: access key.' }),
    secret_access_key_present: Type.Boolean({ description: 'Whether a secret key is stored.' }),
    host: Nullable(Type.String(), { description: 'postgres: host.' }),
    port: Nullable(Type.Integer(), { description: 'postgres: port.' }),
    database: Nullable(Type.String(), { description: 'postgres: database.' }),
    schema: Nullable(Type.String(), { description: 'postgres: schema of the tables.' }),
    username: Nullable(Type.String(), { description: 'postgres: user.' }),
    password_present: Type.Boolean({ description: 'Whether a password is stored.' }),
    tls: Nullable(OneOf(tlsModes), { description: 'postgres: whether the connection is encrypted.' }),
    backfill_from: Nullable(CalendarDay(), { description: 'First day that is sent; null for all days.' }),
    created_at: DateTime({ description: 'Creation time.' }),
    updated_at: DateTime({ description: 'Time of the last change.' }),
  },
  'A sync, which sends days of sites to a warehouse.',
)

export const WarehouseSyncRun = record(
  'WarehouseSyncRun',
  {
    id: Type.String({ description: 'Prefix `run_`.' }),
    status: OneOf(runStates, {
      description: '`interrupted`: the service stopped, or the sync was changed; the next run sends the missing days.',
    }),
    requested: Type.Boolean({ description: 'Whether a member requested it.' }),
    days: Type.Integer({ unit: 'days', description: 'Number of sent days, per table and site.' }),
    rows: Type.Integer({ unit: 'count', description: 'Number of sent rows.' }),
    bytes: Type.Integer({ unit: 'bytes', description: 'Size of the sent rows.' }),
    error: Nullable(
      Type.Object({
        code: Type.String({ description: 'Code of the error.' }),
        message: Sentence({ description: 'Description of the error.' }),
      }),
      { description: 'Error; null if the run did not fail.' },
    ),
    started_at: DateTime({ description: 'Start time.' }),
    finished_at: Nullable(DateTime(), { description: 'End time.' }),
  },
  'One run of a sync.',
)

export const WarehouseSyncTest = record(
  'WarehouseSyncTest',
  {
    ok: Type.Boolean({ description: 'Whether the warehouse accepts data.' }),
    error: Nullable(Sentence(), { description: 'Error; null if the test succeeded.' }),
  },
  'The result of a test.',
)

export const warehouse_sync = subject<'warehouse_sync', WarehouseSyncRow>({
  name: 'warehouse_sync',
  async find(db, id) {
    const row = await db.selectFrom('warehouse_syncs').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  lock: (db, id) =>
    db
      .updateTable('warehouse_syncs')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

export function tablesOf({ tables }: Pick<WarehouseSyncRow, 'tables'>): TableName[] {
  const named: unknown = JSON.parse(tables)
  return Array.isArray(named) ? named.map(name => among(tableNames, String(name))) : []
}

/** Ids of the sites of these syncs, by sync. */
export async function sitesOf(db: Db, syncs: readonly string[]): Promise<(sync: string) => string[]> {
  if (syncs.length === 0) return () => []
  const rows = await db
    .selectFrom('warehouse_sync_sites as link')
    .innerJoin('sites', 'sites.id', 'link.site_id')
    .select(['link.sync_id', 'link.site_id'])
    .where('link.sync_id', 'in', syncs)
    .where('sites.deleted_at', 'is', null)
    .orderBy('link.site_id')
    .execute()
  return sync => rows.filter(({ sync_id }) => sync_id === sync).map(({ site_id }) => site_id)
}

export function toSync(row: WarehouseSyncRow, siteIds: string[]): Static<typeof WarehouseSync> {
  return {
    id: row.id,
    name: row.name,
    destination: among(destinations, row.destination),
    status: statusOf(row),
    enabled: row.enabled === 1,
    lag_days: row.lag_days,
    last_synced_at: iso(row.last_synced_at),
    last_error: row.last_error === null ? null : sentenceOf(row.last_error),
    site_ids: siteIds,
    tables: tablesOf(row),
    format: row.format === null ? null : among(formats, row.format),
    endpoint: row.endpoint,
    region: row.region,
    bucket: row.bucket,
    prefix: row.prefix,
    access_key_id: row.access_key_id,
    secret_access_key_present: row.destination === 's3',
    host: row.host,
    port: row.port,
    database: row.database,
    schema: row.schema,
    username: row.username,
    password_present: row.destination === 'postgres',
    tls: row.tls === null ? null : among(tlsModes, row.tls),
    backfill_from: row.backfill_from === null ? null : dateOf(row.backfill_from),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export async function shown(db: Db, row: WarehouseSyncRow): Promise<Static<typeof WarehouseSync>> {
  return toSync(row, (await sitesOf(db, [row.id]))(row.id))
}

export function toRun(row: WarehouseSyncRunRow): Static<typeof WarehouseSyncRun> {
  return {
    id: row.id,
    status: among(runStates, row.status),
    requested: row.requested === 1,
    days: row.days,
    rows: row.rows_sent,
    bytes: row.bytes,
    error: row.error_code === null ? null : { code: row.error_code, message: sentenceOf(row.error_message ?? '') },
    started_at: iso(row.started_at),
    finished_at: iso(row.finished_at),
  }
}

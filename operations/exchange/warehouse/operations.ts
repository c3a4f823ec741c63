import type { Sentence } from '../../../runtime/texts/message.ts'
import type { Db } from '../../../storage/store.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { dayOf } from '../../../storage/calendar/zones.ts'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { among, CalendarDay, flag, OneOf, optional } from '../../../runtime/table/schema.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { nameOf, settleAddress } from './destination.ts'
import { createFields, updateFields } from './fields.ts'
import { healthy } from './health.ts'
import {
  destinations,
  ids,
  limits,
  runStates,
  shown,
  sitesOf,
  tablesOf,
  toRun,
  toSync,
  WarehouseSync,
  WarehouseSyncRun,
  WarehouseSyncTest,
  warehouse_sync,
} from './records.ts'
import { openWarehouse } from './open.ts'
import { WarehouseError } from './warehouse.ts'
import { syncing } from './task-name.ts'
import { m } from './messages.ts'

const ofWorkspace = { workspace_id: '{{workspace}}' }
const ofSync = { ...ofWorkspace, id: '{{warehouse_sync}}' }
const secrets = ['secret_access_key', 'password']

/** Syncs send raw data away, as exports do. */
const needs = ['analytics.export'] as const

export const warehouse_syncs_list = list({
  route: 'GET /workspaces/{workspace_id}/warehouse_syncs',
  summary: 'List warehouse syncs',
  empty: {
    says: 'A sync copies the data of every day into a bucket or a database of yours.',
    like: [
      ['s3://analytics/footfall', '24 h'],
      ['postgres://dwh', '24 h'],
    ],
  },
  title: 'Warehouse',
  place: 'integrations',
  description: 'Oldest first.',
  access: 'workspace.manage',
  reach: 'workspace',
  on: workspace,
  effect: 'read',
  input: {},
  of: WarehouseSync,
  examples: [{ input: ofWorkspace }],
  async run({ db, workspace, page }) {
    const all = db.selectFrom('warehouse_syncs').selectAll().where('workspace_id', '=', workspace.id)
    const { rows, total } = await pageOf(all.orderBy('created_at').orderBy('id'), page)
    const sites = await sitesOf(
      db,
      rows.map(({ id }) => id),
    )
    return { rows: rows.map(row => toSync(row, sites(row.id))), total }
  },
})

export const warehouse_syncs_get = operation({
  route: 'GET /workspaces/{workspace_id}/warehouse_syncs/{id}',
  summary: 'Get a warehouse sync: its health and pending days',
  access: 'workspace.manage',
  reach: 'workspace',
  on: [workspace, warehouse_sync],
  effect: 'read',
  input: {},
  output: WarehouseSync,
  examples: [{ input: ofSync }],
  run: ({ db, warehouse_sync }) => shown(db, warehouse_sync),
})

export const warehouse_syncs_create = operation({
  route: 'POST /workspaces/{workspace_id}/warehouse_syncs',
  summary: 'Create a warehouse sync: every day of sites as files in a bucket (S3), or tables in Postgres',
  description: 'Footfall sends each day after it ends, and again if it changes, for example by late hits, deletions or imports.',
  access: 'workspace.manage',
  reach: 'workspace',
  needs,
  on: locked(workspace),
  effect: 'create',
  contacts: true,
  secrets,
  input: createFields,
  output: WarehouseSync,
  examples: [
    {
      summary: 'Parquet files in S3',
      input: {
        ...ofWorkspace,
        destination: 's3',
        site_ids: ['{{site}}'],
        region: 'eu-central-1',
        bucket: 'acme-analytics',
        access_key_id: 'AKIAEXAMPLE',
        secret_access_key: 'secret',
      },
    },
    {
      summary: 'Tables in Postgres',
      input: {
        ...ofWorkspace,
        destination: 'postgres',
        site_ids: ['{{site}}'],
        host: 'db.example.com',
        database: 'warehouse',
        username: 'footfall',
        password: 'secret',
      },
    },
  ],
  async run({ db, workspace, caller, input, config, now, newId, use }) {
    const { address, secret = '', faults } = settleAddress({ kind: input.destination, given: input, before: undefined, config })
    failWith([...faults, ...(await siteFaults(db, workspace.id, input.site_ids))])
    const count = await countOf(db.selectFrom('warehouse_syncs').where('workspace_id', '=', workspace.id))
    if (count >= limits.syncs) fail('limit_reached', m.too_many_syncs({ most: limits.syncs }))
    const id = newId(ids.warehouse_sync)
    const row: WarehouseSyncRow = {
      id,
      workspace_id: workspace.id,
      name: input.name || nameOf(input.destination, address),
      destination: input.destination,
      tables: JSON.stringify([...new Set(input.tables)]),
      ...address,
      secret: await use(secretBox).seal(db, secret, id),
      backfill_from: dayIn(input.backfill_from),
      enabled: Number(input.enabled),
      ...healthy,
      last_synced_at: null,
      lag_days: 0,
      requested: 0,
      created_by: caller.member.accountId,
      next_at: input.enabled ? now : null,
      leased_until: null,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('warehouse_syncs').values(row).execute()
    await linkSites(db, id, input.site_ids)
    wakeAfter(db, syncing)
    return shown(db, row)
  },
})

export const warehouse_syncs_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/warehouse_syncs/{id}',
  summary: 'Change a warehouse sync',
  description: 'After a change of the destination, Footfall sends everything again. A change of the server or user requires the secret.',
  access: 'workspace.manage',
  reach: 'workspace',
  needs,
  on: [workspace, locked(warehouse_sync)],
  effect: 'update',
  contacts: true,
  secrets,
  input: updateFields,
  output: WarehouseSync,
  examples: [
    { input: { ...ofSync, tables: ['hits', 'visits', 'crawlers'] } },
    { summary: 'Pause it', input: { ...ofSync, enabled: false } },
  ],
  async run({ db, workspace, warehouse_sync: before, input, config, now, use }) {
    const kind = among(destinations, before.destination)
    const { address, secret, faults, isElsewhere } = settleAddress({ kind, given: input, before, config })
    failWith([...faults, ...(input.site_ids ? await siteFaults(db, workspace.id, input.site_ids) : [])])
    if (isElsewhere) await db.deleteFrom('warehouse_sync_days').where('sync_id', '=', before.id).execute()
    if (input.site_ids) await linkSites(db, before.id, input.site_ids)
    const enabled = flag(input.enabled) ?? before.enabled
    const row = await db
      .updateTable('warehouse_syncs')
      .set({
        ...address,
        ...(input.name !== undefined && { name: input.name || nameOf(kind, address) }),
        ...(input.tables && { tables: JSON.stringify([...new Set(input.tables)]) }),
        ...(input.backfill_from !== undefined && { backfill_from: dayIn(input.backfill_from) }),
        ...(secret !== undefined && { secret: await use(secretBox).seal(db, secret, before.id) }),
        ...(enabled === 1 && (before.enabled === 0 || secret !== undefined || isElsewhere) && healthy),
        enabled,
        leased_until: takenFrom(before, now),
        next_at: enabled === 1 ? now : null,
        updated_at: now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    wakeAfter(db, syncing)
    return shown(db, row)
  },
})

export const warehouse_syncs_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/warehouse_syncs/{id}',
  summary: 'Delete a warehouse sync',
  description: 'Sent data stays in the warehouse.',
  access: 'workspace.manage',
  reach: 'workspace',
  on: [workspace, warehouse_sync],
  effect: 'delete',
  input: {},
  output: WarehouseSync,
  examples: [{ input: ofSync }],
  async run({ db, warehouse_sync: { id } }) {
    const sites = await sitesOf(db, [id])
    const row = await db.deleteFrom('warehouse_syncs').where('id', '=', id).returningAll().executeTakeFirst()
    return toSync(row ?? fail('not_found'), sites(id))
  },
})

const tested = {
  succeeded: m.test_succeeded,
  failed: m.test_failed,
  pending: m.test_pending,
}

export const warehouse_syncs_test = operation({
  route: 'POST /workspaces/{workspace_id}/warehouse_syncs/{id}/test',
  summary: 'Test a warehouse sync: write to its warehouse and delete the test data',
  label: 'Test',
  done: 'Warehouse sync tested.',
  access: 'workspace.manage',
  reach: 'workspace',
  needs,
  on: [workspace, warehouse_sync],
  effect: 'update',
  contacts: true,
  rate: 'costly',
  input: {},
  output: WarehouseSyncTest,
  outcome: ({ ok, error }) => outcomeOf(ok ? 'succeeded' : 'failed', tested, error),
  examples: [{ input: ofSync }],
  async prepare({ warehouse_sync, store, config, use, now }) {
    let error: Sentence | null = null
    try {
      const opening = { config, box: use(secretBox), db: store.read, tables: tablesOf(warehouse_sync), now: () => now }
      const warehouse = await openWarehouse(warehouse_sync, opening)
      await warehouse.test().finally(warehouse.close)
    } catch (thrown) {
      if (!(thrown instanceof WarehouseError)) throw thrown
      error = thrown.sentence
    }
    return { tested: { ok: error === null, error } }
  },
  run: async ({ tested }) => tested,
})

export const warehouse_syncs_run = operation({
  route: 'POST /workspaces/{workspace_id}/warehouse_syncs/{id}/run',
  summary: 'Run a warehouse sync now',
  label: 'Run now',
  done: 'Warehouse sync started.',
  description: '`warehouse_sync_runs_list` shows the result.',
  access: 'workspace.manage',
  reach: 'workspace',
  needs,
  on: [workspace, locked(warehouse_sync)],
  effect: 'update',
  contacts: true,
  offered: { status: ['active', 'failing'] },
  rate: 'costly',
  input: { resend_from: optional(CalendarDay({ description: 'First day to send again, even without changes.' })) },
  output: WarehouseSync,
  examples: [{ input: ofSync }],
  async run({ db, warehouse_sync, input, now }) {
    if (warehouse_sync.enabled === 0) fail('invalid_state', m.sync_paused())
    const from = dayIn(input.resend_from)
    if (from !== null) {
      await db.deleteFrom('warehouse_sync_days').where('sync_id', '=', warehouse_sync.id).where('day', '>=', from).execute()
    }
    const row = await db
      .updateTable('warehouse_syncs')
      .set({ requested: 1, next_at: now })
      .where('id', '=', warehouse_sync.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    wakeAfter(db, syncing)
    return shown(db, row)
  },
})

export const warehouse_sync_runs_list = list({
  route: 'GET /workspaces/{workspace_id}/warehouse_syncs/{warehouse_sync_id}/runs',
  summary: 'List runs of a warehouse sync: what was sent, what failed',
  empty: {
    says: 'Each time the sync sends days, the run appears here with its rows.',
    like: [['2026-11-26', '120,480']],
  },
  title: 'Runs',
  description: 'Newest first, from the last 90 days. A check without days to send is not a run.',
  access: 'workspace.manage',
  reach: 'workspace',
  on: [workspace, warehouse_sync],
  effect: 'read',
  input: { status: optional(OneOf(runStates, { description: 'Only runs in this state.' })) },
  of: WarehouseSyncRun,
  examples: [{ input: { ...ofWorkspace, warehouse_sync_id: '{{warehouse_sync}}' } }],
  async run({ db, warehouse_sync, input, page }) {
    let query = db.selectFrom('warehouse_sync_runs').selectAll().where('sync_id', '=', warehouse_sync.id)
    if (input.status) query = query.where('status', '=', input.status)
    const { rows, total } = await pageOf(query.orderBy('started_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toRun), total }
  },
})

/**
 * Ends the current run before it records another day. The next run begins when the lease would have ended, so that requests
 * of the old run cannot arrive after requests of the new one.
 */
const takenFrom = ({ leased_until }: WarehouseSyncRow, now: number): number | null =>
  leased_until !== null && leased_until > now ? leased_until + 1 : null

const dayIn = (date: string | null | undefined): number | null => (date ? dayOf(date) : null)

async function siteFaults(db: Db, workspaceId: string, wanted: readonly string[]): Promise<Fault[]> {
  // Selected by workspace, since ids from outside may contain characters that a database refuses.
  const sites = await db
    .selectFrom('sites')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('domain', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set(sites.map(({ id }) => id))
  return wanted.flatMap((id, i): Fault[] =>
    known.has(id) ? [] : [{ pointer: `/site_ids/${i}`, code: 'not_found', message: m.no_such_site() }],
  )
}

async function linkSites(db: Db, sync: string, siteIds: readonly string[]): Promise<void> {
  await db.deleteFrom('warehouse_sync_sites').where('sync_id', '=', sync).execute()
  await db
    .insertInto('warehouse_sync_sites')
    .values([...new Set(siteIds)].map(site_id => ({ sync_id: sync, site_id })))
    .execute()
}

/**
 * A worker is stopped for longer than its lease (a paused machine, a full swap), another one takes its work over, and it
 * goes on: nothing is done twice, and nothing that succeeded is marked as failed. The clocks of both are minutes apart.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe } from 'node:test'
import { sql } from 'kysely'
import { type Importing, type Site, siteIn, startImporting } from '../exchange/imports/site.ts'
import { traffic } from '../exchange/traffic.ts'
import { later, until } from '../runtime/tasks/tasks.ts'
import { engines } from '../support/engines.ts'
import { testIfFull, testIfFullOr } from '../support/full.ts'
import { addCheck } from '../support/uptime.ts'
import { makeSite } from '../support/world.ts'
import { impatient, startWorker } from './workers.ts'

const postgres = engines.find(({ name }) => name === 'postgres')
const LEASE = 1_500
const MINUTE = 60_000

/** Runs the task in two processes, of which the first is stopped once it is in the middle. */
async function stopped(
  service: Importing,
  task: string,
  { middle, isOver, wakes }: { middle: () => Promise<boolean>; isOver: () => Promise<boolean>; wakes: 'late' | 'soon' },
): Promise<void> {
  const work = {
    DATABASE_URL: impatient(service.url),
    TASKS: task,
    FOREVER: '1',
    LEASE: String(LEASE),
    FILES_URL: `file:${service.folder}`,
  }
  const first = startWorker({ ...work, SKEW: String(5 * MINUTE) })
  await until(middle)
  first.child.kill('SIGSTOP')
  const lease = () =>
    service.store.read.selectFrom('tasks').select(['leased_by', 'leased_until']).where('name', '=', task).executeTakeFirstOrThrow()
  const before = await lease()
  assert.ok(before.leased_by !== null && !(await isOver()), 'it was stopped in the middle')
  const second = startWorker({ ...work, SKEW: String(-5 * MINUTE) })
  await until(async () => (wakes === 'late' ? isOver() : (await lease()).leased_by !== before.leased_by))
  first.child.kill('SIGCONT')
  await until(isOver)
  await later(LEASE)
  for (const worker of [first, second]) worker.kill()
  await Promise.all([first.ended, second.ended])
}

describe('a worker that is stopped past its lease', { skip: !postgres && 'without Postgres there is one process' }, () => {
  async function start(): Promise<{ service: Importing; site: Site }> {
    assert.ok(postgres)
    const service = await startImporting(postgres)
    return { service, site: await siteIn(service) }
  }

  for (const wakes of ['soon', 'late'] as const) {
    testIfFullOr(wakes === 'soon')(`in an import, and woken ${wakes}: each hit is there once`, async () => {
      const { service, site } = await start()
      const rows = 3_000
      const lines = Array.from({ length: rows }, (_, i) =>
        JSON.stringify({ timestamp: Date.UTC(2025, 1, 1) + i * 6_000, url: `/${i % 500}?i=${i}`, visitor: `v${i % 97}` }),
      )
      const id = await site.upload('footfall', 'hits.ndjson', lines.join('\n'))
      await site.get('imports_start', { id })
      const row = async () => (await site.get('imports_get', { id })).data
      await stopped(service, 'imports_run', {
        wakes,
        middle: async () => (await row()).rows_read > 0,
        isOver: async () => !['pending', 'running'].includes((await row()).status),
      })
      const { status, error, rows_taken } = await row()
      assert.deepEqual([status, error, rows_taken], ['completed', null, rows])
      const { all } = await service.store.read
        .selectFrom('hits')
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .where('site_id', '=', site.number)
        .executeTakeFirstOrThrow()
      assert.equal(all, rows)
      await service.close()
    })

    // Leases are the same for every task: a normal run stops an import and a change of visits.
    testIfFull(`in an export, and woken ${wakes}: its file is whole`, async () => {
      const { service, site } = await start()
      service.clock.now = Date.now()
      await site.load('footfall', 'hits.ndjson', traffic(5_000, service.clock.now))
      const { id } = (await site.get('exports_create', { kind: 'hits', format: 'ndjson' })).data
      const row = async () => (await site.get('exports_get', { id })).data
      await stopped(service, 'exports_run', {
        wakes,
        middle: async () => fs.readdirSync(service.folder).some(name => name.startsWith(`${id}.`)),
        isOver: async () => !['pending', 'running'].includes((await row()).status),
      })
      const { status, error, bytes, sha256 } = await row()
      assert.deepEqual([status, error], ['completed', null])
      const content = fs.readFileSync(path.join(service.folder, id))
      assert.deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [bytes, sha256])
      assert.deepEqual(
        fs.readdirSync(service.folder).filter(name => name.startsWith('exp_') && name.includes('.')),
        [],
      )
      await service.close()
    })
  }

  testIfFull('in summing up results of uptime checks: each counts once', async () => {
    assert.ok(postgres)
    const service = await startImporting(postgres)
    const { store, clock } = service
    clock.now = Date.now()
    const [checks, results, old] = [1_500, 6, 5 * 60 * MINUTE]
    const { ids } = await makeSite(service)
    await store.write.deleteFrom('uptime_checks').execute()
    const { number: first } = await addCheck(store.write, clock.now, { workspace_id: ids.workspace ?? '' })
    await sql`
      insert into uptime_checks (number, id, workspace_id, kind, url, expected_status, http_method, interval_seconds,
        timeout_seconds, public, status, status_since, watched_since, created_at)
      select number + i, id || i, workspace_id, kind, url, expected_status, http_method, interval_seconds,
        timeout_seconds, public, status, status_since, watched_since, created_at
      from uptime_checks, generate_series(1, ${sql.lit(checks - 1)}) i`.execute(store.write)
    await sql`
      insert into uptime_results (check_number, location, span, at, probes, failures, timed, total_ms)
      select number, 'local', 0, ${sql.lit(clock.now - old)} + i * 60000, 1, i % 2, 1, i
      from uptime_checks, generate_series(1, ${sql.lit(results)}) i`.execute(store.write)
    const counts = async (span: number) =>
      store.read
        .selectFrom('uptime_results')
        .select(({ fn }) => [
          fn.countAll<number>().as('rows'),
          fn.sum<number>('probes').as('probes'),
          fn.sum<number>('failures').as('failures'),
          fn.sum<number>('total_ms').as('ms'),
        ])
        .where('span', '=', span)
        .where('check_number', '>=', first)
        .executeTakeFirstOrThrow()
    const before = await counts(0)
    await stopped(service, 'uptime_roll_up', {
      wakes: 'late',
      middle: async () => (await counts(600_000)).rows > 0,
      isOver: async () => (await counts(0)).rows === 0,
    })
    const { probes, failures, ms } = await counts(600_000)
    assert.deepEqual([before.rows, probes, failures, ms], [checks * results, before.probes, before.failures, before.ms])
    await service.close()
  })

  testIfFull('in applying channel rules: all visits have their channel', async () => {
    const { service, site } = await start()
    service.clock.now = Date.now()
    await site.load('footfall', 'hits.ndjson', traffic(5_000, service.clock.now))
    await site.get('channel_rules_create', { channel: 'Mine', conditions: [{ field: 'utm_source', operator: 'is', value: 'newsletter' }] })
    const date = (at: number) => new Date(at).toISOString().slice(0, 10)
    const days = { from: date(service.clock.now - 90 * 24 * 60 * MINUTE), to: date(service.clock.now) }
    await site.get('channel_rules_apply', days)
    const row = async () => (await site.get('channel_applications_list')).data[0]
    await stopped(service, 'channels_apply', {
      wakes: 'soon',
      middle: async () => (await row()).changed > 0,
      isOver: async () => !['pending', 'running'].includes((await row()).status),
    })
    const { status, error, changed, progress } = await row()
    assert.deepEqual([status, error, progress, changed > 0], ['completed', null, 100, true])
    const preview = (await site.get('channel_rules_preview', days)).data
    assert.equal(preview.changed, 0)
    const { mine } = await service.store.read
      .selectFrom('visits as v')
      .innerJoin('dict as d', join => join.onRef('d.site_id', '=', 'v.site_id').onRef('d.id', '=', 'v.custom_channel'))
      .select(({ fn }) => fn.countAll<number>().as('mine'))
      .where('v.site_id', '=', site.number)
      .where('d.value', '=', 'Mine')
      .executeTakeFirstOrThrow()
    assert.equal(mine, preview.rows.find(({ after }: { after: string }) => after === 'Mine')?.visits)
    await service.close()
  })
})

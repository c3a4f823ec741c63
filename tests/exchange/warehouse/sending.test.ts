/** A warehouse counts the sent rows as reports do, also after the days change. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { DuckDBInstance } from '../../../tools/duckdb.mjs'
import pg from 'pg'
import { onAnyEngine } from '../../support/engines.ts'
import { type RunningPostgres, startPostgres } from '../../support/postgres.ts'
import { type BucketServer, keys, startBuckets } from './buckets.ts'
import { filesIn, startSyncing, type Syncing } from './syncing.ts'

const DAY = 86_400_000

onAnyEngine('a warehouse sync', engine => {
  let world: Syncing
  let buckets: BucketServer
  let server: RunningPostgres
  before(async () => {
    ;[world, buckets, server] = await Promise.all([startSyncing(engine, 300), startBuckets(), startPostgres()])
    await world.site.get('event_properties_update', { key: 'plan', export_safe: true })
  })
  after(async () => {
    await world.close()
    await buckets.close()
    await server.stop()
  })

  const toBucket = (more: Record<string, unknown> = {}) =>
    world.get('warehouse_syncs_create', {
      destination: 's3',
      endpoint: buckets.endpoint,
      bucket: 'lake',
      site_ids: [world.site.id],
      ...keys,
      ...more,
    })
  const totals = async () => {
    const today = dateOf(world.service.clock.now)
    const { data } = await world.site.get('stats_aggregate', {
      period: 'custom',
      from: dateOf(world.service.clock.now - 89 * DAY),
      to: dayBefore(today),
    })
    const { visits, visitors, pageviews, revenue } = data.metrics
    return { visits, visitors, pageviews, revenue }
  }
  /** In the calendar of the site. */
  const dateOf = (at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
  const dayBefore = (date: string) => new Date(Date.parse(date) - DAY).toISOString().slice(0, 10)

  /** DuckDB reads a copy with the names that the keys have. */
  async function counted(prefix: string, format = 'parquet') {
    const folder = fs.mkdtempSync(path.join(world.service.folder, 'lake-'))
    for (const [name, content] of filesIn(path.join(buckets.folder, 'lake', prefix))) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      fs.writeFileSync(path.join(folder, name), content)
    }
    const read = format === 'parquet' ? 'read_parquet' : 'read_json_auto'
    const from = (table: string) => `${read}('${folder}/${table}/*/*/*.${format}', hive_partitioning = true)`
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const row = async (query: string) => {
      const [found] = (await connection.runAndReadAll(query)).getRowObjects()
      return Object.fromEntries(Object.entries(found ?? {}).map(([name, value]) => [name, Number(value)]))
    }
    const visits = await row(`select count(*) as visits, count(distinct visitor) as visitors, sum(pageviews) as pageviews,
      round(sum(revenue) * 100) as revenue from ${from('visits')}`)
    const { pageviews, days } = await row(
      `select count(*) filter (name = 'pageview') as pageviews, count(distinct "date") as days from ${from('hits')}`,
    )
    assert.equal(pageviews, visits.pageviews)
    return { ...visits, days }
  }

  test('writes Parquet that DuckDB counts as the reports do, with a manifest of each day', async () => {
    const { id, status, last_synced_at } = await toBucket({ prefix: 'a' })
    assert.deepEqual([status, last_synced_at], ['active', null])
    await world.sync()
    const sync = await world.get('warehouse_syncs_get', { id })
    assert.deepEqual([sync.last_error, sync.lag_days, sync.status], [null, 0, 'active'])
    assert.equal(Date.parse(sync.last_synced_at), world.service.clock.now)
    const { days, ...found } = await counted('a')
    assert.deepEqual(found, await totals())
    const [run] = await world.get('warehouse_sync_runs_list', { warehouse_sync_id: id })
    assert.deepEqual([run.status, run.days], ['completed', (days ?? 0) * 2])

    const files = filesIn(path.join(buckets.folder, 'lake', 'a'))
    const manifests = [...files].filter(([name]) => name.endsWith('_manifest.json'))
    assert.equal(manifests.length, run.days)
    for (const [name, content] of manifests) {
      const manifest = JSON.parse(content.toString())
      for (const part of manifest.parts) {
        const bytes = files.get(path.join(path.dirname(name), part.name))
        assert.ok(bytes)
        assert.equal(createHash('sha256').update(bytes).digest('hex'), part.sha256)
      }
    }
    await world.later(6 * 60_000)
    await world.sync()
    assert.equal((await world.get('warehouse_sync_runs_list', { warehouse_sync_id: id })).length, 1, 'nothing is sent twice')
    assert.ok(![...files.values()].some(bytes => bytes.includes('secret@example.com')))
    await world.get('warehouse_syncs_delete', { id })
  })

  test('sends a day again when a late hit comes, not more often than hourly, and removes parts that are not its own any more', async () => {
    const { id } = await toBucket({ prefix: 'b', format: 'ndjson' })
    await world.sync()
    const { days: _, ...found } = await counted('b', 'ndjson')
    assert.deepEqual(found, await totals())
    const visits = path.join(buckets.folder, 'lake/b/visits', `site=${world.site.id}`)
    const [name = ''] = fs.readdirSync(visits).sort()
    const folder = path.join(visits, name)
    const timestamp = `${name.replace('date=', '')}T12:00:00Z`
    fs.cpSync(path.join(folder, 'part-000.ndjson._S3rver_object'), path.join(folder, 'part-001.ndjson._S3rver_object'))
    fs.cpSync(path.join(folder, 'part-000.ndjson._S3rver_metadata.json'), path.join(folder, 'part-001.ndjson._S3rver_metadata.json'))
    const late = JSON.stringify({ timestamp, url: '/late', visitor: 'late' })
    assert.equal((await world.site.load('footfall', 'late.ndjson', late, { overlap: 'add' })).status, 'completed')
    await world.later(6 * 60_000)
    await world.sync()
    const waiting = await world.get('warehouse_syncs_get', { id })
    assert.equal(waiting.lag_days, 1, 'it was sent a short while ago')
    await world.later(3_600_000)
    await world.sync()
    assert.equal((await world.get('warehouse_syncs_get', { id })).lag_days, 0)
    const { days: __, ...again } = await counted('b', 'ndjson')
    assert.deepEqual(again, await totals())
    assert.equal(again.visits, (found.visits ?? 0) + 1)
    await world.get('warehouse_syncs_delete', { id })
  })

  test('writes tables of a Postgres that count as the reports do, also after a day changed and a column was taken away', async () => {
    const url = new URL(server.url)
    const schema = `lake ${engine.name} "${Date.now()}"`
    const { id } = await world.get('warehouse_syncs_create', {
      destination: 'postgres',
      site_ids: [world.site.id],
      tables: ['hits', 'visits', 'crawlers'],
      host: url.hostname,
      port: Number(url.port),
      database: url.pathname.slice(1) || 'postgres',
      username: decodeURIComponent(url.username),
      password: 'any',
      schema,
      tls: 'off',
    })
    assert.deepEqual((await world.get('warehouse_syncs_test', { id })).error, null)
    await world.sync()
    const client = new pg.Client(server.url)
    await client.connect()
    const row = async (query: string) => {
      const { rows } = await client.query(query.replaceAll('$s', `"${schema.replaceAll('"', '""')}"`))
      return Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)]))
    }
    const count = () =>
      row(`select count(*) as visits, count(distinct visitor) as visitors, sum(pageviews) as pageviews,
        round(sum(revenue)::numeric * 100) as revenue from $s.footfall_visits`)
    const sync = await world.get('warehouse_syncs_get', { id })
    assert.deepEqual([sync.last_error, sync.lag_days], [null, 0])
    assert.deepEqual(await count(), await totals())
    assert.deepEqual(
      await row(`select sum(rows) - (select count(*) from $s.footfall_hits) as hits from $s.footfall_days where table_name = 'hits'`),
      { hits: 0 },
    )
    assert.ok(((await row(`select count(*) as plans from $s.footfall_hits where props->>'plan' = 'pro'`)).plans ?? 0) > 0)

    const { store } = world.service
    await client.query(`alter table "${schema.replaceAll('"', '""')}".footfall_visits drop column city, add column mine text`)
    const day = await store.read
      .selectFrom('site_days')
      .select('day')
      .where('site_id', '=', world.site.number)
      .orderBy('day')
      .executeTakeFirstOrThrow()
    const date = new Date(day.day * DAY).toISOString().slice(0, 10)
    await world.site.load(
      'footfall',
      'more.ndjson',
      JSON.stringify({ timestamp: `${date}T12:00:00Z`, url: '/more', visitor: 'more', city: 'Ulm' }),
      { overlap: 'add' },
    )
    await world.later(3_700_000)
    await world.sync()
    assert.deepEqual((await world.get('warehouse_syncs_get', { id })).last_error, null)
    assert.deepEqual(await count(), await totals())
    assert.deepEqual(await row(`select count(*) as cities from $s.footfall_visits where city = 'Ulm'`), { cities: 1 })
    await client.end()
    await world.get('warehouse_syncs_delete', { id })
  })

  test('sends days from backfill_from on, all of them again on request, and nothing of a day that is not over', async () => {
    const from = dateOf(world.service.clock.now - 6 * DAY)
    const { id } = await toBucket({ prefix: 'c', backfill_from: from, tables: ['visits'] })
    await world.site.load(
      'footfall',
      'today.ndjson',
      JSON.stringify({ timestamp: new Date(world.service.clock.now - 60_000).toISOString(), url: '/', visitor: 'today' }),
    )
    await world.sync()
    const datesOf = () =>
      [...filesIn(path.join(buckets.folder, 'lake', 'c')).keys()].flatMap(name => /date=(\S+)\/_manifest/.exec(name)?.[1] ?? []).sort()
    assert.ok((datesOf()[0] ?? '') >= from)
    assert.ok(datesOf().length > 3)
    assert.ok(datesOf().every(date => date < dateOf(world.service.clock.now)))
    const since = datesOf().at(-2)
    await world.later(60_000)
    await world.get('warehouse_syncs_run', { id, resend_from: since })
    await world.sync()
    const [run] = await world.get('warehouse_sync_runs_list', { warehouse_sync_id: id })
    assert.deepEqual([run.requested, run.status, run.days], [true, 'completed', 2])
    await world.get('warehouse_syncs_update', { id, enabled: false })
    const refused = await world.call('warehouse_syncs_run', { id })
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'invalid_state'])
    await world.get('warehouse_syncs_delete', { id })
  })
})

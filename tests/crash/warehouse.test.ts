/** Repeated kill -9 while days are sent, and two processes at once: nothing twice, nothing missing. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type BucketServer, keys, startBuckets } from '../exchange/warehouse/buckets.ts'
import { filesIn, startSyncing, type Syncing } from '../exchange/warehouse/syncing.ts'
import { later } from '../runtime/tasks/tasks.ts'
import { chanceOf } from '../support/chance.ts'
import { isFull, someOf, testIfFull } from '../support/full.ts'
import { onSharedEngine } from '../support/engines.ts'
import { type RunningPostgres, startPostgres } from '../support/postgres.ts'
import { runWorkers, startWorker } from './workers.ts'

const maxKills = Number(process.env.KILLS ?? (isFull ? 4 : 1))
const chance = chanceOf('warehouse')
const MAX_STATEMENTS = 150

onSharedEngine('a warehouse sync that is killed again and again', engine => {
  let world: Syncing
  let buckets: BucketServer
  let server: RunningPostgres
  before(async () => {
    ;[world, buckets, server] = await Promise.all([startSyncing(engine, isFull ? 500 : 200), startBuckets(), startPostgres()])
  })
  after(async () => {
    await world.close()
    await buckets.close()
    await server.stop()
  })

  const work = () => ({ DATABASE_URL: world.service.url, TASKS: 'warehouse_syncs_run_due', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
  /** Leases of a process that was killed end in time. */
  const leasesEnd = () =>
    world.service.store.write.updateTable('warehouse_syncs').set({ leased_until: null, next_at: Date.now() }).execute()

  /** @param kill waits for the moment of the kill; without it, a worker kills itself at one of its first statements */
  async function untilSent(id: string, kill?: (child: ChildProcess) => Promise<void>): Promise<number> {
    let kills = 0
    for (;;) {
      await runWorkers(work(), 1, kills >= maxKills ? undefined : (kill ?? chance.int(1, MAX_STATEMENTS)))
      const sync = await world.get('warehouse_syncs_get', { id })
      assert.equal(sync.last_error, null)
      if (sync.last_synced_at !== null) return kills
      kills++
      await leasesEnd()
    }
  }
  const totals = async () => {
    const { metrics } = (await world.site.get('stats_aggregate', { period: '90d' })).data
    return { visits: metrics.visits, pageviews: metrics.pageviews }
  }

  test('has every day whole in its bucket, as its manifest says', async () => {
    const { id } = await world.get('warehouse_syncs_create', {
      destination: 's3',
      endpoint: buckets.endpoint,
      bucket: 'lake',
      site_ids: [world.site.id],
      format: 'ndjson',
      ...keys,
    })
    const kills = await untilSent(id, async child => {
      const target = buckets.requests.length + chance.int(1, 25)
      while (buckets.requests.length < target && child.exitCode === null) await later(1)
    })
    const files = filesIn(path.join(buckets.folder, 'lake/footfall'))
    let [visits, pageviews, parts] = [0, 0, 0]
    for (const [name, content] of files) {
      if (!name.endsWith('_manifest.json')) continue
      const manifest = JSON.parse(content.toString())
      for (const part of manifest.parts) {
        const bytes = files.get(path.join(path.dirname(name), part.name)) ?? Buffer.alloc(0)
        assert.equal(createHash('sha256').update(bytes).digest('hex'), part.sha256)
        const rows = bytes
          .toString()
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line))
        assert.equal(rows.length, part.rows)
        parts++
        if (name.startsWith('visits')) visits += rows.length
        else pageviews += rows.filter(row => row.name === 'pageview').length
      }
    }
    assert.deepEqual({ visits, pageviews }, await totals())
    assert.equal([...files.keys()].filter(name => name.includes('part-')).length, parts)
    const runs = await world.get('warehouse_sync_runs_list', { warehouse_sync_id: id })
    assert.equal(runs.filter(({ status }: { status: string }) => status === 'running').length, 0)
    assert.ok(kills > 0 && runs.some(({ status }: { status: string }) => status === 'interrupted'), 'it was killed in the middle')
    await world.get('warehouse_syncs_delete', { id })
  })

  testIfFull('has every day once in its tables', async () => {
    const url = new URL(server.url)
    const schema = `crash_${engine.name}_${chance.int(0, 1e9)}`
    const { id } = await world.get('warehouse_syncs_create', {
      destination: 'postgres',
      site_ids: [world.site.id],
      host: url.hostname,
      port: Number(url.port),
      database: url.pathname.slice(1) || 'postgres',
      username: decodeURIComponent(url.username),
      password: 'any',
      schema,
      tls: 'off',
    })
    assert.ok((await untilSent(id)) > 0, 'it was killed in the middle')
    const client = new pg.Client(server.url)
    await client.connect()
    const { rows } = await client.query(`select (select count(*)::int from ${schema}.footfall_visits) as visits,
      (select count(*)::int from ${schema}.footfall_hits where name = 'pageview') as pageviews,
      (select sum(rows)::int from ${schema}.footfall_days where table_name = 'visits') as noted`)
    await client.query(`drop schema ${schema} cascade`)
    await client.end()
    const { visits, pageviews } = await totals()
    assert.deepEqual(rows, [{ visits, pageviews, noted: visits }])
    await world.get('warehouse_syncs_delete', { id })
  })

  testIfFull('is shared by processes: each day is sent by one of them', async () => {
    const made: string[] = []
    for (const prefix of someOf(['p', 'q', 'r', 's', 't', 'u'], 3)) {
      const { id } = await world.get('warehouse_syncs_create', {
        destination: 's3',
        endpoint: buckets.endpoint,
        bucket: 'lake',
        prefix,
        tables: ['visits'],
        site_ids: [world.site.id],
        ...keys,
      })
      made.push(id)
    }
    const before = buckets.requests.length
    assert.deepEqual(await Promise.all([startWorker(work()).ended, startWorker(work()).ended]), [true, true])
    const manifests = buckets.requests.slice(before).filter(line => line.startsWith('PUT') && line.endsWith('_manifest.json'))
    assert.ok(manifests.length > 0)
    assert.equal(new Set(manifests).size, manifests.length)
    for (const id of made) assert.equal((await world.get('warehouse_syncs_get', { id })).lag_days, 0)
  })
})

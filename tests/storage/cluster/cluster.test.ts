/** A ClickHouse cluster of two shards, and one of two replicas: what is stored, and what is answered while servers are lost. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { dropCopies } from '../../../storage/moved-days/copies.ts'
import { moveOut, rowTables } from '../../../storage/moved-days/moving.ts'
import { type Engine, openEngine, type Query } from '../../../storage/engine/index.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { randomBytes } from '../../support/chance.ts'
import { withoutClickhouse } from '../../support/clickhouse.ts'
import { databaseOn, onPostgres, sharedShards, startShards } from '../../support/engines.ts'
import { isFull, testIfFull } from '../../support/full.ts'
import { request, startService } from '../../support/world.ts'
import { withoutZookeeper } from '../../support/zookeeper.ts'
import { breakdownOf } from '../engine/breakdown-question.ts'
import { addSite, hit, store as keep, type Sent } from '../engine/traffic.ts'

const first = Date.parse('2026-05-05') / DAY_MS
const days = 8
const at = (day: number, minutes: number) => (first + day) * DAY_MS + minutes * 60_000
const now = at(30, 0)
const signal = new AbortController().signal

const sentOn = (day: number): Sent[] =>
  Array.from({ length: 30 }, (_, i) => ({
    at: at(day, i * 20),
    who: `10.0.${day}.${i % 7}`,
    page: `/${i % 5}`,
    visit: { country: ['DE', 'FR', ''][(i + day) % 3] ?? '' },
  }))

const span = { fromDay: first, toDay: first + days - 1, from: at(0, 0), to: at(days, 0), whole: true }
const where = [{ dimension: 'country', operator: 'is_not' as const, values: ['FR'], pointer: '' }]
const breakdown = (dimension: string) => breakdownOf(dimension, span)
const asked: readonly Query['asked'][] = [{ report: 'totals', series: [[span]] }, breakdown('page'), breakdown('country')]

/** Every answer of an engine that has cached nothing. */
async function answers(store: Store, site: number): Promise<unknown[]> {
  const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
  try {
    const found: unknown[] = []
    for (const one of asked) found.push(await engine.query({ site, where, goals: [], asked: one }))
    return found
  } finally {
    await engine.close()
  }
}

async function countOf({ read }: Store, site: number): Promise<number> {
  let count = 0
  for (const table of rowTables) count += (await read.selectFrom(table).select('day').where('site_id', '=', site).execute()).length
  return count
}

async function seal(store: Store): Promise<unknown[]> {
  const errors: unknown[] = []
  const engine: Engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
  await engine.sealDays({ now: () => now, signal, minVisitors: 0, failed: (_, error) => errors.push(error) })
  await engine.close()
  return errors
}
const move = (store: Store) => moveOut(store, { now: () => now, graceMs: 0, signal })
const isLost = (error: unknown): error is StorageUnavailable => error instanceof StorageUnavailable && error.reason === 'cluster'
const late = (store: Store, site: Parameters<typeof hit>[0], day: number) =>
  openBulk(store, { now: () => now, randomBytes })([hit(site, { at: at(day, 5), who: 'late', visit: { country: 'DE' } })], async () => {})

describe('sealed days in a cluster', { skip: withoutClickhouse() || withoutZookeeper() }, () => {
  let cluster: Awaited<ReturnType<typeof startShards>>

  /** Numbers that a server itself has, not the others. */
  async function ownOf(place: number, query: string): Promise<number[]> {
    const answer = await fetch(cluster.nodes[place]?.url ?? '', { method: 'POST', body: query })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    return text.split('\n').filter(Boolean).map(Number)
  }

  /** A site whose days are in rows, with the answers about them. */
  async function siteWithDays() {
    let database = ''
    const { store, url, drop } = await onPostgres(name => databaseOn(cluster, (database = name))).create()
    const site = await addSite(store, 'UTC')
    const sent = Array.from({ length: days }, (_, day) => sentOn(day)).flat()
    await keep(
      store,
      sent.map(one => hit(site, one)),
    )
    return { store, url, drop, database, site, number: site.number, before: await answers(store, site.number) }
  }

  describe('of two shards', () => {
    before(async () => {
      cluster = await sharedShards(2)
    })

    test('each day is in one shard, reports say the same of rows and copies, and late hits count', async () => {
      const { store, site, number, before, database, drop } = await siteWithDays()
      assert.deepEqual(await seal(store), [])
      const [one, two] = [0, 1].map(place => ownOf(place, `select distinct day from ${database}.footfall_visits_local order by day`))
      const [inOne, inTwo] = [(await one) ?? [], (await two) ?? []]
      assert.ok(inOne.length > 0 && inTwo.length > 0, `${inOne.length} and ${inTwo.length} days`)
      assert.deepEqual(
        [...inOne, ...inTwo].sort((a, b) => a - b),
        Array.from({ length: days }, (_, day) => first + day),
      )
      assert.deepEqual(await answers(store, number), before)
      await move(store)
      assert.equal(await countOf(store, number), 0)
      assert.deepEqual(await answers(store, number), before)
      for (let day = 0; day < days; day++) assert.equal((await late(store, site, day))[0]?.stored, true)
      const changed = await answers(store, number)
      assert.notDeepEqual(changed, before)
      assert.deepEqual(await seal(store), [])
      await move(store)
      assert.equal(await countOf(store, number), 0)
      assert.deepEqual(await answers(store, number), changed)
      while ((await dropCopies(store, now + 2 * 3_600_000)) > 0) await setTimeout(50)
      for (const place of [0, 1]) {
        const copies = await ownOf(place, `select uniqExact(day, copy) - uniqExact(day) from ${database}.footfall_visits_local`)
        assert.deepEqual(copies, [0], 'replaced copies are deleted in every shard')
      }
      assert.deepEqual(await answers(store, number), changed)
      await drop()
    })

    test('a shard that is killed under reports is an error, never a smaller number', async () => {
      const { store, url, site, number, before, drop } = await siteWithDays()
      await seal(store)
      await move(store)
      const asking = Array.from({ length: 12 }, async (_, i) => {
        await setTimeout(i * 40)
        return answers(store, number).catch((error: unknown) => error)
      })
      await setTimeout(200)
      await cluster.nodes[1]?.kill()
      for (const answer of await Promise.all(asking)) if (!isLost(answer)) assert.deepEqual(answer, before)
      await assert.rejects(answers(store, number), isLost)

      await keep(
        store,
        Array.from({ length: 6 }, (_, day) => hit(site, { at: at(10 + day, 1), who: 'x' })),
      )
      const again = openStore(url, { cluster: store.cluster?.settings }) // a process that starts now
      const errors = await seal(again)
      await again.close()
      assert.ok(errors.length > 0 && errors.every(isLost), String(errors))
      await move(store).catch(error => assert.ok(isLost(error)))
      assert.ok((await countOf(store, number)) > 0)

      await cluster.nodes[1]?.resume()
      assert.deepEqual(await seal(store), [])
      await move(store)
      assert.equal(await countOf(store, number), 0)
      assert.deepEqual(await answers(store, number), before)
      await drop()
    })

    testIfFull('a shard that hangs does not block the lock of a site for long', async () => {
      const { store, site, number, before, database, drop } = await siteWithDays()
      await seal(store)
      await move(store)
      const rows = await store.read.selectFrom('site_days').select('day').where('site_id', '=', number).where('moved', '<>', 0).execute()
      assert.equal(rows.length, days)
      const [there = 0] = await ownOf(1, `select min(day) from ${database}.footfall_visits_local`)
      cluster.nodes[1]?.hang()
      try {
        await assert.rejects(late(store, site, there - first), isLost) // while the shard still hangs
      } finally {
        cluster.nodes[1]?.wake()
      }
      assert.deepEqual(await answers(store, number), before)
      assert.equal((await late(store, site, there - first))[0]?.stored, true)
      await drop()
    })

    test('/readyz and /metrics say that a shard is lost, and that it is back', async () => {
      const service = await startService(onPostgres(name => databaseOn(cluster, name)))
      const seen = async () => {
        const ready = await request(service, 'GET', '/readyz')
        const { text } = await request(service, 'GET', '/metrics')
        return [ready.status, ready.text, /^footfall_clickhouse_up (\d)$/m.exec(text)?.[1]]
      }
      assert.deepEqual(await seen(), [200, 'ready', '1'])
      await cluster.nodes[1]?.kill()
      assert.deepEqual(await seen(), [200, 'ready, but the ClickHouse cluster does not answer', '0'])
      await cluster.nodes[1]?.resume()
      assert.deepEqual(await seen(), [200, 'ready', '1'])
      await service.close()
    })
  })

  // Whether a replica is whole is up to ClickHouse; what we do when a server is lost is the same with two shards.
  describe('of two replicas', { skip: !isFull && 'only full runs' }, () => {
    before(async () => {
      cluster = await startShards([2])
    })
    after(() => cluster.stop())

    test('one that is killed under seals misses nothing, and has all of it after it came back', async () => {
      const { store, url, site, number, before, database, drop } = await siteWithDays()
      await store.cluster?.prepare()
      const sealing = seal(store)
      await setTimeout(300)
      await cluster.nodes[1]?.kill()
      assert.deepEqual(await sealing, [])
      assert.deepEqual(await answers(store, number), before)
      await move(store)
      assert.equal(await countOf(store, number), 0)
      const again = openStore(url, { cluster: store.cluster?.settings })
      assert.deepEqual(await seal(again), [], 'a process starts while one is away')
      await again.close()
      assert.equal((await late(store, site, 0))[0]?.stored, true)
      assert.deepEqual(await seal(store), [])
      await move(store)
      const changed = await answers(store, number)
      assert.equal(await dropCopies(store, now + 2 * 3_600_000), 1, 'it is deleted later where nobody answers')

      await cluster.nodes[1]?.resume()
      const settings = { ...store.cluster?.settings, url: cluster.nodes[1]?.url }
      const other = openStore(url, { cluster: settings as NonNullable<Store['cluster']>['settings'] }) // a url is set
      const all = days * 30 + 1
      for (let hits = 0; hits < all; ) {
        const found = await answers(other, number).catch((error: unknown) => error)
        if (!isLost(found)) assert.deepEqual(found, changed, 'all or none')
        ;[hits = 0] = await ownOf(1, `select sum(length(h_at)) from ${database}.footfall_visits_local`)
        await setTimeout(50)
      }
      await cluster.nodes[0]?.kill()
      assert.deepEqual(await answers(other, number), changed, 'the first one is not needed')
      await other.close()
      await cluster.nodes[0]?.resume()
      await drop()
    })

    test('a copy that was lost before its rows left is made anew', async () => {
      const { store, number, before, database, drop } = await siteWithDays()
      await seal(store)
      await ownOf(0, `truncate table ${database}.footfall_visits_local on cluster footfall format Null`)
      await move(store)
      assert.equal(await countOf(store, number), days * 30 + (await visitsOf(store, number)), 'the rows stay')
      assert.deepEqual(await seal(store), [])
      await move(store)
      assert.equal(await countOf(store, number), 0)
      assert.deepEqual(await answers(store, number), before)
      await drop()
    })

    const visitsOf = async ({ read }: Store, site: number) =>
      (await read.selectFrom('visits').select('visit_id').where('site_id', '=', site).execute()).length
  })
})

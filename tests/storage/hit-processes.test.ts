/** Several processes on one database: simulated by two hit stores with their own connections and caches. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { openStore } from '../../storage/store.ts'
import { randomBytes } from '../support/chance.ts'
import { type Engine, engines, onEachEngine } from '../support/engines.ts'
import { hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { groupBy, storedVisits } from './stored-hits.ts'

onEachEngine('two processes', engine => {
  test('store hits of the same visitors at once: none is lost, none is there twice', async () => {
    const { store, url, drop } = await engine.create()
    const other = openStore(url, { connections: 2 })
    const options = { now: () => MIDNIGHT + 20 * HOUR, randomBytes, maxBatch: 20 }
    const processes = [openHitStore(store, options), openHitStore(other, options)]
    const sent = Array.from({ length: 600 }, (_, i) =>
      hit({
        site: 1 + (i % 3),
        visitor: `visitor ${i % 17}`,
        at: MIDNIGHT + HOUR + i * MINUTE,
        page: `/${i % 40}`,
        visit: { source: `s${i % 11}`, city: `c${i}` },
        props: [[`key ${i % 5}`, `value ${i}`, null]],
      }),
    )
    const outcomes = await Promise.all(sent.map((one, i) => processes[i % 2]?.append([one])))
    assert.ok(outcomes.every(answers => answers?.every(outcome => outcome.stored)))

    for (const site of [1, 2, 3]) {
      const hits = (await storedVisits(store, site)).flat().flatMap(visit => visit.hits)
      const expected = sent.filter(one => one.site === site)
      assert.deepEqual(hits.map(({ at }) => at).sort(), expected.map(({ at }) => at).sort())
      assert.deepEqual(hits.flatMap(({ props }) => Object.values(props)).sort(), expected.map(({ props }) => props[0]?.[1]).sort())
      const visitors = await store.read.selectFrom('visitors').select('visitor').where('site_id', '=', site).orderBy('visitor').execute()
      assert.deepEqual(
        visitors.map(({ visitor }) => visitor),
        Array.from({ length: 17 }, (_, i) => i + 1),
      )
    }
    const words = await store.read.selectFrom('dict').selectAll().orderBy('site_id').orderBy('dim').orderBy('id').execute()
    for (const [dictionary, rows] of groupBy(words, ({ site_id, dim }) => `${site_id} ${dim}`)) {
      assert.deepEqual(
        rows.map(({ id }) => id),
        rows.map((_, i) => i + 1),
        dictionary,
      )
      assert.equal(new Set(rows.map(({ value }) => value)).size, rows.length, dictionary)
    }
    const salts = await store.read.selectFrom('salts').selectAll().execute()
    assert.equal(salts.length, 3)

    for (const process of processes) await process.close()
    await other.close()
    await drop()
  })
})

describe('a lane of hits on postgres', { skip: !engines.some(({ name }) => name === 'postgres') }, () => {
  const postgres = engines.find(({ name }) => name === 'postgres')
  let created: Awaited<ReturnType<Engine['create']>>
  let other: pg.Client
  before(async () => {
    assert.ok(postgres)
    created = await postgres.create()
    other = new pg.Client(created.url)
    await other.connect()
  })
  after(async () => {
    await other.end()
    await created.drop()
  })
  const opened = () => openHitStore(created.store, { now: () => MIDNIGHT + 20 * HOUR, randomBytes, maxQueued: 40 })
  const at = (site: number, minutes: number) =>
    hit({ site, visitor: `of ${site}`, at: MIDNIGHT + HOUR + minutes * MINUTE, page: `/${minutes}` })
  const countOf = async (site: number) =>
    (await created.store.read.selectFrom('hits').select('seq').where('site_id', '=', site).execute()).length
  const isPending = async (call: Promise<unknown>) => (await Promise.race([call.then(() => false), settledLater(true)])) === true

  test('waits for a site that another process has locked; the other sites are stored meanwhile, in their order', async () => {
    const hits = opened()
    assert.equal(created.store.writers, 2)
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(7001, 2)')
    const waiting = [hits.append([at(2, 0)]), hits.append([at(2, 1)])]
    for (let minutes = 0; minutes < 20; minutes++) {
      const [[outcome], [seen]] = await Promise.all([
        hits.append([at(3, minutes)]),
        hits.append([{ ...at(3, minutes), kind: 'engagement', engagedMs: 1 }]),
      ])
      assert.ok(outcome?.stored && seen?.stored, 'the engagement came after its page')
    }
    assert.equal(await countOf(3), 20)
    assert.ok(await isPending(Promise.race(waiting)))
    assert.equal(await countOf(2), 0)
    await other.query('commit')
    assert.ok((await Promise.all(waiting)).flat().every(outcome => outcome.stored))
    await hits.close()
    assert.equal(await countOf(2), 2)
  })

  test('is not kept waiting by the drops of sites that it has no hits of', async () => {
    const hits = opened()
    await hits.append([at(4, 0)])
    const drop = { day: Math.floor((MIDNIGHT + 20 * HOUR) / 86_400_000) }
    await other.query('begin')
    for (const [site, reason] of [
      [0, 'unknown_site'],
      [6, 'bot'],
    ] as const) {
      await other.query('insert into drops (site_id, day, reason, count) values ($1, $2, $3, 1)', [site, drop.day, reason])
    }
    hits.countDrop(0, 'UTC', 'unknown_site')
    hits.countDrop(6, 'UTC', 'bot')
    assert.ok((await hits.append([at(4, 1)]))[0]?.stored)
    await other.query('commit')
    await hits.close()
    const drops = await created.store.read.selectFrom('drops').select(['site_id', 'count']).orderBy('site_id').execute()
    assert.deepEqual(drops, [
      { site_id: 0, count: 2 },
      { site_id: 6, count: 2 },
    ])
  })

  test('is tried again where it and a migration waited for each other', async () => {
    const hits = opened()
    const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    let [calls, isEnded] = [0, false]
    // Postgres ends the transaction that has waited for a second when the other begins to wait: on a busy machine that may be this one.
    while (!isEnded) {
      await other.query('begin')
      await other.query('lock table visits in access exclusive mode')
      const call = hits.append([at(11, calls++)])
      while ((await other.query(waits)).rowCount === 0) await setTimeout(5)
      isEnded = await other.query('select pg_advisory_xact_lock(7001, 11)').then(
        () => true,
        error => error.code !== '40P01' && Promise.reject(error),
      )
      await other.query(isEnded ? 'commit' : 'rollback')
      assert.ok((await call)[0]?.stored)
    }
    assert.equal(await countOf(11), calls)
    await hits.close()
  })

  test('a call of several sites is stored as a whole, or not at all', async () => {
    const hits = opened()
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(7001, 9)')
    const call = hits.append([at(8, 0), at(9, 0)])
    assert.ok(await isPending(call))
    assert.equal(await countOf(8), 0)
    await other.query('commit')
    await call
    assert.deepEqual([await countOf(8), await countOf(9)], [1, 1])
    await hits.close()
  })

  test('so many hits wait in all lanes together before further ones are refused', async () => {
    const hits = opened()
    await other.query('begin')
    for (const site of [10, 11]) await other.query('select pg_advisory_xact_lock(7001, $1)', [site])
    const calls = Array.from({ length: 39 }, (_, i) => hits.append([at(10 + (i % 2), i)]))
    assert.equal(hits.full(), false)
    calls.push(hits.append([at(10, 40)]))
    assert.equal(hits.full(), true)
    await other.query('commit')
    await Promise.all(calls)
    assert.equal(hits.full(), false)
    await hits.close()
  })
})

const settledLater = async <T>(value: T): Promise<T> => {
  await setTimeout(150)
  return value
}

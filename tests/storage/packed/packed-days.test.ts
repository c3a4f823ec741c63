/** Days that are packed in the database: what is stored, changed and read of them, and the commands that check and unpack them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Engine, openEngine, packedWork } from '../../../storage/engine/index.ts'
import { shrinkTables } from '../../../storage/moved-days/postgres-space.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { eventEraser, takeName, visitWith } from '../../../storage/hits/erase-event.ts'
import { expiredDays, expireVisits } from '../../../storage/hits/expiry.ts'
import { channelRestater, countArrivals } from '../../../storage/hits/restate-channels.ts'
import { dropCopies } from '../../../storage/moved-days/copies.ts'
import { haveRows, holdRows } from '../../../storage/moved-days/moving.ts'
import { storedVisits } from '../../../storage/moved-days/stored-visits.ts'
import { appliedAt } from '../../../storage/migrations/applied.ts'
import type { Store } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { onEachEngine } from '../../support/engines.ts'
import { answers, at, countOf, day, failed, now, rowsOf, sent, signal } from '../engine/moved.ts'
import { addSite, hit, store as keep } from '../engine/traffic.ts'

type Work = Awaited<ReturnType<typeof packedWork>>

const seal = (engine: Engine, minVisitors = 0) => engine.sealDays({ now: () => now, signal, minVisitors, failed })
const pack = (engine: Engine, when = now) =>
  engine.packDays({ now: () => when, graceMs: 0, signal, failed, runs: { afterMs: 0, leastDays: 1 } })
const formatsOf = (store: Store) => store.read.selectFrom('segments').select('format').execute()
const checkPacked: Work['checkPacked'] = async (...given) => (await packedWork()).checkPacked(...given)
const unpackAll: Work['unpackAll'] = async (...given) => (await packedWork()).unpackAll(...given)
const HOUR = 3_600_000
const working = { now: () => now + 12 * HOUR, signal, progress() {} }

/** All that exports read of the day. */
async function read(store: Store, site: number): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const some of storedVisits(store, { site, day }, now)) {
    const props = await some.props([1, 2])
    found.push(
      ...some.visits.map(({ rev: _, ...visit }) => JSON.stringify(visit, Object.keys(visit).sort())),
      ...(await some.hits()).map(one => JSON.stringify(one, Object.keys(one).sort())),
      ...props.map(({ visit_id, seq, key, value }) => `${visit_id} ${seq} ${key} ${value}`).sort(),
    )
  }
  return found
}

onEachEngine('packed days', engine => {
  async function siteWithDay({ minVisitors = 0 } = {}) {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    await keep(
      store,
      sent.map(one => hit(site, one)),
    )
    const { number } = site
    const before = { rows: await rowsOf(store, number), answers: await answers(store, number), read: await read(store, number) }
    await dropCopies(store, now + 12 * HOUR) // the note that the rows stay
    const own = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    await seal(own, minVisitors)
    return { store, drop, site, number, engine: own, before }
  }

  for (const [name, minVisitors] of [
    ['a day', 0],
    ['a small day without sums', 1_000],
  ] as const) {
    test(`${name}: reports and exports say the same of blocks, which a check finds complete, and of unpacked rows`, async () => {
      const { store, number, before, engine, drop } = await siteWithDay({ minVisitors })
      const sealed = await formatsOf(store)
      assert.equal(sealed.length, minVisitors === 0 ? 1 : 0)
      await pack(engine)
      assert.equal(await countOf(store, number), 0)
      assert.deepEqual(await answers(store, number), before.answers)
      assert.deepEqual(await read(store, number), before.read)
      assert.equal(await countOf(store, number), 0, 'an export brings no rows back')
      assert.deepEqual(await checkPacked(store, working), { days: 1, different: [] })
      assert.ok(Number.isFinite(await appliedAt(store, '2026-11-27-1-packed-days')), 'from when on the task packs')
      assert.equal(await unpackAll(store, working), 1)
      assert.deepEqual(await rowsOf(store, number), before.rows)
      assert.deepEqual(await answers(store, number), before.answers)
      for (const table of ['day_blocks', 'clickhouse_copies'] as const)
        assert.deepEqual(await store.read.selectFrom(table).selectAll().execute(), [], table)
      assert.deepEqual(await formatsOf(store), sealed)
      await pack(engine)
      assert.deepEqual([await countOf(store, number), await answers(store, number)], [0, before.answers])
      await drop()
    })
  }

  test('a check names a day with a damaged or missing block; where its rows are still there, it is packed again', async () => {
    const { store, number, engine, before, drop } = await siteWithDay()
    await engine.packDays({ now: () => now, graceMs: 0, signal, failed, limit: 1 })
    await haveRows(store, { site: number, day }, now - 7 * HOUR)
    await store.write
      .updateTable('day_blocks')
      .set({ data: Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]) })
      .execute()
    const { different } = await checkPacked(store, working)
    assert.equal(different.length, 1)
    assert.match(different[0]?.what ?? '', /damaged; its rows are in the tables/)
    await seal(engine)
    await pack(engine, now + 7 * HOUR)
    assert.deepEqual([await countOf(store, number), (await checkPacked(store, working)).different], [0, []])
    assert.deepEqual(await answers(store, number), before.answers)
    await store.write.deleteFrom('day_blocks').execute()
    assert.deepEqual((await checkPacked(store, working)).different.length, 1)
    await assert.rejects(answers(store, number), /blocks/)
    await drop()
  })

  test('a Postgres gives back the space of packed rows; a table with rows, or in use, stays as it is', async () => {
    const { store, number, engine, before, drop } = await siteWithDay()
    if (store.isShared) {
      const size = async () => {
        const { rows } = await sql<{ bytes: number }>`select pg_total_relation_size('visits') as bytes`.execute(store.read)
        return Number(rows[0]?.bytes)
      }
      const small = { minBytes: 1, maxRows: 0 }
      await sql`vacuum analyze visits`.execute(store.write)
      assert.deepEqual(await shrinkTables(store, ['visits'], small), { written: [], busy: [] })
      const full = await size()
      await pack(engine)
      await sql`vacuum analyze visits`.execute(store.write)
      await store.transaction(async trx => {
        await sql`select 1 from visits`.execute(trx)
        assert.deepEqual(await shrinkTables(store, ['visits'], small), { written: [], busy: ['visits'] })
      })
      assert.deepEqual(await shrinkTables(store, ['visits'], small), { written: ['visits'], busy: [] })
      assert.ok((await size()) < full)
    } else await pack(engine)
    assert.equal(await countOf(store, number), 0)
    await haveRows(store, { site: number, day }, now)
    assert.deepEqual([await rowsOf(store, number), await answers(store, number)], [before.rows, before.answers])
    await drop()
  })

  test('a reader of rows keeps a day from being packed for hours, as it takes several queries', async () => {
    const { store, number, engine, before, drop } = await siteWithDay()
    assert.equal(await holdRows(store, { site: number, day }, now), 0)
    await pack(engine)
    assert.deepEqual(await rowsOf(store, number), before.rows)
    await dropCopies(store, now + 7 * HOUR)
    await pack(engine, now + 7 * HOUR)
    assert.equal(await countOf(store, number), 0)
    assert.ok((await holdRows(store, { site: number, day }, now)) < 0)
    await drop()
  })

  test('late hits, deleted events and other channels bring a day back; expired days go without', async () => {
    const { store, number, site, engine, drop } = await siteWithDay()
    await pack(engine)
    const late = hit(site, { at: at(68), who: '10.0.0.3', page: '/late' })
    const [outcome] = await openBulk(store, { now: () => now, randomBytes })([late], async () => {})
    assert.equal(outcome?.stored, true)
    const groups = () => countArrivals(store.read, store.cluster, { site: number, fromDay: day, toDay: day, max: 100 })
    const visits = (await groups())?.reduce((sum, one) => sum + one.visits, 0)
    const again = async (when: number) => {
      await seal(engine)
      await pack(engine, when)
      assert.equal(await countOf(store, number), 0)
    }
    await again(now + 7 * HOUR)
    assert.equal(
      (await groups())?.reduce((sum, one) => sum + one.visits, 0),
      visits,
    )
    const event = await store.transaction(async trx => {
      await store.dialect.lockSites(trx, [number])
      return takeName(trx, number, 'signup')
    })
    const visit = await visitWith(store, { site: number, day, event: event ?? 0 }, 0)
    assert.ok(event && visit)
    assert.equal(await visitWith(store, { site: number, day, event: 999 }, 0), undefined)
    assert.equal(await countOf(store, number), 0, 'looking for it brings nothing back')
    assert.equal(await store.transaction(trx => eventEraser(store)(trx, { site: number, day, event }, { limit: 100, from: visit })), 2)
    await again(now + 14 * HOUR)
    const { changed } = await store.transaction(trx =>
      channelRestater(store)(trx, { site: number, day, from: 0, limit: 1_000, channelOf: () => 'Ours' }),
    )
    assert.equal(changed, visits)
    await again(now + 21 * HOUR)
    assert.deepEqual(new Set((await groups())?.map(({ before }) => before)), new Set(['Ours']))
    assert.deepEqual(await expiredDays(store, number, day + 1), [day])
    assert.equal(await expireVisits(store, { site: number, day, limit: 500 }), true)
    assert.deepEqual(await store.read.selectFrom('day_blocks').selectAll().execute(), [])
    await drop()
  })
})

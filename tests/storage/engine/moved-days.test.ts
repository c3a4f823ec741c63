/** Days whose rows have left Postgres for ClickHouse: what is stored, changed and read of them afterwards. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { newCopy } from '../../../storage/cluster/cluster.ts'
import { dropCopies, noteCopy, REPLACED_MS } from '../../../storage/moved-days/copies.ts'
import { haveRows, moveOut } from '../../../storage/moved-days/moving.ts'
import { checkCluster, fillCluster, leaveCluster } from '../../../storage/engine/cluster-days.ts'
import { type Engine, openEngine, type Query } from '../../../storage/engine/index.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { eventEraser, takeName, visitWith } from '../../../storage/hits/erase-event.ts'
import { visitsEraser } from '../../../storage/hits/erase-visits.ts'
import { expiredDays, expireVisits } from '../../../storage/hits/expiry.ts'
import { firstVisit, hitsOfDay, lastVisit } from '../../../storage/hits/first-and-last-visit.ts'
import { countArrivals, channelRestater } from '../../../storage/hits/restate-channels.ts'
import { purgeSite } from '../../../storage/hits/retention.ts'
import { VISITS_PER_VISITOR } from '../../../storage/hits/visit-ids.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { clusterAnswers } from '../../../runtime/settings/cluster.ts'
import { randomBytes } from '../../support/chance.ts'
import { startOwnClickhouse, withoutClickhouse } from '../../support/clickhouse.ts'
import { postgresAndClickhouse } from '../../support/engines.ts'
import { answers, asked, at, countOf, day, failed, now, rowsOf, sent, signal, span, where } from './moved.ts'
import { addSite, hit, store as keep } from './traffic.ts'

const seal = (engine: Engine) => engine.sealDays({ now: () => now, signal, minVisitors: 0, failed })
const move = (store: Store, ms = 0) => moveOut(store, { now: () => now, graceMs: ms, signal })

describe('days in ClickHouse', { skip: withoutClickhouse() }, () => {
  async function siteWithDay() {
    const { store, url, drop } = await postgresAndClickhouse.create()
    const site = await addSite(store, 'UTC')
    await keep(
      store,
      sent.map(one => hit(site, one)),
    )
    const before = { rows: await rowsOf(store, site.number), answers: await answers(store, site.number) }
    const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    await seal(engine)
    return { store, url, drop, site, engine, before, number: site.number }
  }
  type Prepared = Awaited<ReturnType<typeof siteWithDay>>
  const onMoved = (name: string, run: (prepared: Prepared) => Promise<void>) =>
    test(name, async () => {
      const prepared = await siteWithDay()
      await move(prepared.store)
      assert.equal(await countOf(prepared.store, prepared.number), 0, 'the rows have left')
      await run(prepared)
      await prepared.drop()
    })

  test('reports say the same of rows, of copies, and of rows that came back, which are the same rows', async () => {
    const { store, number, before, drop } = await siteWithDay()
    const { n } = await store.read
      .selectFrom('segment_cols')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    assert.equal(n, 0, 'no column is in Postgres')
    assert.deepEqual(await answers(store, number), before.answers, 'sealed')
    await move(store, 30 * DAY_MS)
    assert.deepEqual(await rowsOf(store, number), before.rows, 'the days of grace are not over')
    await move(store)
    assert.equal(await countOf(store, number), 0)
    assert.deepEqual(await answers(store, number), before.answers, 'moved')
    await store.write.updateTable('site_days').set({ sealed_rev: -1 }).execute() // as a later version does
    assert.deepEqual(await answers(store, number), before.answers, 'moved and not sealed')
    await haveRows(store, { site: number, day }, now - DAY_MS)
    assert.deepEqual(await rowsOf(store, number), before.rows)
    assert.deepEqual(await answers(store, number), before.answers, 'back')
    await drop()
  })

  onMoved('a late hit brings the day back and counts', async ({ store, number, site, engine }) => {
    const late = hit(site, { at: at(68), who: '10.0.0.3', page: '/late' })
    const [outcome] = await openBulk(store, { now: () => now, randomBytes })([late], async () => {})
    assert.equal(outcome?.stored, true)
    const pageviews = async () => {
      const found = await engine.query({ site: number, where: [], goals: [], asked: { report: 'totals', series: [[span]] } })
      return found.series[0]?.[0]?.pageviews
    }
    assert.equal(await pageviews(), 41)
    await seal(engine)
    await move(store)
    assert.deepEqual([await countOf(store, number), await pageviews()], [0, 41])
  })

  onMoved('an event is deleted there, and only days that have it come back', async ({ store, number, engine }) => {
    const event = await store.transaction(async trx => {
      await store.dialect.lockSites(trx, [number])
      return takeName(trx, number, 'signup')
    })
    assert.ok(event)
    assert.equal(await visitWith(store, { site: number, day, event: 999 }, 0), undefined)
    assert.equal(await countOf(store, number), 0)
    const visit = await visitWith(store, { site: number, day, event }, 0)
    assert.ok(visit)
    assert.equal(await store.transaction(trx => eventEraser(store)(trx, { site: number, day, event }, { limit: 100, from: visit })), 2)
    const found = await engine.query({
      site: number,
      where: [],
      goals: [],
      asked: { report: 'breakdown', dimension: 'event', span, compared: null, sort: 'visitors', offset: 0, limit: 9 },
    })
    assert.deepEqual(
      found.rows.map(({ value, sums }) => [value, sums.events]),
      [['buy', 1]],
    )
  })

  onMoved('channels are previewed where the day is, and applied after it came back', async ({ store, number }) => {
    const groups = await countArrivals(store.read, store.cluster, { site: number, fromDay: day, toDay: day, max: 100 })
    assert.equal(
      groups?.reduce((sum, { visits }) => sum + visits, 0),
      await visitsIn(store, number),
    )
    assert.equal(await countOf(store, number), 0)
    const { changed } = await store.transaction(trx =>
      channelRestater(store)(trx, { site: number, day, from: 0, limit: 1_000, channelOf: () => 'Ours' }),
    )
    assert.equal(changed, await visitsIn(store, number))
  })

  const visitsIn = async ({ read }: Store, site: number) =>
    (await read.selectFrom('clickhouse_copies').select('visits').where('site_id', '=', site).where('day', '=', day).executeTakeFirst())
      ?.visits ?? 0

  onMoved('when its first and last hit came, and how many there are, is known without its rows', async ({ store, number }) => {
    const moved = [await firstVisit(store.read, number), await lastVisit(store.read, number), await hitsOfDay(store.read, number, day)]
    await haveRows(store, { site: number, day }, now)
    assert.deepEqual(moved, [
      await firstVisit(store.read, number),
      await lastVisit(store.read, number),
      await hitsOfDay(store.read, number, day),
    ])
    assert.equal(moved[2], 43)
    await move(store)
    assert.ok((await countOf(store, number)) > 0, 'whoever reads the rows keeps them')
  })

  onMoved('retention deletes the day without bringing it back, and the copy goes', async ({ store, number, engine }) => {
    assert.deepEqual(await expiredDays(store, number, day + 1), [day])
    assert.equal(await expireVisits(store, { site: number, day, limit: 500 }), true)
    assert.deepEqual([await countOf(store, number), await expiredDays(store, number, day + 1)], [0, []])
    const found = await engine.query({ site: number, where: [], goals: [], asked: { report: 'totals', series: [[span]] } })
    assert.equal(found.series[0]?.[0]?.visits, 0)
    await seal(engine)
    await gone(store)
  })

  onMoved('nothing is left of a site that was deleted', async ({ store, number }) => {
    await purgeSite(store, { site: number, limit: 1_000_000 })
    await gone(store)
  })

  /** Until no copy is left on the server, or in the list of them. */
  async function gone(store: Store): Promise<void> {
    for (;;) {
      await dropCopies(store, now + 25 * 3_600_000) // also those that were noted and never written
      const left = await store.read.selectFrom('clickhouse_copies').selectAll().execute()
      const { rows } = (await store.cluster?.read('select copy from footfall_visits')) ?? { rows: 1 }
      if (left.length === 0 && rows === 0) return
      await setTimeout(50)
    }
  }

  onMoved('an erased visit leaves ClickHouse an hour after its day was sealed again', async ({ store, number, engine }) => {
    const found = async (which: string) =>
      store.cluster?.read(`select visitor, number from footfall_visits where site = ${number} and ${which}`)
    const first = await found('1 limit 1')
    const [visitor = 0, nth = 0] = ['visitor', 'number'].map(name => first?.column(name).values[0])
    await store.transaction(trx => visitsEraser(store)(trx, { site: number, day }, { ids: [visitor * VISITS_PER_VISITOR + nth] }))
    await seal(engine)
    await move(store)
    const left = async () => (await found(`visitor = ${visitor} and number = ${nth}`))?.rows
    await dropCopies(store, now + REPLACED_MS - 1)
    assert.equal(await left(), 1, 'reports that began before may still read the copy')
    await dropCopies(store, now + REPLACED_MS)
    while ((await left()) !== 0) await setTimeout(50)
  })

  onMoved('no text is in ClickHouse, only numbers', async ({ store }) => {
    const { database } = store.cluster?.settings ?? { database: '' }
    const texts = await store.cluster?.read(
      `select count() as n from system.columns where database = '${database}' and (type like '%String%' or type like '%Enum%' or type like '%UUID%')`,
    )
    assert.equal(texts?.column('n').values[0], 0)
  })

  test('a copy that was written by a process that died does not count, and is deleted', async () => {
    const { store, number, before, drop } = await siteWithDay()
    const copy = newCopy(now)
    await noteCopy(store, { dayOf: { site: number, day }, copy, now })
    await haveRows(store, { site: number, day }, 0)
    const { openLocal } = await import('../../../storage/engine/local.ts')
    await openLocal(store, { cacheBytes: 1_000_000 }).sealed(number, day, copy) // and no more
    const copies = await store.cluster?.read('select copy from footfall_visits group by copy')
    assert.equal(copies?.rows, 2)
    assert.deepEqual(await answers(store, number), before.answers)
    await move(store)
    assert.deepEqual(await answers(store, number), before.answers)
    assert.equal(await dropCopies(store, now + 23 * 3_600_000), 0, 'it may still be used')
    assert.equal(await dropCopies(store, now + 25 * 3_600_000), 1)
    assert.deepEqual(await answers(store, number), before.answers)
    await drop()
  })

  test('a copy that was noted is forgotten, though nothing was ever written', async () => {
    const { store, drop } = await postgresAndClickhouse.create()
    const site = await addSite(store, 'UTC')
    await noteCopy(store, { dayOf: { site: site.number, day }, copy: newCopy(now), now })
    assert.equal(await dropCopies(store, now + 25 * 3_600_000), 0)
    assert.deepEqual(await store.read.selectFrom('clickhouse_copies').select('copy').execute(), [])
    await drop()
  })

  test('a copy that lacks rows is an error that names the day, never a smaller number', async () => {
    const { store, number, drop } = await siteWithDay()
    await move(store)
    await store.cluster?.read(`select 1 as one`)
    await store.write.updateTable('clickhouse_copies').set({ visits: 1 }).execute()
    await assert.rejects(
      haveRows(store, { site: number, day }, now),
      (error: unknown) => error instanceof StorageUnavailable && error.reason === 'cluster' && error.message.includes('2026-05-05'),
    )
    await store.write
      .updateTable('segments')
      .set({ copy: newCopy(now) })
      .execute()
    await assert.rejects(
      answers(store, number),
      (error: unknown) => error instanceof StorageUnavailable && error.reason === 'cluster' && error.message.includes('2026-05-05'),
    )
    await drop()
  })

  test('a lost server is an error that names the days, and days of rows are reported; afterwards all is as before', async () => {
    const server = await startOwnClickhouse()
    const { url, drop } = await postgresAndClickhouse.create()
    const settings = { url: server.url, user: 'default', password: '', database: 'default', cluster: '' }
    const store = openStore(url, { cluster: settings })
    const site = await addSite(store, 'UTC')
    await keep(
      store,
      sent.map(one => hit(site, one)),
    )
    const before = await answers(store, site.number)
    const engine = openEngine(store, { threads: 1, cacheBytes: 1_000_000 })
    await seal(engine)
    await move(store)
    await keep(store, [hit(site, { at: now, who: 'today', page: '/today', visit: { country: 'DE' } })])
    await server.kill()
    const on = (fromDay: number, from: number) => ({ ...span, fromDay, toDay: fromDay, from, to: from + DAY_MS })
    const pages = (one: typeof span) =>
      engine.query({
        site: site.number,
        where,
        goals: [],
        asked: { report: 'breakdown', dimension: 'page', span: one, compared: null, sort: 'visitors', offset: 0, limit: 9 },
      })
    const isLost = (error: unknown) =>
      error instanceof StorageUnavailable && error.reason === 'cluster' && error.message.includes('It has the days 2026-05-05')
    await assert.rejects(pages(on(day, at(0))), isLost)
    assert.equal((await pages(on(day + 20, at(20 * 1440)))).rows.length, 1)
    assert.equal(await clusterAnswers({ store }), false)
    await assert.rejects(openBulk(store, { now: () => now, randomBytes })([hit(site, { at: at(1), who: 'late' })], async () => {}))
    await server.resume()
    assert.equal(await clusterAnswers({ store }), true)
    assert.deepEqual(await answers(store, site.number), before)
    await engine.close()
    await store.close()
    await drop()
    await server.stop()
  })

  for (const [name, grace] of [
    ['only in their blocks', 0],
    ['also in the tables', 30 * DAY_MS],
  ] as const)
    test(`packed days whose rows are ${name} are copied, and lose their blocks`, async () => {
      const { store: there, number, before, drop } = await siteWithDay()
      const working = { now: () => now, signal, progress() {} }
      await leaveCluster(there, working)
      await dropCopies(there, now + 48 * 3_600_000)
      const later = { ...working, now: () => now + 12 * 3_600_000 } // `leave` has the rows stay for some hours
      const alone = openEngine({ ...there, cluster: undefined }, { threads: 0, cacheBytes: 4_000_000 })
      await alone.packDays({ now: later.now, graceMs: 0, signal, failed, maxRestMs: 0 })
      if (grace > 0) await haveRows(there, { site: number, day }, now)
      const blocks = () => there.read.selectFrom('day_blocks').select('block').execute()
      assert.equal((await blocks()).length, 1)
      assert.equal((await countOf(there, number)) > 0, grace > 0)
      assert.equal(await fillCluster(there, later), 1)
      assert.equal(await fillCluster(there, later), 0, 'nothing is copied twice')
      assert.deepEqual([await blocks(), await answers(there, number)], [[], before.answers])
      assert.deepEqual(await checkCluster(there, 10, later), { days: 1, different: [] })
      await haveRows(there, { site: number, day }, now)
      assert.deepEqual([await rowsOf(there, number), await answers(there, number)], [before.rows, before.answers])
      await drop()
    })

  test('a reader with a part of a day in memory reads the other columns from the copy', async () => {
    const { store: there, number, before, drop } = await siteWithDay()
    const working = { now: () => now, signal, progress() {} }
    const [totals, ...others] = asked
    const all = async (engine: Engine, some: readonly Query['asked'][]) => {
      const found: unknown[] = []
      for (const one of some)
        for (const conditions of [[], where]) found.push(await engine.query({ site: number, where: conditions, goals: [], asked: one }))
      return found
    }
    await leaveCluster(there, working)
    const engine = openEngine(there, { threads: 0, cacheBytes: 4_000_000 })
    const alone = openEngine({ ...there, cluster: undefined }, { threads: 0, cacheBytes: 4_000_000 }) // a process that does not know of it
    if (totals) for (const one of [engine, alone]) await all(one, [totals])
    assert.equal(await fillCluster(there, working), 1)
    assert.deepEqual(await all(engine, others), before.answers.slice(2))
    await assert.rejects(all(alone, others), (error: unknown) => error instanceof StorageUnavailable && error.reason === 'cluster')
    await drop()
  })

  test('an installation moves in while it serves, is compared, and moves back', async () => {
    const { store: there, number, before, drop } = await siteWithDay()
    const working = { now: () => now, signal, progress() {} }
    await move(there)
    assert.equal(await leaveCluster(there, working), 1)
    const alone = { ...there, cluster: undefined }
    assert.deepEqual([await rowsOf(alone, number), await answers(alone, number)], [before.rows, before.answers])
    assert.equal(await fillCluster(there, working), 1)
    assert.equal(await fillCluster(there, working), 0, 'nothing is copied twice')
    assert.deepEqual(await checkCluster(there, 10, working), { days: 1, different: [] })
    await move(there)
    assert.deepEqual(await checkCluster(there, 10, working), { days: 1, different: [] })
    assert.deepEqual(await answers(there, number), before.answers)
    await there.write.updateTable('clickhouse_copies').set({ hits: 7 }).where('drop_at', 'is', null).execute()
    assert.equal((await checkCluster(there, 0, working)).different.length, 1)
    await drop()
  })
})

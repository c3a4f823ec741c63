/** Sums of several packed days in one row: what reports say of them, and what a day that changes leaves behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Engine, openEngine, packedWork } from '../../../storage/engine/index.ts'
import { expireVisits } from '../../../storage/hits/expiry.ts'
import { purgeSite } from '../../../storage/hits/retention.ts'
import { dropCopies } from '../../../storage/moved-days/copies.ts'
import type { Store } from '../../../storage/store.ts'
import { isThorough, onEachEngine } from '../../support/engines.ts'
import { day, failed, now, signal } from '../engine/moved.ts'
import { addSite, hit, store as keep } from '../engine/traffic.ts'
import { testIfFullOr } from '../../support/full.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const HITS_A_DAY = 4
/** Of two runs. */
const days = Array.from({ length: 34 }, (_, i) => day - 33 + i)
const dimensions = ['page', 'event', 'country', 'browser', 'hour']
const sent = days.flatMap(of =>
  Array.from({ length: HITS_A_DAY }, (_, i) => ({
    at: of * DAY + i * 4_000_000,
    who: `10.0.${of % 7}.${i % 5}`,
    page: `/${(of + i) % 6}`,
    ...(i % 4 === 0 && { event: 'buy', revenue: i * 100 - 200 }),
    visit: { country: of % 3 === 0 ? '' : (['DE', 'FR'][i % 2] ?? '') },
  })),
)

function breakdownOf(dimension: string, of = days) {
  const [fromDay = 0, toDay = 0] = [of[0], of.at(-1)]
  const span = { fromDay, toDay, from: fromDay * DAY, to: (toDay + 1) * DAY, whole: true }
  return { report: 'breakdown', dimension, span, compared: null, sort: 'visitors', offset: 0, limit: 50 } as const
}

async function answers(engine: Engine, site: number, of = days): Promise<unknown[]> {
  const found: unknown[] = []
  for (const dimension of dimensions) found.push(await engine.query({ site, where: [], goals: [], asked: breakdownOf(dimension, of) }))
  return found
}

onEachEngine('runs of sums', engine => {
  async function packedSite() {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    await keep(
      store,
      sent.map(one => hit(site, one)),
      HITS_A_DAY,
    )
    await dropCopies(store, now + 12 * HOUR)
    const own = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    while (await own.sealDays({ now: () => now, signal, minVisitors: 0, failed }));
    const before = await answers(own, site.number)
    const pack = async (runs?: { afterMs: number; leastDays: number }, when = now) => {
      while (await own.packDays({ now: () => when, graceMs: 0, maxRestMs: 0, signal, failed, ...(runs && { runs }) }));
    }
    const fresh = () => openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    return { store, drop, site, number: site.number, engine: own, before, pack, fresh }
  }

  const countsOf = async (store: Store) => {
    const count = async (table: 'segment_sums' | 'sum_runs') => (await store.read.selectFrom(table).select('col').execute()).length
    return { days: await count('segment_sums'), runs: await count('sum_runs') }
  }
  const every = { afterMs: 0, leastDays: 1 }

  test('reports say the same, of days in memory from before and of days that are read first then, and a check finds them complete', async () => {
    const { store, drop, number, engine, before, pack, fresh } = await packedSite()
    await pack({ afterMs: 400 * DAY, leastDays: 1 })
    const single = await countsOf(store)
    assert.ok(single.days > 50 && single.runs === 0, JSON.stringify(single))
    const warm = fresh()
    // Only one dimension is in memory when the days are joined.
    await warm.query({ site: number, where: [], goals: [], asked: breakdownOf('page') })
    await pack(every)
    const joined = await countsOf(store)
    assert.equal(joined.days, 0)
    assert.ok(joined.runs > 0 && joined.runs * 4 < single.days, JSON.stringify(joined))
    for (const each of [engine, warm, fresh()]) assert.deepEqual(await answers(each, number), before)
    for (const some of [days.slice(0, 1), days.slice(5, 9), days.slice(-3)]) {
      const expected = await answers(engine, number, some)
      assert.deepEqual(await answers(fresh(), number, some), expected)
    }
    const working = { now: () => now + 12 * HOUR, signal, progress() {} }
    const work = await packedWork()
    assert.deepEqual(await work.checkPacked(store, working), { days: days.length, different: [] })
    await work.unpackAll(store, working)
    assert.equal((await countsOf(store)).runs, 0)
    assert.deepEqual(await answers(fresh(), number), before)
    await drop()
  })

  testIfFullOr(isThorough(engine))('a day that changes leaves its run, the others keep their sums, and they are joined again', async () => {
    const { store, drop, number, site, engine, pack, fresh } = await packedSite()
    await pack(every)
    const changed = days[20] ?? 0
    await keep(store, [hit(site, { at: changed * DAY + 80_000_000, who: '10.8.8.8', page: '/late', visit: { country: 'IT' } })])
    const late = await answers(engine, number)
    assert.deepEqual(await answers(fresh(), number), late)
    assert.match(JSON.stringify(late), /late/)
    while (await engine.sealDays({ now: () => now, signal, minVisitors: 0, failed }));
    const apart = await countsOf(store)
    assert.ok(apart.days > 0 && apart.runs > 0, JSON.stringify(apart))
    assert.deepEqual(await answers(fresh(), number), late)
    await pack(every, now + 13 * HOUR)
    assert.equal((await countsOf(store)).days, 0)
    assert.deepEqual(await answers(fresh(), number), late)
    await drop()
  })

  testIfFullOr(isThorough(engine))('days that expire leave nothing of theirs in runs, and a deleted site has none', async () => {
    const { store, drop, number, engine, pack, fresh } = await packedSite()
    await pack(every)
    for (const of of days.slice(0, 3)) while (!(await expireVisits(store, { site: number, day: of, limit: 1_000 })));
    const left = await answers(engine, number)
    while (await engine.sealDays({ now: () => now, signal, minVisitors: 0, failed }));
    const stored = await store.read
      .selectFrom('segment_sums')
      .select('day')
      .where('day', '<', days[3] ?? 0)
      .execute()
    assert.deepEqual([stored, await answers(fresh(), number)], [[], left])
    assert.deepEqual(await answers(fresh(), number, days.slice(3)), await answers(engine, number, days.slice(3)))
    while (!(await purgeSite(store, { site: number, limit: 1_000 })));
    assert.deepEqual(await countsOf(store), { days: 0, runs: 0 })
    await drop()
  })
})

/** kill -9 while days are cut again, at many of its statements: no hit is lost or doubled, and reports stay the same. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { presentDays } from '../../operations/reports/stats/index.ts'
import { type Engine, openEngine } from '../../storage/engine/index.ts'
import { recutSite } from '../../storage/hits/recut-site.ts'
import { rowTables } from '../../storage/moved-days/moving.ts'
import { openStore, type Store } from '../../storage/store.ts'
import { dayStart, localDay } from '../../storage/calendar/zones.ts'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { visitsAddUp } from '../reports/events/visits.ts'
import { type Engine as EngineOfTests, mostOn, onEachEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { programOf } from '../support/process.ts'

const HOUR = 3_600_000
const noon = Date.parse('2026-05-06T12:00Z')
const now = noon + 9 * 24 * HOUR
const zone = 'America/St_Johns'
/** Cutting all days takes about 250 statements; the last number is never reached. */
const statementsOn = (engine: EngineOfTests) =>
  isFull ? Array.from({ length: 130 }, (_, i) => 2 * i + 1) : [...mostOn(engine, [21, 90], 1), 10_000]

const calls = { mayCut: async () => true, reached: async () => {}, finished: async () => {} }
const cuttingOf = (site: number) => ({ site, zone, before: now, now, signal: new AbortController().signal, visitsAtOnce: 7, ...calls })

async function cutAndKill(url: string, site: number, statement: number): Promise<boolean> {
  const given = [url, site, zone, now, statement].map(String)
  const child = spawn(process.execPath, [...programOf('tests/crash/recutting.ts'), ...given], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, end] = await once(child, 'close')
  assert.ok(code === 0 || end === 'SIGKILL', `the process ended with ${code}`)
  return end === 'SIGKILL'
}

/** A site that moved from Kathmandu to St. John's, with a visit across each midnight and each midday. */
async function addTraffic(store: Store) {
  const site = await addSite(store, 'Asia/Kathmandu')
  await keep(
    store,
    Array.from({ length: 300 }, (_, i) =>
      hit(site, {
        at: noon - 30 * HOUR + i * 20 * 60_000,
        who: `10.0.0.${i % 3 === 0 ? 1 : i % 11}`,
        page: `/${i % 7}`,
        ...(i % 5 === 0 && { event: 'buy', revenue: i * 10, props: { plan: i % 2 === 0 ? 'pro' : 'free' } }),
        ...(i % 8 === 0 && { kind: 'vitals', vitals: { lcp: i } }),
      }),
    ),
  )
  await store.write.updateTable('sites').set({ timezone: zone, old_days_before: now }).where('id', '=', site.id).execute()
  await store.write.deleteFrom('salts').execute()
  await store.write.deleteFrom('visitors').execute()
  return { ...site, timezone: zone, old_days_before: now }
}

/** Figures that do not depend on how visits are divided, by the days of the present zone. */
async function answers(store: Store, engine: Engine, site: Awaited<ReturnType<typeof addTraffic>>) {
  const [first, last] = [localDay(zone, noon).day - 3, localDay(zone, noon).day + 6]
  const days = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const spans = days.map(day => ({ from: dayStart(zone, day), to: dayStart(zone, day + 1), fromDay: day, toDay: day, whole: true }))
  const calendar = await presentDays(store.read, site, { fromDay: first, toDay: last })
  const found = await engine.query({ site: site.number, where: [], goals: [], calendar, asked: { report: 'totals', series: [spans] } })
  return found.series[0]?.map(({ visitors, visits, pageviews, revenue }) => [visitors, visits, pageviews, revenue])
}

/** Everything of the rows except where they are. */
async function rowsOf(store: Store, site: number): Promise<string[]> {
  const found: string[] = []
  for (const table of rowTables.filter(name => name !== 'visits')) {
    const rows: object[] = await store.read.selectFrom(table).selectAll().where('site_id', '=', site).execute()
    found.push(...rows.map(row => `${table} ${JSON.stringify({ ...row, day: 0, visit_id: 0 })}`))
  }
  return found.sort()
}

onEachEngine('cutting days again', engine => {
  test('a kill at any statement loses no row, and reports stay the same', async () => {
    const { store, url, drop } = await engine.create()
    const site = await addTraffic(store)
    const warm = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    const [before, rows] = [await answers(store, warm, site), await rowsOf(store, site.number)]
    let [killed, done] = [0, 0]
    for (const statement of statementsOn(engine)) {
      if (await cutAndKill(url, site.number, statement)) killed++
      else done++
      for (const each of [warm, openEngine(store, { threads: 0 })])
        assert.deepEqual(await answers(store, each, site), before, `statement ${statement}`)
      assert.deepEqual(await rowsOf(store, site.number), rows, `after statement ${statement}`)
      await visitsAddUp(store, site.number)
    }
    assert.ok(killed > 0 && done > 0, `${killed} and ${done}`)
    assert.deepEqual(await answers(store, warm, { ...site, old_days_before: null as never }), before, 'without a calendar')
    await drop()
  })

  test('two workers that cut the same days end with one result', async () => {
    const { store, url, drop } = await engine.create()
    const site = await addTraffic(store)
    const [before, rows] = [await answers(store, openEngine(store, { threads: 0 }), site), await rowsOf(store, site.number)]
    const other = openStore(url)
    const cut = async (of: Store) => {
      while (!(await recutSite(of, cuttingOf(site.number)))); // the other one has the days
    }
    await Promise.all([cut(store), cut(other)])
    assert.deepEqual(await rowsOf(store, site.number), rows)
    assert.deepEqual(await answers(store, openEngine(store, { threads: 0 }), { ...site, old_days_before: null as never }), before)
    await visitsAddUp(store, site.number)
    await other.close()
    await drop()
  })
})

/** kill -9 while days are packed, at each of its statements: nothing is lost and nothing counts twice. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { type Engine, openEngine } from '../../storage/engine/index.ts'
import { haveRows, rowTables } from '../../storage/moved-days/moving.ts'
import { openStore, type Store } from '../../storage/store.ts'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { type Engine as EngineOfTests, mostOn, onEachEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { programOf } from '../support/process.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

const now = Date.parse('2026-05-06T12:00Z')
const today = now / DAY_MS - 0.5
const days = [today - 4, today - 3, today - 2]
/** Packing these days takes about 100 statements; the last number is never reached. */
const statementsOn = (engine: EngineOfTests) =>
  isFull ? Array.from({ length: 130 }, (_, i) => i + 1) : [...mostOn(engine, [9, 27], 1), 1_000]
const signal = new AbortController().signal
const failed = (_: unknown, error: unknown) => {
  throw error
}

/** @returns whether the process was killed before it had packed all */
async function packAndKill(url: string, statement: number): Promise<boolean> {
  const given = [url, now, statement].map(String)
  const child = spawn(process.execPath, [...programOf('tests/crash/packing.ts'), ...given], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, end] = await once(child, 'close')
  assert.ok(code === 0 || end === 'SIGKILL', `the process ended with ${code}`)
  return end === 'SIGKILL'
}

/** A site whose days are sealed. */
async function addTraffic(store: Store) {
  const site = await addSite(store, 'UTC')
  for (const day of days) {
    await keep(
      store,
      Array.from({ length: 60 }, (_, i) =>
        hit(site, {
          at: day * DAY_MS + i * 1_000_000,
          who: `10.0.0.${i % 17}`,
          page: `/${i % 7}`,
          ...(i % 5 === 0 && { event: 'buy', revenue: i * 10, props: { plan: i % 2 === 0 ? 'pro' : 'free', price: i / 4 } }),
          visit: { country: i % 3 === 0 ? 'DE' : 'FR' },
        }),
      ),
    )
  }
  const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
  await engine.sealDays({ now: () => now, signal, minVisitors: 0, failed })
  return site
}

async function answers(engine: Engine, site: number) {
  const whole = { whole: true }
  const spans = days.map(day => ({ from: day * DAY_MS, to: (day + 1) * DAY_MS, fromDay: day, toDay: day, ...whole }))
  const span = { from: days[0]! * DAY_MS, to: (days[2]! + 1) * DAY_MS, fromDay: days[0]!, toDay: days[2]!, ...whole }
  const of = (dimension: string) =>
    ({ report: 'breakdown', dimension, span, compared: null, sort: 'visitors', offset: 0, limit: 100 }) as const
  const asked = {
    report: 'several',
    each: [{ report: 'totals', series: [spans] }, of('page'), of('country'), of('property:plan')],
  } as const
  return engine.query({ site, where: [], goals: [], asked: asked as never })
}

/** All rows of the site; `visits.rev` only orders changes. */
async function rowsOf(store: Store, site: number): Promise<string[]> {
  const found: string[] = []
  for (const table of rowTables) {
    const rows: object[] = await store.read.selectFrom(table).selectAll().where('site_id', '=', site).execute()
    found.push(...rows.map(row => `${table} ${JSON.stringify({ ...row, rev: 0 })}`))
  }
  return found.sort()
}

async function bringBack(store: Store, site: number): Promise<void> {
  for (const day of days) await haveRows(store, { site, day }, now - 7 * 3_600_000)
}

onEachEngine('packing days', engine => {
  test('a kill at any statement loses no row, and reports stay the same', async () => {
    const { store, url, drop } = await engine.create()
    const { number } = await addTraffic(store)
    const [before, rows] = [await answers(openEngine(store, { threads: 0 }), number), await rowsOf(store, number)]
    const warm = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    let [killed, packed] = [0, 0]
    const statements = statementsOn(engine)
    for (const [i, statement] of statements.entries()) {
      if (await packAndKill(url, statement)) killed++
      else packed++
      for (const each of [warm, openEngine(store, { threads: 0 })])
        assert.deepEqual(await answers(each, number), before, `statement ${statement}`)
      if (i % 2 === 0 && i + 1 < statements.length) {
        await bringBack(store, number)
        assert.deepEqual(await rowsOf(store, number), rows, `after statement ${statement}`)
      }
    }
    assert.ok(killed > 0 && packed > 0, `${killed} and ${packed}`)
    assert.deepEqual(await rowsOf(store, number), [], 'all rows are packed')
    assert.deepEqual(await answers(openEngine(store, { threads: 0 }), number), before)
    await bringBack(store, number)
    assert.deepEqual(await rowsOf(store, number), rows)
    await drop()
  })

  test('two workers that pack the same days end with one copy of each', async () => {
    const { store, url, drop } = await engine.create()
    const { number } = await addTraffic(store)
    const before = await answers(openEngine(store, { threads: 0 }), number)
    const other = openStore(url)
    // The blocks of a day that the other one has packed may be found not to match rows that are gone: it is left to it.
    const pack = (of: Store) => openEngine(of, { threads: 0 }).packDays({ now: () => now, graceMs: 0, signal, failed() {} })
    await Promise.all([pack(store), pack(other)])
    await pack(store)
    const copies = await store.read.selectFrom('clickhouse_copies').select(['day', 'drop_at']).where('site_id', '=', number).execute()
    assert.deepEqual(
      copies.map(({ day }) => day).sort((a, b) => a - b),
      days,
    )
    assert.deepEqual(await answers(openEngine(store, { threads: 0 }), number), before)
    await other.close()
    await drop()
  })
})

/** Repeated kill -9 while days are sealed and late hits arrive: reports always match the rows. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Engine, openEngine } from '../../storage/engine/index.ts'
import type { Query } from '../../operations/reports/stats/index.ts'
import type { Store } from '../../storage/store.ts'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { chanceOf } from '../support/chance.ts'
import { isFull } from '../support/full.ts'
import { onEachEngine } from '../support/engines.ts'
import { programOf } from '../support/process.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

const kills = isFull ? 10 : 1
const chance = chanceOf('sealing')
const MAX_STATEMENTS = 200
const now = Date.parse('2026-05-06T12:00Z')
const today = now / DAY_MS - 0.5

/** Runs the process until it kills itself. @returns hits it acknowledged */
async function runAndKill(url: string, site: number, kill: number): Promise<number> {
  const at = now + kill * 180_000 // by then the days that the one before had claimed are free
  const statement = chance.int(1, MAX_STATEMENTS)
  const given = [url, site, at, kill * 1_000, statement].map(String)
  const child = spawn(process.execPath, [...programOf('tests/crash/sealing.ts'), ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = 0
  createInterface({ input: child.stdout }).on('line', line => {
    told += Number(line)
  })
  const [, signal] = await once(child, 'close')
  assert.equal(signal, 'SIGKILL', 'the process did not end by itself')
  return told
}

onEachEngine('sealing', engine => {
  test(`survives ${kills} kills`, async () => {
    const { store, url, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    const begin = await keep(
      store,
      Array.from({ length: 300 }, (_, i) =>
        hit(site, { at: now - 46 * 3_600_000 + i * 500_000, who: `10.0.0.${i % 40}`, page: `/${i % 7}` }),
      ),
    )
    const analytics = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    let told = begin.length
    for (let kill = 0; kill < kills; kill++) {
      told += await runAndKill(url, site.number, kill)
      // Warm and cold: an engine that read the days before, and a new one.
      for (const one of [analytics, openEngine(store, { threads: 0, cacheBytes: 4_000_000 })]) {
        const stored = await agree(store, one, site.number)
        assert.ok(stored >= told, `${stored} hits of ${told} that were acknowledged`)
        told = stored // the last batch may be stored without acknowledgement
      }
    }
    const { count } = await store.read
      .selectFrom('segments')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.ok(Number(count) > 0, 'days were sealed')
    await drop()
  })
})

/** Compares reports with plain SQL over the rows. @returns number of hits */
async function agree(store: Store, analytics: Engine, site: number): Promise<number> {
  const days = [today - 2, today - 1, today]
  const spans = days.map(day => ({ from: day * DAY_MS, to: (day + 1) * DAY_MS, fromDay: day, toDay: day, whole: true }))
  const ask = (asked: Query['asked']) => analytics.query({ site, where: [], goals: [], asked })
  const { rows } = await sql<{ day: number; visits: number; visitors: number; pageviews: number }>`
    select h.day, count(distinct h.visit_id) as visits, count(distinct h.visit_id / 256) as visitors, count(*) as pageviews
    from hits h where h.site_id = ${site} group by h.day`.execute(store.read)
  const byDay = new Map(rows.map(row => [row.day, row]))
  const totals = await ask({ report: 'totals', series: [spans] })
  assert.ok(totals.report === 'totals')
  assert.deepEqual(
    totals.series[0]?.map(({ visits, visitors, pageviews }) => ({ visits, visitors, pageviews })),
    days.map(day => {
      const { visits = 0, visitors = 0, pageviews = 0 } = byDay.get(day) ?? {}
      return { visits: Number(visits), visitors: Number(visitors), pageviews: Number(pageviews) }
    }),
  )

  const { rows: pages } = await sql<{ page: string; views: number }>`
    select d.value as page, count(*) as views from hits h
    join dict d on d.site_id = h.site_id and d.dim = 1 and d.id = h.page where h.site_id = ${site} group by d.value`.execute(store.read)
  const span = { ...spans[0]!, toDay: today, to: (today + 1) * DAY_MS }
  const top = await ask({ report: 'breakdown', dimension: 'page', span, compared: null, sort: 'visitors', offset: 0, limit: 10_000 })
  assert.ok(top.report === 'breakdown')
  assert.deepEqual(
    new Map(top.rows.map(({ value, sums }) => [value, sums.pageviews])),
    new Map(pages.toSorted((a, b) => (a.page < b.page ? -1 : 1)).map(({ page, views }) => [page, Number(views)])),
  )
  return rows.reduce((sum, { pageviews }) => sum + Number(pageviews), 0)
}

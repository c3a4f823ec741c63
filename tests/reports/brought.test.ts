/** Which pages make people buy: what visits brought that viewed a page, against plain SQL over the rows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { table } from '../../operations/index.ts'
import { dictionaryOf } from '../../storage/hits/dictionaries.ts'
import { chanceOf } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { engine as analytics } from '../../operations/reports/stats/engine.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

interface Row {
  readonly value: string
  readonly visits: number
  readonly revenue: number
  readonly visit_revenue: number
  readonly conversions: number
}

const HUGE = 10 ** 12
const sources = ['Google', 'Bing', '']
const pages = ['/', '/blog/a', '/blog/b', '/pricing', '/thanks']

onAnyEngine('what visits brought that viewed a page', engine => {
  let service: TestService
  let world: World
  const chance = chanceOf('brought')
  const noon = (day: number) => Date.parse(`2026-03-0${day}T12:00:00Z`)
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const sent: Sent[] = []
    for (const day of [4, 5, 6, 7, 8])
      for (let visitor = 0; visitor < 40; visitor++) {
        const who = `${day}-${visitor}`
        const visit = { source: sources[chance.int(0, 3)] ?? '', country: ['DE', 'FR'][chance.int(0, 2)] ?? '' }
        const hits = 1 + chance.int(0, 5)
        for (let i = 0; i < hits; i++) {
          const at = noon(day) + visitor * 60_000 + i * 20_000
          const page = pages[chance.int(0, pages.length)] ?? '/'
          if (chance.int(0, 3) > 0) sent.push({ who, at, page, visit })
          // A page that only events name, and one that is seen as well.
          else if (chance.int(0, 4) === 0)
            sent.push({ who, at, page: '/checkout', event: 'Order', revenue: 100 + chance.int(0, 5_000), visit })
          else
            sent.push({ who, at, page, event: chance.int(0, 2) === 0 ? 'Order' : 'Refund', revenue: chance.int(0, 9_000) - 3_000, visit })
        }
      }
    sent.push({ who: 'rich', at: noon(8) + 7_200_000, page: '/blog/a', visit: { source: 'Bing' } })
    sent.push({ who: 'rich', at: noon(8) + 7_201_000, page: '/pricing', event: 'Order', revenue: HUGE, visit: { source: 'Bing' } })
    sent.push({ who: 'rich', at: noon(8) + 7_202_000, page: '/pricing', event: 'Order', revenue: HUGE, visit: { source: 'Bing' } })
    await keep(
      service.store,
      sent.map(one => hit(site, one)),
    )
    await ask('goals_create', { name: 'Bought', kind: 'event', event: 'Order' }, 201)
    await ask('goals_create', { name: 'Thanked', kind: 'page', path: '/thanks' }, 201)
  })
  after(() => service.close())

  async function ask(name: string, input: Record<string, unknown>, expected = 200) {
    const operation = table.operations.get(name) ?? assert.fail(name)
    const { status, body } = await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
    assert.equal(status, expected, JSON.stringify(body))
    return body
  }
  async function seal() {
    await service.app.use(analytics).sealDays({
      now: () => service.clock.now,
      signal: new AbortController().signal,
      minVisitors: 0,
      failed: (_, error) => assert.fail(String(error)),
    })
    const sealed = await service.store.read.selectFrom('segments').select('day').where('site_id', '=', world.siteNumber).execute()
    assert.equal(sealed.length, 5, 'every day is sealed')
  }
  const days = { period: 'custom', from: '2026-03-04', to: '2026-03-08' }
  const rowsOf = async (input: Record<string, unknown> = {}): Promise<Row[]> =>
    (await ask('stats_breakdown', { ...days, dimension: 'page', sort: 'visit_revenue', limit: 100, ...input })).data.rows

  /** @param only SQL on visits `v` */
  async function expected(only = sql`1 = 1`, countsHit = sql`1 = 1`) {
    const of = (dim: number, value: string) =>
      sql`(select id from dict where site_id = ${world.siteNumber} and dim = ${dim} and value = ${value})`
    const { rows } = await sql<{ page: string; revenue: number; conversions: number }>`
      select d.value as page, sum(case when ${countsHit} then h.revenue else 0 end) as revenue,
        sum(case when h.event = ${of(dictionaryOf.event, 'Order')} and h.event <> 0 then 1 else 0 end
          + case when h.event = 0 and h.page = ${of(dictionaryOf.page, '/thanks')} then 1 else 0 end) as conversions
      from (select distinct site_id, day, visit_id, page from hits where event = 0 and site_id = ${world.siteNumber}) seen
      join visits v on v.site_id = seen.site_id and v.day = seen.day and v.visit_id = seen.visit_id
      join hits h on h.site_id = seen.site_id and h.day = seen.day and h.visit_id = seen.visit_id
      join dict d on d.site_id = seen.site_id and d.dim = ${dictionaryOf.page} and d.id = seen.page
      where ${only} group by d.value`.execute(service.store.read)
    return new Map(rows.map(row => [row.page, [Number(row.revenue), Number(row.conversions)]]))
  }
  const found = (rows: readonly Row[]) =>
    new Map(rows.filter(({ visits }) => visits > 0).map(row => [row.value, [row.visit_revenue, row.conversions]]))

  for (const isSealed of [false, true]) {
    const how = isSealed ? 'sealed days' : 'open days'
    test(`is the revenue and the conversions of these visits, in ${how}`, async () => {
      if (isSealed) await seal()
      const rows = await rowsOf()
      assert.deepEqual(found(rows), await expected())
      const sorted = rows.map(row => row.visit_revenue)
      assert.deepEqual(
        sorted,
        sorted.toSorted((a, b) => b - a),
      )
    })

    test(`is narrowed by filters, in ${how}`, async () => {
      const source = sql`v.source = (select id from dict where site_id = ${world.siteNumber} and dim = ${dictionaryOf.source} and value = 'Bing')`
      assert.deepEqual(found(await rowsOf({ filters: [['source', 'is', 'Bing']] })), await expected(source))
      const [pricing, others] = [await rowsOf({ filters: [['page', 'is', '/pricing']] }), await rowsOf()]
      assert.deepEqual(
        pricing.map(({ value, visit_revenue }) => [value, visit_revenue]),
        others.filter(({ value }) => value === '/pricing').map(({ value, visit_revenue }) => [value, visit_revenue]),
      )
    })

    test(`equals the headline and the goals under a filter on the page, in ${how}`, async () => {
      for (const more of [[], [['event', 'is', 'Order']], [['goal', 'is', 'Thanked']], [['source', 'is_not', 'Google']]])
        for (const row of await rowsOf({ filters: more })) {
          if (row.visits === 0) continue
          const filters = [...more, ['page', 'is', row.value]]
          const { data } = await ask('stats_aggregate', { ...days, filters })
          assert.equal(row.visit_revenue, data.metrics.revenue, `${row.value} ${JSON.stringify(more)}`)
          const goals = (await ask('stats_breakdown', { ...days, dimension: 'goal', filters })).data.rows as Row[]
          assert.equal(
            row.conversions,
            goals.reduce((sum, goal) => sum + goal.conversions, 0),
          )
          const detail = (await ask('pages_detail', { ...days, path: row.value, filters: more })).data.metrics
          assert.deepEqual([detail.visit_revenue, detail.conversions, detail.revenue], [row.visit_revenue, row.conversions, row.revenue])
        }
    })

    test(`a page on which only events brought money has a row, so that rows add up to the whole, in ${how}`, async () => {
      const rows = await rowsOf({ sort: 'revenue' })
      const checkout = rows.find(({ value }) => value === '/checkout') ?? assert.fail('no row')
      assert.deepEqual([checkout.visits, checkout.revenue > 0, checkout.visit_revenue], [0, true, undefined])
      const { data } = await ask('stats_aggregate', days)
      assert.equal(
        rows.reduce((sum, row) => sum + row.revenue, 0),
        data.metrics.revenue,
      )
      assert.ok(data.metrics.revenue > 2 * HUGE - 10 ** 7)
      const page = await ask('stats_breakdown', { ...days, dimension: 'page', limit: 1, page: rows.length })
      assert.deepEqual([page.meta.total, page.data.rows.length], [rows.length, 1])
    })
  }

  test('is counted only on request, in a comparison as well', async () => {
    const plain = (await ask('stats_breakdown', { ...days, dimension: 'page' })).data.rows[0]
    assert.deepEqual([plain.visit_revenue, plain.conversions], [undefined, undefined])
    const only = (await ask('stats_breakdown', { ...days, dimension: 'page', metrics: ['conversions'], sort: 'conversions' })).data.rows[0]
    assert.deepEqual(Object.keys(only), ['value', 'label', 'conversions'])
    const compared = { ...days, from: '2026-03-07', compare: 'custom', compare_from: '2026-03-04', compare_to: '2026-03-05' }
    const [row] = (await ask('stats_breakdown', { ...compared, dimension: 'page', sort: 'visit_revenue' })).data.rows
    const before = await rowsOf({ from: '2026-03-04', to: '2026-03-05' })
    const was = before.find(({ value }) => value === row.value) ?? assert.fail()
    assert.deepEqual([row.comparison.visit_revenue, row.comparison.conversions], [was.visit_revenue, was.conversions])
    const gained = (await ask('stats_breakdown', { ...compared, dimension: 'page', sort: 'visit_revenue', rank: 'gain' })).data
      .rows as any[]
    assert.ok(gained.length > 0 && gained.every(one => one.visit_revenue > one.comparison.visit_revenue))
  })

  test('is no metric and no order of the rows of other dimensions', async () => {
    const wrong = async (input: Record<string, unknown>) =>
      (await ask('stats_breakdown', input, 422)).error.details.map(({ pointer, code }: any) => [pointer, code])
    assert.deepEqual(await wrong({ dimension: 'country', sort: 'visit_revenue' }), [['/sort', 'mismatch']])
    assert.deepEqual(await wrong({ dimension: 'entry_page', sort: 'conversions', metrics: ['visit_revenue'] }), [
      ['/metrics/0', 'not_in_enum'],
      ['/sort', 'mismatch'],
    ])
    const goals = await ask('stats_breakdown', { ...days, dimension: 'goal', sort: 'conversions', order: 'asc' })
    const times = goals.data.rows.map((row: Row) => row.conversions)
    assert.deepEqual(
      times,
      times.toSorted((a: number, b: number) => a - b),
    )
  })

  test('days and ranges without hits have no rows', async () => {
    assert.deepEqual(await rowsOf({ from: '2026-02-01', to: '2026-02-02' }), [])
    assert.deepEqual(await rowsOf({ filters: [['page', 'is', '/nowhere']] }), [])
  })
})

/** Every surface treats dates without a period, changes of rates and missing values in the same way. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { engine as analytics } from '../../operations/reports/stats/engine.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callTool } from '../support/mcp.ts'
import { callHttp, makeWorld, type Reply, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

onAnyEngine('surfaces of reports', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const visit = (day: string, who: string, pages: readonly string[], country: string): Sent[] =>
      pages.map((page, i) => ({ who, at: Date.parse(`2026-03-${day}T09:0${i}:00+01:00`), page, visit: { country } }))
    const sent = [
      ...visit('05', 'a', ['/'], 'DE'),
      ...visit('05', 'b', ['/', '/a'], ''),
      ...visit('06', 'c', ['/'], 'DE'),
      ...visit('06', 'd', ['/'], 'DE'),
      ...visit('06', 'e', ['/'], ''),
      ...visit('06', 'f', ['/', '/a'], ''),
    ]
    await keep(
      service.store,
      sent.map(one => hit(site, one)),
    )
  })
  after(() => service.close())

  const operation = (name: string) => table.operations.get(name) ?? assert.fail(name)
  const ask = (name: string, input: Record<string, unknown>) =>
    callHttp(service, operation(name), { site_id: world.ids.site, ...input }, world.token)

  const faultsOf = ({ body }: Reply) => body.error.details.map(({ pointer, code }: Record<string, string>) => [pointer, code])

  test('dates without a period are a custom period, over HTTP and MCP, and dates without compare a custom comparison', async () => {
    const dates = { from: '2026-03-06', to: '2026-03-06', compare_from: '2026-03-05', compare_to: '2026-03-05' }
    const full = await ask('stats_aggregate', { period: 'custom', compare: 'custom', ...dates })
    const short = await ask('stats_aggregate', dates)
    assert.equal(short.status, 200, JSON.stringify(short.body))
    assert.deepEqual(short.body, full.body)
    assert.deepEqual([short.body.data.metrics.visits, short.body.data.comparison.metrics.visits], [4, 2])
    const called = await callTool(service, 'stats_aggregate', { site_id: world.ids.site, ...dates }, world.token)
    assert.deepEqual(called.body, full.body)
  })

  test('dates with another period are refused, and the error of a single date asks for the other', async () => {
    const other = await ask('stats_aggregate', { period: '7d', from: '2026-03-06' })
    assert.deepEqual([other.status, faultsOf(other)], [422, [['/from', 'mismatch']]])
    const half = await ask('stats_aggregate', { from: '2026-03-06' })
    assert.equal(half.status, 422)
    assert.deepEqual(faultsOf(half), [['/to', 'required']])
    assert.doesNotMatch(JSON.stringify(half.body), /30d/)
  })

  test('a rate changes by percentage points, also in rows, and from 0', async () => {
    const dates = { from: '2026-03-06', to: '2026-03-06', compare: 'previous_period' }
    const { data } = (await ask('stats_aggregate', dates)).body
    assert.deepEqual([data.metrics.bounce_rate, data.comparison.metrics.bounce_rate, data.comparison.change.bounce_rate], [75, 50, 25])
    assert.equal(data.comparison.change.visits, 100)
    const { rows } = (await ask('stats_breakdown', { ...dates, dimension: 'country' })).body.data
    const unknown = rows.find(({ value }: { value: string }) => value === '')
    assert.deepEqual(
      [unknown.label, unknown.bounce_rate, unknown.comparison.change.bounce_rate, unknown.comparison.change.share],
      ['(not set)', 50, 50, 0],
    )
  })

  test('a rate or a mean of no visits has no change, before or now', async () => {
    const [some, none] = ['2026-03-06', '2025-01-01']
    for (const [day, other, visits] of [
      [some, none, null],
      [none, some, -100],
    ] as const) {
      const input = { from: day, to: day, compare: 'custom', compare_from: other, compare_to: other }
      for (const name of ['stats_aggregate', 'stats_overview']) {
        const { change } = (await ask(name, input)).body.data.comparison
        const { bounce_rate, views_per_visit, visit_duration } = change
        assert.deepEqual([change.visits, bounce_rate, views_per_visit, visit_duration], [visits, null, null, null], `${name} ${day}`)
      }
    }
    const input = { from: some, to: some, compare: 'custom', compare_from: none, compare_to: none }
    const { rows } = (await ask('stats_breakdown', { ...input, dimension: 'country' })).body.data
    assert.ok(rows.every(({ comparison }: any) => comparison.change.bounce_rate === null && comparison.change.share === null))
  })

  test('rows of pages have the revenue of what was bought there, open and sealed', async () => {
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = (minute: number) => Date.parse(`2026-03-04T09:${String(minute).padStart(2, '0')}:00+01:00`)
    const bought: Sent[] = [
      { who: 'x', at: at(0), page: '/shop' },
      { who: 'x', at: at(1), page: '/shop', event: 'Buy', revenue: 1_500 },
      { who: 'x', at: at(2), page: '/thanks' },
      { who: 'x', at: at(3), page: '/thanks', event: 'Buy', revenue: 700 },
      { who: 'x', at: at(4), page: '/thanks', event: 'Refund', revenue: -200 },
      { who: 'y', at: at(5), page: '/shop' },
    ]
    await keep(
      service.store,
      bought.map(one => hit(site, one)),
    )
    const rows = async (filters: unknown[] = []) => {
      const input = { from: '2026-03-04', to: '2026-03-04', dimension: 'page', sort: 'revenue', filters }
      const { data } = (await ask('stats_breakdown', input)).body
      return data.rows.map((row: any) => [row.value, row.revenue, row.purchases])
    }
    const seal = () =>
      service.app.use(analytics).sealDays({
        now: () => service.clock.now,
        signal: new AbortController().signal,
        failed: (_, error) => assert.fail(String(error)),
      })
    for (const prepare of [async () => {}, seal]) {
      await prepare()
      assert.deepEqual(await rows(), [
        ['/shop', 1_500, 1],
        ['/thanks', 500, 1],
      ])
      assert.deepEqual(await rows([['event', 'is', 'Refund']]), [
        ['/shop', 0, 0],
        ['/thanks', -200, 0],
      ])
    }
  })
})

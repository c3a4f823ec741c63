/** Insights: sentences whose numbers match their queries, ranked by impact, against brute force. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../support/properties.ts'
import { type Engine, openEngine } from '../../storage/engine/index.ts'
import { table } from '../../operations/index.ts'
import type { LiveSite } from '../../operations/sites/sites/records.ts'
import { seed as seedOfRun } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { callTool } from '../support/mcp.ts'
import { callHttp, makeSite, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { insightsAgree } from '../storage/engine/oracle/compare/insights.ts'
import { Oracle, type OracleGoal } from '../storage/engine/oracle/oracle.ts'
import { addGoal, addSite, hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

const DAY = 86_400_000

interface Insight {
  message: string
  dimension: string | null
  value: string | null
  label: string | null
  metric: string
  current: number
  previous: number
  change: number | null
  impact: number
  query: { operation: string; input: Record<string, unknown> }
}

onAnyEngine('insights', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const noon = (date: string) => Date.parse(`${date}T12:00:00+01:00`)
    const visitors = (date: string, count: number, more: (i: number) => Partial<Sent>): Sent[] =>
      Array.from({ length: count }, (_, i) => ({ who: `${date}-${i}`, at: noon(date) + i, ...more(i) }))
    // Today is the 10th: 3 to 9 March against 24 February to 2 March.
    const campaign = { utm_campaign: 'Spring', source: 'Mail', country: 'DE', device: 'mobile' }
    await keep(
      service.store,
      [
        ...visitors('2026-02-23', 50, () => ({ page: '/too-early' })),
        ...visitors('2026-02-24', 40, i => ({ page: i < 30 ? '/old' : '/', visit: { source: 'Google', country: 'FR' } })),
        ...visitors('2026-03-03', 10, () => ({ page: '/', visit: { source: 'Google', country: 'FR' } })),
        ...visitors('2026-03-09', 60, i => ({ page: i < 4 ? '/rare' : '/', visit: campaign })),
        ...visitors('2026-03-09', 12, i => ({ at: noon('2026-03-09') + 1_000 + i, event: 'Signup', revenue: 500, visit: campaign })),
        ...visitors('2026-03-10', 70, () => ({ page: '/today' })),
      ]
        .sort((a, b) => a.at - b.at)
        .map(one => hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, one)),
      10,
    )
  })
  after(() => service.close())

  async function call(name: string, input: Record<string, unknown>) {
    const operation = table.operations.get(name)
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
  }
  async function get(input: Record<string, unknown> = {}): Promise<{ period: object; comparison: object; rows: Insight[] }> {
    const { status, body } = await call('insights_get', input)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }

  test('compares the complete days up to yesterday with as many before', async () => {
    const { period, comparison, rows } = await get({ limit: 20 })
    assert.deepEqual(period, {
      from: '2026-03-02T23:00:00.000Z',
      to: '2026-03-09T23:00:00.000Z',
      first_day: '2026-03-03',
      last_day: '2026-03-09',
    })
    assert.deepEqual(comparison, {
      period: { from: '2026-02-23T23:00:00.000Z', to: '2026-03-02T23:00:00.000Z', first_day: '2026-02-24', last_day: '2026-03-02' },
    })
    const text = JSON.stringify(rows)
    assert.ok(!text.includes('/today') && !text.includes('/too-early'))
  })

  test('insights report rising, falling, new and lost values in plain words, the largest impact first', async () => {
    const { rows } = await get({ limit: 20 })
    const of = (dimension: string | null, value: string | null, metric = 'visitors') =>
      rows.find(row => row.dimension === dimension && row.value === value && row.metric === metric) ?? assert.fail(`${dimension} ${value}`)
    assert.equal(of('country', 'DE').message, 'Country Germany: visitors rose to 60, from none.')
    assert.equal(of('page', '/old').message, 'Page /old: visitors fell to none, from 30.')
    assert.equal(of('page', '/').message, 'Page /: visitors rose by 560% to 66, from 10.')
    assert.equal(of('source', 'Google').message, 'Source Google: visitors fell by 75% to 10, from 40.')
    const goal = of('goal', world.ids.goal ?? '').message
    assert.equal(goal, 'Goal Signup: visitors who completed it rose to 12, from none.')
    assert.equal(of('event', 'Signup').message, 'Event Signup: visitors who triggered it rose to 12, from none.')
    assert.equal(of('device', 'mobile').label, 'Mobile')
    assert.equal(of(null, null).message, 'Visitors rose by 75% to 70, from 40.')
    assert.equal(of(null, null, 'revenue').message, 'Revenue rose to €60.00, from none.')
    assert.deepEqual([of(null, null).change, of('country', 'DE').change], [75, null])
    // |Δ%|·√max: 560·√66, 75·√40; an increase from zero counts as one from 1: 6,000·√60.
    const impacts = [of('page', '/'), of('source', 'Google'), of('country', 'DE')].map(row => row.impact)
    assert.deepEqual(impacts, [4549.5, 474.3, 46475.8])
    for (const [i, row] of rows.entries()) assert.ok(row.impact >= (rows[i + 1]?.impact ?? 0))
  })

  test('leaves out what fewer than 10 visitors had to do with, and what is no value', async () => {
    const { rows } = await get({ limit: 20 })
    assert.ok(!rows.some(({ value }) => value === '/rare'))
    assert.ok(!rows.some(({ dimension, value }) => value === '' && dimension !== 'source'))
  })

  test('the query of each is valid when sent and shows its numbers, over HTTP and MCP', async () => {
    for (const period of ['7d', 'mtd', 'last_week', '2026-Q1']) {
      const { rows } = await get({ limit: 20, period })
      assert.ok(rows.length >= 5, period)
      for (const {
        metric,
        current,
        previous,
        change,
        query: { operation, input },
      } of rows) {
        const http = await call(operation, input)
        const mcp = await callTool(service, operation, input, world.token)
        assert.equal(http.status, 200, JSON.stringify(http.body))
        for (const { data } of [http.body, mcp.body]) {
          const shown = [data.metrics[metric], data.comparison.metrics[metric], data.comparison.change[metric]]
          assert.deepEqual(shown, [current, previous, change], JSON.stringify(input))
        }
      }
    }
  })

  test('limit and period are the same as in the API', async () => {
    assert.equal((await get()).rows.length, 8)
    assert.equal((await get({ limit: 1 })).rows.length, 1)
    assert.deepEqual((await get({ limit: 8 })).rows, (await get({ limit: 20 })).rows.slice(0, 8))
    const wrong = [
      [{ limit: 0 }, '/limit'],
      [{ limit: 21 }, '/limit'],
      [{ period: 'all' }, '/period'],
      [{ period: 'custom' }, '/period'],
      [{ period: '2999' }, '/period'],
    ] as const
    for (const [input, pointer] of wrong) {
      const { status, body } = await call('insights_get', input)
      assert.deepEqual([status, body.error.details[0].pointer], [422, pointer])
    }
  })

  test('a site that is quiet has none', async () => {
    const quiet = await makeSite(service)
    const operation = table.operations.get('insights_get') ?? assert.fail()
    const { body } = await callHttp(service, operation, { site_id: quiet.ids.site }, quiet.token)
    assert.deepEqual(body.data.rows, [])
    assert.deepEqual(
      body.meta.notes.map((note: { code: string }) => note.code),
      ['no_data_yet', 'nothing_before'],
    )
  })
})

const places = [
  ['Europe/Berlin', '2026-03-29T12:00Z'],
  ['Australia/Lord_Howe', '2026-04-05T03:00Z'],
  ['Pacific/Apia', '2012-01-01T10:00Z'],
] as const
const goals: readonly OracleGoal[] = [
  { id: 'goal_a', name: 'Docs', path: '/docs/*' },
  { id: 'goal_b', name: 'Signup', event: 'signup' },
]
const sent = fc.record({
  who: fc.nat(15),
  hour: fc.nat(16 * 24),
  minute: fc.nat(59),
  page: fc.constantFrom('/', '/docs/a', '/docs/b', '(not set)'),
  event: fc.constantFrom('', '', 'signup', 'buy'),
  revenue: fc.constantFrom(0, 1999, -500),
  country: fc.constantFrom('DE', 'FR', ''),
  device: fc.constantFrom('mobile', 'desktop', ''),
  source: fc.constantFrom('', 'Google', 'Mail'),
  campaign: fc.constantFrom('', 'spring'),
})

onAnyEngine('insights against brute force', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let asked: Engine
  const sites: { site: LiveSite; oracle: Oracle; last: number }[] = []
  before(async () => {
    database = await engine.create()
    const { store } = database
    asked = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    const seed = Number(process.env.ORACLE_SEED ?? seedOfRun)
    console.log(`traffic from seed ${seed}`)
    for (const [i, [zone, around]] of places.entries()) {
      const site = await addSite(store, zone)
      for (const goal of goals) await addGoal(store, site, `${goal.id}_${site.number}`, goal)
      const list = fc.array(sent, { minLength: 300, maxLength: 400 })
      const drawn = fc.sample(list, { seed: seed + i, numRuns: 1 })[0] ?? []
      const hits = drawn
        .map(({ who, hour, minute, page, event, revenue, campaign, ...visit }, n) =>
          hit(site, {
            who: `v${who}`,
            at: Date.parse(around) - 10 * DAY + hour * 3_600_000 + minute * 60_000 + n,
            page,
            event,
            revenue: event ? revenue : 0,
            visit: { ...visit, utm_campaign: campaign },
          }),
        )
        .sort((a, b) => a.at - b.at)
      const stored = await keep(store, hits, 7)
      const own = goals.map(goal => ({ ...goal, id: `${goal.id}_${site.number}` }))
      sites.push({ site, last: hits.at(-1)?.at ?? 0, oracle: new Oracle(stored, zone, own) })
    }
  })
  after(() => database.drop())
  /** Seals days that ended by then. */
  const seal = (at: number) =>
    asked.sealDays({
      now: () => at,
      signal: new AbortController().signal,
      minVisitors: 0,
      failed(_, error) {
        throw error
      },
    })

  test('all that changed, with its numbers and its rank', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(places.length - 1),
        fc.constantFrom(7, 14, 28),
        fc.integer({ min: -9 * 24, max: 20 * 24 }),
        fc.constantFrom(3, 20),
        fc.constantFrom(null, 0, 3, 9),
        async (place, days, hours, limit, sealed) => {
          const { site, oracle, last } = sites[place] ?? assert.fail()
          if (sealed !== null) await seal(last - sealed * DAY)
          const now = last + hours * 3_600_000
          await insightsAgree(database.store, asked, { site, oracle }, now, { days, limit })
        },
      ),
      { numRuns: Number(process.env.ORACLE_RUNS ?? (isFull ? 60 : 25)) },
    ))
})

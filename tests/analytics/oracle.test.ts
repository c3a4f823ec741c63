/** Random traffic and random questions: what the engine says against brute force over the raw hits. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import {
  aggregate, apply, breakdown, dimensionNames, dimensionOf, type Reader, type StatsAsked, timeseries,
} from '../../operations/analytics/index.ts'
import { answer } from '../../operations/analytics/engine/answer.ts'
import { openSources } from '../../operations/analytics/engine/store-source.ts'
import { buckets } from '../../operations/analytics/time/buckets.ts'
import { alignBuckets } from '../../operations/analytics/time/align.ts'
import type { Sealer } from '../../operations/analytics/reader/reader.ts'
import { sealDays } from '../../operations/analytics/seal-days.ts'
import type { LiveSite } from '../../operations/sites/records.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { localDay } from '../../storage/zones.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Instants, Oracle, type OracleFilter, type OracleGoal } from './oracle.ts'
import { addGoal, addSite, hit, store as keep } from './traffic.ts'

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never

/** Questions of each kind; `ORACLE_RUNS=5000` for a long look. */
const RUNS = Number(process.env.ORACLE_RUNS ?? 100)
const MINUTE = 60_000
const DAY = 86_400_000

/** Where a clock change lies, or none. */
const places: readonly (readonly [zone: string, around: string])[] = [
  ['UTC', '2026-02-27T12:00Z'],
  ['Europe/Berlin', '2026-03-29T12:00Z'],
  ['America/New_York', '2026-03-08T12:00Z'],
  ['America/New_York', '2026-11-01T12:00Z'],
  ['Asia/Kathmandu', '2026-05-05T12:00Z'],
  ['Australia/Lord_Howe', '2026-04-05T03:00Z'],
  ['Pacific/Chatham', '2026-09-27T03:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
]

const goals: readonly OracleGoal[] = [
  { id: 'goal_a', name: 'Blog', path: '/blog/*' },
  { id: 'goal_b', name: 'Anything', path: '/**' },
  { id: 'goal_c', name: 'Signup', event: 'signup' },
  { id: 'goal_d', name: 'Pro signup', event: 'signup', property: 'plan', value: 'pro' },
  { id: 'goal_e', name: 'Priced', event: 'buy', property: 'price' },
  { id: 'goal_f', name: 'Never', event: 'nothing' },
]
const pages = ['/', '/blog/a', '/blog/b', '/blog/a/b', '/docs', '/Docs']
const countries = ['DE', 'NP', '']
const versions = ['9', '10.5', '119', 'beta', '']
const campaigns = ['', 'spring', 'Spring sale']

const sent = fc.record({
  who: fc.integer({ min: 0, max: 5 }),
  minute: fc.integer({ min: 0, max: 5 * 1440 }),
  kind: fc.constantFrom('pageview' as const, 'pageview' as const, 'event' as const, 'engagement' as const),
  page: fc.constantFrom(...pages),
  event: fc.constantFrom('signup', 'buy', 'Outbound Link: Click'),
  interactive: fc.boolean(),
  revenue: fc.constantFrom(0, 0, 1999, -500),
  plan: fc.constantFrom(null, 'pro', 'free'),
  price: fc.constantFrom(null, 5, 12.5, 80),
  country: fc.constantFrom(...countries),
  version: fc.constantFrom(...versions),
  campaign: fc.constantFrom(...campaigns),
  late: fc.integer({ min: 0, max: 19 }),
})

/** Sessions need hits near each other: half of the minutes are put close to the hit before. */
const traffic = fc.array(
  fc.tuple(sent, fc.integer({ min: 1, max: 70 }), fc.boolean()),
  { minLength: 60, maxLength: 160 },
)

function hitsOf(
  drawn: readonly [one: Drawn<typeof sent>, minutes: number, near: boolean][],
  site: LiveSite,
  around: number,
): NewHit[] {
  const begins = around - 2.5 * DAY
  let before = { minute: 0, who: 0 }
  return drawn.map(([one, minutes, near], i) => {
    const { who, minute } = near ? { who: before.who, minute: before.minute + minutes } : one
    before = { who, minute }
    const late = one.late === 0 && one.kind !== 'engagement'
    const isEvent = one.kind === 'event'
    return hit(site, {
      who: `10.0.0.${who}`, at: begins + minute * MINUTE + i, kind: one.kind, page: late ? '/late' : one.page,
      event: isEvent ? one.event : '', interactive: one.interactive, revenue: isEvent ? one.revenue : 0,
      engagedMs: one.kind === 'engagement' ? 1000 + i : 0,
      props: one.kind === 'engagement' ? {} : {
        ...(one.plan ? { plan: one.plan } : {}),
        ...(one.price ? { price: one.price } : {}),
      },
      visit: {
        country: one.country, browser_version: one.version, utm_campaign: one.campaign,
        source: one.campaign ? 'Google' : '',
      },
    })
  })
}

const text = (...values: string[]) => fc.constantFrom(...values, 'nowhere')
const onText = (dimension: string, values: readonly string[]): fc.Arbitrary<OracleFilter> => fc.oneof(
  fc.tuple(fc.constant(dimension), fc.constantFrom('is', 'is_not'), text(...values, '(not set)')),
  fc.tuple(
    fc.constant(dimension),
    fc.constantFrom('any_of', 'none_of'),
    fc.array(text(...values), { minLength: 1, maxLength: 3 }),
  ),
  fc.tuple(
    fc.constant(dimension),
    fc.constantFrom('contains', 'not_contains', 'starts_with'),
    text('/blog', 'S', 'e', 'pro', '1'),
  ),
  fc.tuple(fc.constant(dimension), fc.constantFrom('regex', 'not_regex'), text('^/blog/[ab]$', 'o', '^$', '.')),
)
const onNumber = (dimension: string): fc.Arbitrary<OracleFilter> => fc.oneof(
  fc.tuple(fc.constant(dimension), fc.constantFrom('gt', 'lt'), fc.constantFrom(9, 10.5, 12)),
  fc.tuple(fc.constant(dimension), fc.constant('between'), fc.constantFrom([9, 12.5], [100, 200])),
)
const condition: fc.Arbitrary<OracleFilter> = fc.oneof(
  onText('page', pages), onText('entry_page', pages), onText('exit_page', pages), onText('event', ['signup', 'buy']),
  onText('country', countries), onText('utm_campaign', campaigns), onText('source', ['Google', '']),
  onText('property:plan', ['pro', 'free']), onText('property:nothing', ['x']),
  onNumber('property:price'), onNumber('browser_version'),
  fc.tuple(
    fc.constant('goal'),
    fc.constantFrom('is', 'is_not'),
    fc.constantFrom('goal_a', 'Signup', 'goal_d', 'Priced', 'Never'),
  ),
  fc.tuple(fc.constant('goal'), fc.constantFrom('contains', 'not_contains'), fc.constantFrom('signup', 'e')),
)
const filters = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: condition },
    { weight: 1, arbitrary: fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 3 }) }) },
  ),
  { maxLength: 3 },
)

const asked = fc.record({
  place: fc.nat(places.length - 1),
  filters,
  /** Minutes from the last hit until it is asked. */
  later: fc.integer({ min: 1, max: 2 * 1440 }),
  period: fc.constantFrom(
    'today', 'yesterday', '24h', '7d', '30d', 'mtd', 'all', 'custom',
  ) as fc.Arbitrary<StatsAsked['period']>,
  days: fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 4 })),
  compare: fc.constantFrom('none', 'previous_period', 'previous_year') as fc.Arbitrary<StatsAsked['compare']>,
  interval: fc.constantFrom('auto', 'hour', 'day', 'week', 'month') as fc.Arbitrary<StatsAsked['interval']>,
  dimension: fc.constantFrom(...dimensionNames, 'property:plan', 'property:price', 'page', 'goal', 'event', 'country'),
  sort: fc.constantFrom('visitors' as const, 'visits' as const, 'pageviews' as const, 'revenue' as const),
  happens: fc.constantFrom('nothing' as const, 'late' as const, 'seal' as const, 'seal' as const),
  late: sent,
  /** Days that ended by then, in hours from three days before the last hit. */
  sealsAfter: fc.integer({ min: 0, max: 120 }),
})

const date = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)

onEachEngine('reports against brute force', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let reader: Reader & Sealer
  const sites: { site: LiveSite; hits: NewHit[]; oracle: Oracle; last: number }[] = []
  const oracleOf = ({ number, timezone }: LiveSite, hits: readonly NewHit[]) =>
    new Oracle(hits, timezone, goals.map(goal => ({ ...goal, id: `${goal.id}_${number}` })))

  before(async () => {
    database = await engine.create()
    const { store } = database
    const sources = openSources(store, 4_000_000, () => performance.now())
    reader = {
      query: query => sources.at(query.site, source => answer(query, source)) as never,
      seal: sources.seal,
      close: async () => {},
    }
    const seed = Number(process.env.ORACLE_SEED ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`traffic from seed ${seed}`)
    for (const [i, [zone, around]] of places.entries()) {
      const site = await addSite(store, zone)
      for (const goal of goals) await addGoal(store, site, `${goal.id}_${site.number}`, goal)
      const hits = hitsOf(fc.sample(traffic, { seed: seed + i, numRuns: 1 })[0] ?? [], site, Date.parse(around))
      const inOrder = hits.toSorted((a, b) => a.at - b.at)
      const onTime = inOrder.filter(one => one.page !== '/late')
      const late = inOrder.filter(one => one.page === '/late' && one.at > inOrder.at(-1)!.at - 40 * 3_600_000)
      const stored = await keep(store, [...onTime, ...late], 7)
      sites.push({ site, hits: stored, oracle: oracleOf(site, stored), last: inOrder.at(-1)?.at ?? 0 })
    }
  })
  after(() => database.drop())

  /** What goes on between two questions. No answer may show it, but for the hits that came. */
  const happen = async ({ place: number, happens, late, sealsAfter }: Drawn<typeof asked>) => {
    const place = sites[number]
    assert.ok(place)
    const { store } = database
    if (happens === 'late') {
      // Attention goes to the pages that are known when it comes: late views are of a page nobody's attention is for.
      const view = { ...late, late: 0, kind: late.kind === 'engagement' ? 'pageview' as const : late.kind }
      const hits = hitsOf([[view, 1, false]], place.site, Date.parse(places[number]?.[1] ?? ''))
      const apart = hits.map(one => ({ ...one, at: one.at + place.hits.length })) // no two at one instant
      place.hits.push(...await keep(store, apart.filter(one => one.at <= place.last)))
      place.oracle = oracleOf(place.site, place.hits)
    } else if (happens === 'seal') {
      const now = () => place.last + (sealsAfter - 72) * 60 * MINUTE
      const failed = (_: unknown, error: unknown) => { throw error }
      await sealDays({ store, reader, now, signal: new AbortController().signal, leastVisitors: 0, failed })
    }
  }

  const prepare = async (drawn: Drawn<typeof asked>) => {
    await happen(drawn)
    const place = sites[drawn.place]
    assert.ok(place)
    const { site, oracle, last } = place
    const now = last + drawn.later * MINUTE
    const { day } = localDay(site.timezone, last)
    const custom = drawn.period === 'custom'
      ? { from: date(day + drawn.days[0]), to: date(day + drawn.days[0] + drawn.days[1]) } : {}
    const own = JSON.parse(JSON.stringify(drawn.filters).replace(
      /"goal_([a-f])"/g, `"goal_$1_${site.number}"`,
    )) as OracleFilter[]
    const input: StatsAsked = {
      period: drawn.period, ...custom, compare: drawn.compare, interval: 'auto', filters: own,
    }
    return {
      site,
      oracle,
      own,
      applied: (interval: StatsAsked['interval']) => apply(database.store.read, site, now, { ...input, interval }),
    }
  }
  const check = (property: fc.IAsyncProperty<[Drawn<typeof asked>]>) => fc.assert(property, { numRuns: RUNS })

  test('aggregates', () => check(fc.asyncProperty(asked, async drawn => {
    const { oracle, own, applied } = await prepare(drawn)
    const { range, comparison, ...rest } = await applied('auto')
    const { data } = await aggregate({ range, comparison, ...rest }, reader)
    assert.deepEqual(data.metrics, oracle.totals(range, own))
    if (comparison) assert.deepEqual(data.comparison?.metrics, oracle.totals(comparison, own))
  })))

  test('series', () => check(fc.asyncProperty(asked, async drawn => {
    const { site, oracle, own, applied } = await prepare(drawn)
    const { range, comparison, interval, ...rest } = await applied(
      drawn.interval === 'hour' && drawn.period === 'all' ? 'auto' : drawn.interval,
    )
    const { data } = await timeseries({ range, comparison, interval, ...rest }, reader)
    const totals = (point: Instants | null) => oracle.totals(point ?? { from: 0, to: 0 }, own)
    const points = buckets(range, interval, site.timezone)
    const shown = (series: readonly { at: string | null; partial: boolean }[]) => series.map(
      ({ at: _, partial: __, ...figures }) => figures,
    )
    assert.deepEqual(shown(data.series), points.map(totals))
    if (!comparison) return
    const beside = alignBuckets(points, comparison, interval, site.timezone)
    assert.equal(data.comparison?.series.length, data.series.length)
    assert.deepEqual(shown(data.comparison?.series ?? []), beside.map(totals))
  })))

  test('breakdowns', () => check(fc.asyncProperty(asked, async drawn => {
    const { oracle, own, applied } = await prepare(drawn)
    const { range, comparison, ...rest } = await applied('auto')
    const dimension = dimensionOf(drawn.dimension)
    assert.ok(dimension)
    const { data } = await breakdown(
      { range, comparison, ...rest },
      dimension,
      { limit: 1000, page: 1, sort: drawn.sort },
      reader,
    )
    const expected = oracle.breakdown(drawn.dimension, range, own)
    assert.deepEqual(
      new Map(data.rows.map(({ value, label: _, comparison: __, ...figures }) => [value, figures])), expected)
    const rank = (row: (typeof data.rows)[number]) =>
      drawn.sort === 'pageviews' ? (row.conversions ?? row.pageviews + (row.events ?? 0)) : row[drawn.sort]
    for (const [i, row] of data.rows.entries()) {
      const next = data.rows[i + 1]
      if (next) assert.ok(
        rank(row) > rank(next) || (rank(row) === rank(next) && row.value < next.value),
        'rows are out of order',
      )
    }
    if (!comparison) return
    const before = oracle.breakdown(drawn.dimension, comparison, own)
    for (const row of data.rows) {
      const { change: _, ...compared } = row.comparison ?? assert.fail('a row without comparison')
      const was = before.get(row.value)
      if (was) assert.deepEqual(compared, was)
      else assert.ok(Object.values(compared).every(figure => figure === 0))
    }
  })))
})

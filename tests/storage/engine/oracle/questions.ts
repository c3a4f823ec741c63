/** Random queries of a site, and the comparison of each with brute force. */
import assert from 'node:assert/strict'
import fc from '../../../support/properties.ts'
import {
  aggregate,
  type Applied,
  apply,
  dimensionNames,
  dimensionOf,
  type Engine,
  SORTS,
  spanOf,
  type StatsInput,
  timeseries,
} from '../../../../operations/reports/stats/index.ts'
import { overview } from '../../../../operations/reports/stats/overview/overview.ts'
import { alignBuckets } from '../../../../operations/reports/stats/time/align.ts'
import { type Bucket, buckets } from '../../../../operations/reports/stats/time/buckets.ts'
import type { Range } from '../../../../operations/reports/stats/time/range.ts'
import { attributionAgrees } from './compare/attribution.ts'
import { breakdownAgrees, dividedSeriesAgree, rowsAgree } from './compare/rows.ts'
import { eventAgrees, eventListAgrees, propertiesAgree } from './compare/events.ts'
import { insightsAgree } from './compare/insights.ts'
import { journeysAgree } from './compare/journeys.ts'
import { pageAgrees, vitalsAgree } from './compare/pages.ts'
import { retentionAgrees } from './compare/retention.ts'
import { experimentAgrees, funnelAgrees } from './compare/steps.ts'
import { tableAgrees } from './compare/tables.ts'
import { visitsAgree } from './compare/visits.ts'
import { dateAt } from './oracle/calendar.ts'
import { type Instants, lies, type OracleFilter } from './oracle.ts'
import { campaigns, countries, devices, type Drawn, events, goals, hosts, pages } from './random-hits.ts'
import type { Living } from './stories.ts'

const text = (...values: string[]) => fc.constantFrom(...values, 'nowhere')
/** @param nowhere a value that no hit has */
const onText = (dimension: string, values: readonly string[], nowhere = 'nowhere'): fc.Arbitrary<OracleFilter> =>
  fc.oneof(
    fc.tuple(fc.constant(dimension), fc.constantFrom('is', 'is_not'), fc.constantFrom(...values, nowhere, '(not set)')),
    fc.tuple(
      fc.constant(dimension),
      fc.constantFrom('any_of', 'none_of'),
      fc.array(fc.constantFrom(...values, nowhere), { minLength: 1, maxLength: 3 }),
    ),
    fc.tuple(fc.constant(dimension), fc.constantFrom('contains', 'not_contains', 'starts_with'), text('/blog', 'S', 'e', 'pro', '1', '_')),
    fc.tuple(fc.constant(dimension), fc.constantFrom('regex', 'not_regex'), text('^/blog/[ab]$', '^S', 'o', '^$', '.')),
  )
const onNumber = (dimension: string): fc.Arbitrary<OracleFilter> =>
  fc.oneof(
    fc.tuple(fc.constant(dimension), fc.constantFrom('gt', 'lt'), fc.constantFrom(9, 10.5, 12)),
    fc.tuple(fc.constant(dimension), fc.constant('between'), fc.constantFrom([9, 12.5], [100, 200])),
  )
const onGoal: fc.Arbitrary<OracleFilter> = fc.oneof(
  fc.tuple(
    fc.constant('goal'),
    fc.constantFrom('is', 'is_not'),
    fc.constantFrom('goal_a', 'Signup', 'goal_d', 'Priced', 'Never', 'goal_h', 'Long', 'Minute'),
  ),
  fc.tuple(fc.constant('goal'), fc.constantFrom('contains', 'not_contains'), fc.constantFrom('signup', 'e')),
)
const condition: fc.Arbitrary<OracleFilter> = fc.oneof(
  onText('page', pages),
  onText('entry_page', pages),
  onText('exit_page', pages),
  onText('event', [...events, 'Signup', 'Bought']),
  onText('country', countries, 'FR'),
  onText('utm_campaign', campaigns),
  onText('source', ['Google', '']),
  onText('device', devices),
  onText('hostname', hosts),
  onText('hour', ['0', '9', '23']),
  onText('bounce', ['yes', 'no']),
  onText('new_person', ['yes', 'no', '']),
  onNumber('hour'),
  onNumber('visit_pageviews'),
  fc.tuple(fc.constant('visit_duration'), fc.constantFrom('gt', 'lt'), fc.constantFrom(0, 60_000, 600_000)),
  onText('url', ['example.com/', 'shop.example.com/blog/a', 'shop.example.com/docs']),
  onText('weekday', ['1', '2', '5', '7']),
  onText('property:plan', ['pro', 'free']),
  onText('property:nothing', ['x']),
  onNumber('property:price'),
  onNumber('browser_version'),
  onGoal,
)
/** Of one dimension: what `any` of them asks for is asked for as by one condition. */
const ofOne = fc.constantFrom(
  ...[
    onText('page', pages),
    onText('event', events),
    onText('property:plan', ['pro', 'free']),
    onText('country', countries, 'FR'),
    onText('hostname', hosts),
    onGoal,
  ],
)
const oneHit = fc.record({ all: fc.array(condition, { minLength: 1, maxLength: 3 }) })
/** Several conditions on hits, which is where their rules differ. */
const filters = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: condition },
    { weight: 1, arbitrary: fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: ofOne.chain(one => fc.record({ any: fc.array(one, { minLength: 1, maxLength: 2 }) })) },
    { weight: 1, arbitrary: oneHit },
    { weight: 1, arbitrary: fc.record({ any: fc.tuple(oneHit, condition) }) },
    { weight: 1, arbitrary: fc.record({ all: fc.tuple(condition, fc.record({ any: fc.tuple(onText('event', events), onGoal) })) }) },
    { weight: 1, arbitrary: ofOne.chain(one => fc.record({ any: fc.tuple(one, fc.record({ any: fc.tuple(one) })) })) },
  ),
  { minLength: 1, maxLength: 3 },
)

export const question = fc.record({
  /** Some dimensions are drawn more often, since cached sums of days serve them. */
  about: fc.constantFrom(
    'totals',
    'totals',
    'series',
    'series',
    'series',
    'divided',
    'table',
    'table',
    'breakdown',
    'breakdown',
    'breakdown',
    'breakdown',
    'overview',
    'events',
    'event',
    'properties',
    'journeys',
    'funnel',
    'experiment',
    'retention',
    'attribution',
    'visits',
    'insights',
    'page',
    'vitals',
  ),
  filters: fc.oneof(fc.constant([]), filters),
  /** Minutes until the query. */
  later: fc.nat(1440),
  period: fc.constantFrom(
    'today',
    'yesterday',
    '24h',
    '7d',
    '30d',
    '90d',
    'mtd',
    'last_month',
    'qtd',
    'ytd',
    '12mo',
    'all',
    'all',
    'all',
    'custom',
    'custom',
    'custom',
    'custom',
    'custom',
  ) as fc.Arbitrary<NonNullable<StatsInput['period']>>,
  /** For custom periods, in hundredths of the time range of hits. */
  from: fc.integer({ min: -5, max: 105 }),
  length: fc.nat(100),
  compare: fc.constantFrom('none', 'previous_period', 'previous_year') as fc.Arbitrary<StatsInput['compare']>,
  sameWeekday: fc.boolean(),
  interval: fc.constantFrom('auto', 'hour', 'day', 'week', 'month') as fc.Arbitrary<StatsInput['interval']>,
  dimension: fc.constantFrom(
    ...dimensionNames,
    'property:plan',
    'property:price',
    'page',
    'page',
    'goal',
    'event',
    'country',
    'url',
    'hostname',
  ),
  /** Of a table, with time or without. */
  dimensions: fc.array(
    fc.constantFrom(...dimensionNames, 'property:plan', 'property:price', 'page', 'page', 'goal', 'event', 'country', 'device'),
    { maxLength: 3 },
  ),
  isOverTime: fc.boolean(),
  sort: fc.constantFrom(...SORTS),
  order: fc.constantFrom('desc' as const, 'asc' as const),
  rank: fc.constantFrom('value' as const, 'gain' as const, 'loss' as const),
  page: fc.constantFrom(...pages),
  event: fc.constantFrom(...events, 'Signup', 'Bought', 'nowhere'),
  search: fc.constantFrom('', '', 'SIGN', 'ought'),
  goals: fc.array(fc.nat(goals.length - 1), { minLength: 2, maxLength: 4 }),
  mode: fc.constantFrom('forward' as const, 'reverse' as const),
  limit: fc.integer({ min: 1, max: 12 }),
})
export type Question = Drawn<typeof question>

/** A query of all visits by default. */
export const of = (about: Question['about'], period: Question['period'], rest: Partial<Question> = {}): Question => ({
  about,
  period,
  filters: [],
  later: 0,
  from: 0,
  length: 0,
  compare: 'none',
  sameWeekday: false,
  interval: 'auto',
  dimension: 'page',
  dimensions: [],
  isOverTime: false,
  sort: 'visitors',
  order: 'desc',
  rank: 'value',
  page: '/',
  event: 'signup',
  search: '',
  goals: [0, 1],
  mode: 'forward',
  limit: 3,
  ...rest,
})
/** Queries made after every step. */
export const always: readonly Question[] = [
  of('series', 'all', { interval: 'day' }),
  of('series', '24h', { interval: 'hour' }),
  of('breakdown', 'all'),
  of('breakdown', 'all', { dimension: 'event' }),
  of('vitals', 'all'),
]

/** A query of a site. */
export interface Asked {
  readonly living: Living
  readonly drawn: Question
  readonly now: number
  readonly engine: Engine
  readonly applied: Applied
  /** The filters, with the site's goals, and what they mean for missing properties. */
  readonly filters: readonly OracleFilter[]
  readonly part: Instants
  readonly before: Instants | null
  readonly points: readonly Instants[]
  readonly beside: readonly (Instants | null)[]
}

/** A visit whose property is not set has no hit with a value of it. */
function onMissing(filter: OracleFilter): OracleFilter {
  if ('any' in filter) return { any: filter.any.map(onMissing) }
  if ('all' in filter) return { all: filter.all.map(onMissing) }
  const [dimension, operator, wanted] = filter
  if (!dimension.startsWith('property:') || wanted !== '(not set)') return filter
  return [dimension, operator === 'is' ? 'not_regex' : 'regex', '.']
}

export async function ask(engine: Engine, living: Living, drawn: Question): Promise<void> {
  const { store, site, begins } = living
  const now = living.now + drawn.later * 60_000
  const [first, today] = [dateAt(site.timezone, begins), dateAt(site.timezone, now)]
  const dayAt = (part: number) => Math.min(first + Math.round((part / 100) * (today - first)), today)
  const date = (part: number) => new Date(dayAt(part) * 86_400_000).toISOString().slice(0, 10)
  const custom = drawn.period === 'custom' ? { from: date(drawn.from), to: date(drawn.from + drawn.length) } : {}
  const withGoals = JSON.stringify(drawn.filters).replace(/"goal_([a-m])"/g, `"goal_$1_${site.number}"`)
  const own = JSON.parse(withGoals) as OracleFilter[]
  const input: StatsInput = { period: drawn.period, ...custom, compare: drawn.compare, match_weekday: drawn.sameWeekday, filters: own }
  const applied = await apply(store.read, site, now, { ...input, interval: drawn.interval }).catch(() =>
    apply(store.read, site, now, { ...input, interval: 'auto' }),
  ) // too many points

  const { range, comparison, interval } = applied
  const zone = site.timezone
  const spanIn = (part: Range) => spanOf(zone, part, part)
  const isHour = interval === 'hour'
  const spanOfPoint = (point: Bucket, whole: Range): Instants => (isHour ? point : spanOf(zone, point, whole))
  if (drawn.period === 'all') {
    assert.ok(
      living.oracle.visits.every(visit => lies(spanIn(range), visit, visit.from)),
      'all there is',
    )
  }
  const points = buckets({ range, interval, zone })
  const beside = comparison ? alignBuckets({ main: points, comparison, interval, zone }) : []
  await answers[drawn.about]!({
    living,
    drawn,
    now,
    engine,
    applied,
    filters: own.map(onMissing),
    part: spanIn(range),
    before: comparison && spanIn(comparison),
    points: points.map(point => spanOfPoint(point, range)),
    beside: beside.map(point => point && comparison && spanOfPoint(point, comparison)),
  })
}

const answers: Readonly<Record<string, (asked: Asked) => Promise<void>>> = {
  totals: totalsAgree,
  series: seriesAgree,
  divided: dividedSeriesAgree,
  table: tableAgrees,
  breakdown: breakdownAgrees,
  overview: overviewAgrees,
  events: eventListAgrees,
  event: eventAgrees,
  properties: propertiesAgree,
  journeys: journeysAgree,
  funnel: funnelAgrees,
  experiment: experimentAgrees,
  retention: retentionAgrees,
  attribution: attributionAgrees,
  visits: visitsAgree,
  page: pageAgrees,
  vitals: vitalsAgree,
  insights: ({ living, engine, now, drawn: { limit } }) =>
    insightsAgree(living.store, engine, living, now, { days: [7, 14, 28][limit % 3] ?? 7, limit }),
}

async function totalsAgree(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before,
    engine,
  } = asked
  const { data, meta } = await aggregate(applied, engine)
  assert.deepEqual(data.metrics, oracle.totals(part, filters))
  assert.equal(meta.identified, oracle.identified(part, filters))
  if (before) assert.deepEqual(data.comparison?.metrics, oracle.totals(before, filters))
}

type Point = { at: string | null; partial: boolean }
const shown = (series: readonly Point[] = []) => series.map(({ at: _, partial: __, ...figures }) => figures)

async function seriesAgree({ living: { oracle }, applied, filters, points, beside, engine }: Asked): Promise<void> {
  const { data } = await timeseries(applied, engine)
  const kept = oracle.kept(filters)
  const totals = (point: Instants | null) => oracle.totals(point ?? { from: 0, to: 0 }, filters, kept)
  assert.deepEqual(shown(data.series), points.map(totals))
  if (applied.comparison) assert.deepEqual(shown(data.comparison?.series), beside.map(totals))
}

async function overviewAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle, store },
    applied,
    filters,
    part,
    before,
    points,
    now,
    drawn,
    engine,
  } = asked
  const names = [...new Set(['page', 'event', drawn.dimension])]
  const panels = names.map(name => dimensionOf(name) ?? assert.fail(name))
  const { data } = await overview(applied, { panels, db: store.read, now, engine })
  const kept = oracle.kept(filters)
  assert.deepEqual(data.metrics, oracle.totals(part, filters))
  if (before) assert.deepEqual(data.comparison?.metrics, oracle.totals(before, filters))
  assert.deepEqual(
    shown(data.series),
    points.map(point => oracle.totals(point, filters, kept)),
  )
  assert.equal(data.live_visitors, oracle.live(now, filters))
  for (const { dimension, rows } of data.panels) rowsAgree(asked, dimension, rows, false)
}

/** Filters: which pages, hits and visits a report counts of the visits that a filter keeps. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { aggregate, apply, breakdown, dimensionOf, type Engine } from '../../operations/reports/stats/index.ts'
import { eventDetail } from '../../operations/reports/events/reports.ts'
import type { LiveSite } from '../../operations/sites/sites/records.ts'
import { openEngine } from '../../storage/engine/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { addGoal, addSite, hit, store as keep } from '../storage/engine/traffic.ts'

const noon = Date.parse('2026-05-05T12:00Z')
const now = noon + 86_400_000 - 300_000
const MINUTE = 60_000

/** Pages, then events with the property `plan` and their revenue, a minute each. */
const visits = {
  a: {
    pages: ['/pricing', '/', '/pricing'],
    events: [
      ['signup', 'pro', 100],
      ['signup', 'free', 30],
      ['buy', null, 500],
    ],
  },
  b: { pages: ['/', '/docs'], events: [['buy', 'pro', 7]] },
  c: { pages: ['/pricing'], events: [] },
} as const

type Filters = readonly unknown[]
const pricing = ['page', 'is', '/pricing']
const signup = ['event', 'is', 'signup']
const buy = ['event', 'is', 'buy']
const pro = ['property:plan', 'is', 'pro']

/** Visits, pageviews, views per visit, revenue. */
type Headline = readonly [visits: number, pageviews: number, views: number, revenue: number]
const table: readonly (readonly [filters: Filters, headline: Headline])[] = [
  [[], [3, 6, 2, 637]],
  [[pricing], [2, 3, 2, 630]],
  [[{ any: [pricing, ['page', 'is', '/docs']] }], [3, 4, 2, 637]],
  [[['page', 'any_of', ['/pricing', '/docs']]], [3, 4, 2, 637]],
  [[{ any: [{ any: [pricing] }] }], [2, 3, 2, 630]],
  [
    [pricing, ['page', 'is', '/']],
    [1, 0, 3, 630],
  ],
  [[['page', 'is_not', '/docs']], [2, 4, 2, 630]],
  [[{ any: [pricing, ['country', 'is', 'XX']] }], [2, 4, 2, 630]],
  [[signup], [1, 3, 3, 130]],
  [[buy], [2, 5, 2.5, 507]],
  [[pro], [2, 5, 2.5, 107]],
  [
    [signup, pro],
    [1, 3, 3, 100],
  ],
  [
    [buy, pro],
    [1, 2, 2, 7],
  ],
  [
    [signup, buy],
    [1, 3, 3, 630],
  ],
  [[{ all: [signup, buy] }], [0, 0, 0, 0]],
  [[{ all: [signup, pro] }], [1, 3, 3, 100]],
  [
    [{ any: [signup, buy] }, pro],
    [2, 5, 2.5, 107],
  ],
  [[{ any: [signup, ['property:plan', 'is', 'free']] }], [1, 3, 3, 630]],
  [
    [['goal', 'is', 'Signup'], pro],
    [1, 3, 3, 100],
  ],
  [[['goal', 'is', 'Pricing']], [2, 4, 2, 0]],
  [[['event', 'is_not', 'buy']], [1, 1, 1, 0]],
  [
    [pricing, buy],
    [1, 2, 3, 500],
  ],
]

onAnyEngine('the effect of filters', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let asker: Engine
  let site: LiveSite
  before(async () => {
    database = await engine.create()
    site = await addSite(database.store, 'UTC')
    await addGoal(database.store, site, 'goal_signup', { name: 'Signup', event: 'signup' })
    await addGoal(database.store, site, 'goal_pricing', { name: 'Pricing', path: '/pricing' })
    asker = openEngine(database.store, { threads: 0, cacheBytes: 1_000_000 })
    const hits = Object.entries(visits).flatMap(([who, { pages, events }]) => [
      ...pages.map((page, i) => hit(site, { who, at: noon + i * MINUTE, page })),
      ...events.map(([event, plan, revenue], i) =>
        hit(site, { who, at: noon + (10 + i) * MINUTE, event, revenue, page: '/docs', props: plan ? { plan } : {} }),
      ),
    ])
    assert.equal((await keep(database.store, hits)).length, hits.length)
  })
  after(() => database.drop())

  const applied = (filters: Filters, period: 'yesterday' | '30d' | '24h' = 'yesterday') =>
    apply(database.store.read, site, now, { period, filters })
  const rowsOf = async (name: string, filters: Filters) => {
    const { data } = await breakdown(await applied(filters), {
      dimension: dimensionOf(name) ?? assert.fail(),
      page: { limit: 10, page: 1, sort: 'visits' },
      engine: asker,
    })
    return data.rows
  }

  describe('the headline, before and after the day is sealed, of a whole day and of a part', () => {
    const counted = async (filters: Filters, period: 'yesterday' | '24h') => {
      const { metrics } = (await aggregate(await applied(filters, period), asker)).data
      return [metrics.visits, metrics.pageviews, metrics.views_per_visit, metrics.revenue]
    }
    for (const sealed of [false, true]) {
      test(sealed ? 'sealed' : 'open', async () => {
        const signal = new AbortController().signal
        if (sealed) assert.equal(await asker.sealDays({ now: () => now, signal, failed: (_, error) => assert.fail(String(error)) }), false)
        for (const [filters, expected] of table) {
          assert.deepEqual(await counted(filters, 'yesterday'), expected, JSON.stringify(filters))
          assert.deepEqual(await counted(filters, '24h'), expected, JSON.stringify(filters))
        }
      })
    }
  })

  test('the headline with a page filter equals the row of the page, and rows of visits count only those views', async () => {
    const [row] = await rowsOf('page', [pricing])
    const { metrics } = (await aggregate(await applied([pricing]), asker)).data
    assert.deepEqual([row?.pageviews, row?.visits, row?.bounce_rate], [metrics.pageviews, metrics.visits, metrics.bounce_rate])
    assert.deepEqual(
      (await rowsOf('channel', [pricing])).map(({ pageviews, visits, revenue }) => [pageviews, visits, revenue]),
      [[3, 2, 630]],
    )
  })

  test('rows of events, goals and properties are of the hits that meet all conditions on them', async () => {
    const figures = async (name: string, filters: Filters) =>
      (await rowsOf(name, filters)).map(row => [row.value, row.visits, row.events ?? row.conversions, row.revenue])
    assert.deepEqual(await figures('event', [pro]), [
      ['buy', 1, 1, 7],
      ['signup', 1, 1, 100],
    ])
    assert.deepEqual(await figures('event', [{ any: [signup, buy] }, pro]), await figures('event', [pro]))
    assert.deepEqual(await figures('property:plan', [signup]), [
      ['free', 1, 1, 30],
      ['pro', 1, 1, 100],
    ])
    assert.deepEqual(await figures('goal', [pro]), [['goal_signup', 1, 1, 100]])
    assert.deepEqual(await figures('goal', [['goal', 'is', 'Pricing']]), [['goal_pricing', 2, 3, 0]])
    assert.deepEqual(await figures('channel', [pro]), [['Direct', 2, undefined, 107]])
    assert.deepEqual(await figures('page', [pro]), [
      ['/', 2, undefined, 0],
      ['/docs', 1, undefined, 107], // bought there
      ['/pricing', 1, undefined, 0],
    ])
  })

  test('any_of of one dimension applies to rows and rates', async () => {
    const either = {
      any: [
        ['goal', 'is', 'Signup'],
        ['goal', 'is', 'Pricing'],
      ],
    }
    const of = (filters: Filters) => Promise.all(['goal', 'page', 'event', 'channel'].map(name => rowsOf(name, filters)))
    assert.deepEqual(await of([either]), await of([['goal', 'any_of', ['Signup', 'Pricing']]]))
  })

  test('the detail of an event counts the hits that meet the filter', async () => {
    const { data } = await eventDetail(await applied([pro]), {
      name: 'signup',
      properties: ['plan'],
      settings: new Map(),
      engine: asker,
    })
    assert.deepEqual([data.metrics.events, data.metrics.revenue], [1, 100])
    assert.deepEqual(
      data.properties[0]?.rows.map(({ value }) => value),
      ['pro'],
    )
  })

  test('meta says of each condition what it narrowed', async () => {
    const { meta } = await applied([
      pricing,
      signup,
      { any: [pro, pro] },
      ['page', 'is_not', '/'],
      { any: [pro, signup] },
      ['country', 'is', ''],
    ])
    const ofPages = ['pageviews', 'bounce_rate', 'visit_duration', 'page_rows']
    const ofHits = ['events', 'revenue', 'purchases', 'event_rows', 'goal_rows', 'property_rows']
    assert.deepEqual(
      meta.filters.map(({ narrows }) => narrows),
      [ofPages, ofHits, ofHits, [], [], []],
    )
  })
})

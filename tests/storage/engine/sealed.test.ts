/** Every report over days from rows and over the same days sealed: equal results. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Engine, openEngine } from '../../../storage/engine/index.ts'
import type { Goal, Query, Span } from '../../../operations/reports/stats/index.ts'
import { dayStart } from '../../../storage/calendar/zones.ts'
import { MODELS } from '../../../storage/engine/vocabulary/attribution.ts'
import { chanceOf } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { addSite, hit, store as keep, type Sent } from './traffic.ts'

const ZONE = 'Europe/Berlin'
const first = Date.parse('2026-03-28') / 86_400_000 // the clock changes on the 29th
const days = (from: number, to: number): Span => ({
  fromDay: first + from,
  toDay: first + to,
  from: dayStart(ZONE, first + from),
  to: dayStart(ZONE, first + to + 1),
  whole: true,
})
const HOUR = 3_600_000
const part = (from: number, to: number): Span => ({
  ...days(0, 3),
  from: dayStart(ZONE, first) + from,
  to: dayStart(ZONE, first) + to,
  whole: false,
})

const goal: Goal = { id: 'g', name: 'Pro', kind: 'event', path: null, event: 'signup', property: 'plan', value: 'pro' }
const signup: Goal = { id: 's', name: 'Signup', kind: 'event', path: null, event: 'signup', property: null, value: null }
const seen: Goal = { id: 'h', name: 'Blog', kind: 'page', path: '/blog/*', event: null, property: null, value: null }
const top = { sort: 'visitors', offset: 0, limit: 50 } as const

/** Add new reports here. */
const asked = (
  span: Span,
  compared: Span,
): { readonly [R in Query['asked']['report']]: readonly (Query['asked'] & { readonly report: R })[] } => ({
  totals: [
    {
      report: 'totals',
      series: [[span, ...(span.whole ? [] : [{ ...compared, from: span.to, to: span.to + HOUR, whole: false }])], [compared]],
    },
    { report: 'totals', series: [Array.from({ length: 95 }, (_, i) => part(i * HOUR, (i + 1) * HOUR))] },
  ],
  table: [
    ...[[], ['country'], ['page', 'country'], ['country', 'goal', 'event'], ['weekday', 'property:plan']].map(dimensions => ({
      ...({ report: 'table', dimensions, span, compared, points: null, comparedPoints: null } as const),
      ...({ metrics: ['visitors', 'bounce_rate', 'revenue', 'share', 'conversions'], ...top } as const),
    })),
    ...[
      ['country', 'device'],
      ['page', 'country'],
      ['entry_page', 'page'],
      ['country', 'entry_page', 'device'],
    ].map(dimensions => ({
      ...({ report: 'table', dimensions, span, compared, points: null, comparedPoints: null } as const),
      ...({ metrics: ['visitors', 'visits', 'pageviews'], ...top } as const),
    })),
    ...[[], ['country'], ['page']].map(dimensions => ({
      ...({ report: 'table', dimensions, span, compared: null, points: [span], comparedPoints: null } as const),
      ...({ metrics: ['visits', 'pageviews', 'visit_duration'], ...top, sort: 'visits' } as const),
    })),
  ],
  breakdown: ['page', 'event', 'goal', 'country', 'exit_page', 'property:plan'].map(dimension => ({
    report: 'breakdown',
    dimension,
    span,
    compared,
    isBroughtCounted: dimension === 'page',
    ...top,
  })),
  attribution: [seen, signup, null].map(goal => ({
    ...({ report: 'attribution', goal, dimension: 'country', spans: [span, compared], lookbackDays: 30 } as const),
    ...{ models: MODELS, offset: 0, limit: 9 },
  })),
  visit_log: [
    {
      ...({ report: 'visit_log', span, person: null, after: null, only: null, limit: 20 } as const),
      ...{ hits: { offset: 0, limit: 5 } },
    },
  ],
  changes: [{ report: 'changes', dimension: 'page', span, compared, min: 1, limit: 20, maxLength: 100, blank: true }],
  divided: [
    ['page', '/', '/blog/b'],
    ['event', 'buy'],
    ['goal', 'h'],
    ['country', 'NP', ''],
    ['property:plan', 'pro'],
  ].map(([dimension = '', ...values]) => ({ report: 'divided', dimension, values, spans: [span] })),
  erasure: [
    { report: 'erasure', span, hits: null, before: Infinity, withIds: true },
    {
      report: 'erasure',
      span,
      hits: [{ dimension: 'page', operator: 'starts_with', values: ['/blog'], pointer: '' }],
      before: dayStart(ZONE, first) + 30 * HOUR,
      withIds: false,
    },
  ],
  experiment: [{ report: 'experiment', property: 'plan', goal: seen, control: 'free', limit: 5, span, compared }],
  funnel: [{ report: 'funnel', steps: [seen, goal], span, compared }],
  live: [{ report: 'live', span: part(20 * HOUR, 23 * HOUR), activeFrom: part(20 * HOUR, 0).from, limit: 9, latest: 9 }],
  retention: [
    {
      ...({ report: 'retention', starts: [first, first + 1, first + 3, first + 5], limit: 3 } as const),
      ...{ span: { ...span, from: 0, fromDay: 0, whole: true }, born: null, returned: goal, by: 'country' },
    },
  ],
  journeys: [
    { report: 'journeys', mode: 'forward', at: null, span, compared, limit: 9 },
    { report: 'journeys', mode: 'reverse', at: { goal }, span, compared, limit: 9 },
  ],
  event: [{ report: 'event', name: 'signup', span, compared, series: [[span], [compared]], properties: ['plan', 'price'], limit: 9 }],
  events: [{ report: 'events', span, compared, search: '', offset: 0, limit: 9 }],
  properties: [
    { report: 'properties', span, event: null },
    { report: 'properties', span, event: 'signup' },
  ],
  suggest: [
    { report: 'suggest', dimension: 'page', span, text: 'B', limit: 9 },
    { report: 'suggest', dimension: 'country', span, text: '', limit: 9 },
    { report: 'suggest', dimension: 'property:plan', span, text: 'r', limit: 9 },
    { report: 'suggest', dimension: 'property', span, text: '', limit: 9 },
  ],
  person: [1, 2].map(person => ({ report: 'person', person, span, skip: 1, sources: 5 })),
  page: [{ report: 'page', path: '/blog/a', span, compared, limit: 9 }],
  clicks: [{ report: 'clicks', path: '/blog/a', span, elements: 9, parts: 9 }],
  visits: [{ report: 'visits', day: span.fromDay }],
  vitals_by: (['page', 'device', 'country'] as const).map(dimension => ({
    report: 'vitals_by',
    metric: 'lcp',
    dimension,
    span,
    compared,
    percentile: 75,
    sort: 'impact',
    offset: 0,
    limit: 9,
    minSamples: 1,
  })),
  vitals: [
    { report: 'vitals', spans: [span, compared], page: null },
    { report: 'vitals', spans: [span], page: '/' },
  ],
  several: [
    {
      report: 'several',
      each: [
        { report: 'totals', series: [[span]], isPeopleCounted: true },
        { report: 'breakdown', dimension: 'source', span, compared, ...top },
      ],
    },
  ],
})

const wheres: readonly Query['where'][] = [
  [],
  [{ dimension: 'country', operator: 'is', values: ['DE'], pointer: '' }],
  [{ dimension: 'page', operator: 'starts_with', values: ['/blog'], pointer: '' }],
  [
    { dimension: 'event', operator: 'is_not', values: ['signup'], pointer: '' },
    { dimension: 'source', operator: 'is', values: ['Google'], pointer: '' },
  ],
  [{ dimension: 'goal', operator: 'is', values: ['Pro'], pointer: '' }],
  [
    {
      any: [
        { dimension: 'property:plan', operator: 'is', values: ['free'], pointer: '' },
        { dimension: 'country', operator: 'is', values: ['NP'], pointer: '' },
      ],
    },
  ],
]
const spans: readonly (readonly [Span, Span])[] = [
  [days(2, 3), days(0, 1)],
  [part(20 * HOUR, 50 * HOUR + 1_234), part(1_000, 20 * HOUR)],
  [days(0, 3), part(0, HOUR)],
]

const chance = chanceOf('sealed')
const pick = <T>(...of: readonly T[]): T => of[chance.int(0, of.length)]!

function sent(i: number): Sent {
  const kind = pick('pageview', 'pageview', 'pageview', 'event', 'engagement', 'vitals', 'clicks')
  return {
    at: dayStart(ZONE, first) + i * 800_000 + chance.int(0, 1_000),
    user: pick(null, null, 'ann', 'bob') && { hash: pick('ann', 'bob'), name: null, traits: {} },
    who: `v${chance.int(0, 6)}`,
    kind,
    page: pick('/', '/blog/a', '/blog/b'),
    event: kind === 'event' ? pick('signup', 'buy') : '',
    revenue: kind === 'event' ? pick(0, 500, -20) : 0,
    engagedMs: kind === 'engagement' ? 900 : 0,
    scroll: kind === 'engagement' ? chance.int(0, 100) : 0,
    props: kind === 'event' ? { plan: pick('pro', 'free'), price: pick(5, 12.5) } : {},
    visit: { country: pick('DE', 'NP', ''), source: pick('Google', ''), device: pick('desktop', 'mobile') },
    vitals: kind === 'vitals' ? { lcp: chance.int(0, 9_000), cls: 0.1 } : {},
    clicks: kind === 'clicks' ? [{ selector: pick('a', 'b'), x: chance.int(0, 10_000), y: chance.int(0, 2_000) }] : [],
  }
}

onAnyEngine('sealed days', engine => {
  test('say what their rows said, in every report, whole and cut', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, ZONE)
    await keep(
      store,
      Array.from({ length: 420 }, (_, i) => hit(site, sent(i))),
    )
    // A normal run asks under each condition about every second span.
    const queries = wheres.flatMap((where, i) =>
      spans.flatMap(([span, compared], j) =>
        Object.values(isFull || (i + j) % 2 === 0 ? asked(span, compared) : {})
          .flat()
          .map(one => ({ site: site.number, where, goals: [goal, seen], asked: one })),
      ),
    )
    const open = () => openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
    const ask = async (analytics: Engine) => {
      const answers = []
      for (const query of queries) answers.push(await analytics.query(query))
      return answers
    }
    const before = await ask(open())
    const failed = (_: unknown, error: unknown) => {
      throw error
    }
    const now = () => dayStart(ZONE, first + 9)
    await open().sealDays({ now, signal: new AbortController().signal, minVisitors: 0, failed })
    const { rows } = await store.read
      .selectFrom('segments')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    assert.ok(Number(rows) >= 4, `${rows} sealed`)
    const analytics = open()
    for (const [i, found] of (await ask(analytics)).entries()) assert.deepEqual(found, before[i], JSON.stringify(queries[i]))
    assert.deepEqual(await ask(analytics), before, 'and once more, warm')
    await drop()
  })
})

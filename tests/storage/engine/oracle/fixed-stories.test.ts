/** Stories that random ones were shrunk to, and stories that are seldom drawn. */
import { after, before, test } from 'node:test'
import { type Engine, openEngine } from '../../../../storage/engine/index.ts'
import { mostOn, onEachEngine } from '../../../support/engines.ts'
import { isFull } from '../../../support/full.ts'
import { always, ask, of } from './questions.ts'
import type { Sent } from './random-hits.ts'
import { begin, end, happen, haveRows, type Step } from './stories.ts'

const someone: Sent = {
  who: 0,
  when: 0,
  near: false,
  minutes: 1,
  kind: 'pageview',
  page: '/',
  event: 'signup',
  interactive: false,
  revenue: 0,
  engagedMs: 0,
  scroll: 0,
  plan: null,
  price: null,
  user: null,
  country: 'DE',
  version: '9',
  campaign: '',
  device: 'mobile',
  host: 'example.com',
  lcp: 0,
  cls: 0,
  x: 0,
}
const DAYS = 5
/** A hit so many days after midnight of the first day. */
const onDay = (day: number, rest: Partial<Sent> = {}): Sent => ({ ...someone, when: Math.round((day / DAYS) * 10_000), ...rest })
const move = (zone: string): Step => ({ what: 'move', how: { zone, hits: [], hours: 1 } })
const recut: Step = { what: 'recut', how: { visitsAtOnce: 1 } }
const pack: Step = { what: 'pack', how: { until: 100, hours: 7, limit: 100, stops: 0 } }
const late = (...hits: Sent[]): Step => ({ what: 'late', how: { hits } })
const come = (...hits: Sent[]): Step => ({ what: 'come', how: { hits, hours: 1 } })
/** Vitals and clicks of visitors who viewed nothing, on each day but the last. */
const measured = [0, 1, 2, 3].flatMap(day =>
  ([2, 8, 18] as const).flatMap(hour => [
    onDay(day + hour / 24, { who: 5, kind: 'vitals', lcp: 1_000 * day + hour }),
    onDay(day + hour / 24, { who: 6, kind: 'clicks', lcp: 2 * day }),
  ]),
)

interface Story {
  readonly place?: Parameters<typeof begin>[2]['place']
  readonly hits: readonly Sent[]
  readonly steps: readonly Step[]
}
const february: NonNullable<Story['place']> = ['UTC', '2026-02-27T12:00Z']
const stories: Readonly<Record<string, Story>> = {
  // Two visits of a visitor are on two days of Berlin, then on one day of Pago Pago, when their salt is gone.
  'a visitor divided by the days of one zone and reunited by another, around a day that does not exist': {
    place: ['Pacific/Apia', '2011-12-30T10:00Z'],
    hits: [someone],
    steps: [
      { what: 'move', how: { zone: 'Europe/Berlin', hits: [], hours: 2 } },
      move('Europe/Berlin'),
      recut,
      late(someone),
      move('Pacific/Pago_Pago'),
      recut,
      move('Europe/Berlin'),
    ],
  },
  'late vitals without a visit, before a day is cut in the middle': {
    hits: [onDay(2.4585), someone],
    steps: [
      move('Europe/Berlin'),
      come(someone),
      recut,
      late(onDay(1.9265, { kind: 'vitals' }), { ...someone, kind: 'identify' }),
      { what: 'pack', how: { until: 0, hours: 0, limit: 1, stops: 0 } },
      move('Pacific/Pago_Pago'),
      come(someone),
      recut,
      late(someone),
    ],
  },
}
// A normal run has one of the two in each zone.
for (const [i, zone] of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'].entries())
  for (const [j, [title, views]] of (
    [
      ['on their own', []],
      ['next to visits', [0, 1, 2, 3].flatMap(day => [0.1, 0.5, 0.9].map(part => onDay(day + part, { who: Math.round(10 * part) % 4 })))],
    ] as const
  ).entries())
    if (isFull || (i + j) % 2 === 1)
      Object.assign(stories, {
        [`vitals and clicks without a visit, ${title}, on days that move to ${zone} and back`]: {
          hits: [...measured, ...views, onDay(0.01), onDay(4.5)],
          steps: [
            pack,
            move(zone),
            recut,
            pack,
            late(onDay(1.3, { who: 5, kind: 'vitals' })),
            pack,
            move('UTC'),
            come(someone),
            recut,
            pack,
          ],
        },
      })

/** Reports of single days: a sum over all days does not show on which of them a measurement counts. */
const perDay = [0, 20, 40, 60, 80].flatMap(from => [
  of('vitals', 'custom', { from }),
  of('page', 'custom', { from }),
  of('vitals', 'custom', { length: from }),
])

onEachEngine('fixed stories of sites against brute force', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let analytics: Engine
  before(async () => {
    database = await engine.create()
    analytics = openEngine(database.store, { threads: 0, cacheBytes: 16_000_000 })
  })
  after(() => database.drop())

  for (const [title, { place = february, hits, steps }] of mostOn(engine, Object.entries(stories), 2))
    test(title, async () => {
      const living = await begin(database.store, analytics, { place, days: DAYS, hits: [...hits] })
      for (const step of steps) {
        await happen(living, step)
        for (const one of [...always, ...perDay]) await ask(analytics, living, one)
      }
      await haveRows(living)
      await end(living)
    })
})

/** Sums over ranges of days, against the same days added up one by one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../support/properties.ts'
import { answer } from '../../../storage/engine/answer.ts'
import type { Source } from '../../../storage/engine/days/source.ts'
import { openSources } from '../../../storage/engine/days/database-source.ts'
import { type Engine, openEngine } from '../../../storage/engine/index.ts'
import { openWorkspace } from '../../../storage/engine/scan/workspace.ts'
import type { AnyQuestion, Span } from '../../../operations/reports/stats/index.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { eventEraser, takeName } from '../../../storage/hits/erase-event.ts'
import { expireVisits } from '../../../storage/hits/expiry.ts'
import type { Store } from '../../../storage/store.ts'
import { dayStart } from '../../../storage/calendar/zones.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { breakdownOf } from './breakdown-question.ts'
import { addSite, hit } from './traffic.ts'

const runs = process.env.ORACLE_RUNS ? Math.ceil(Number(process.env.ORACLE_RUNS) / 20) : isFull ? 5 : 2
const ZONE = 'America/New_York'
const FIRST = Date.parse('2026-01-20') / 86_400_000
const DAYS = 140
const MINUTE = 60_000
const NOW = dayStart(ZONE, FIRST + DAYS)
const dimensions = ['country', 'page', 'event'] as const

const sent = fc.record({
  who: fc.integer({ min: 0, max: 4 }),
  day: fc.integer({ min: 0, max: DAYS - 1 }),
  minute: fc.integer({ min: 0, max: 1300 }),
  page: fc.constantFrom('/', '/a', '/b', '/c'),
  event: fc.constantFrom('', '', 'signup', 'buy'),
  country: fc.constantFrom('', 'DE', 'FR', 'US'),
  revenue: fc.constantFrom(0, 500, -20),
})
const range = fc.tuple(fc.integer({ min: 0, max: DAYS - 1 }), fc.integer({ min: 0, max: DAYS - 1 }))
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ hits: fc.array(sent, { minLength: 1, maxLength: 3 }) }) },
  { weight: 3, arbitrary: fc.constant({ seal: true }) },
  { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom('signup', 'buy') }) },
  { weight: 1, arbitrary: fc.record({ expire: fc.integer({ min: 0, max: DAYS - 1 }) }) },
)
const story = fc.tuple(fc.array(sent, { minLength: 100, maxLength: 250 }), fc.array(fc.tuple(step, range), { minLength: 4, maxLength: 12 }))

const spanOf = (from: number, to: number): Span => ({
  fromDay: FIRST + from,
  toDay: FIRST + to,
  from: dayStart(ZONE, FIRST + from),
  to: dayStart(ZONE, FIRST + to + 1),
  whole: true,
})
const reports = (span: Span): AnyQuestion[] => [
  { report: 'totals', series: [[span]] },
  ...dimensions.map(dimension => breakdownOf(dimension, span, 100)),
]

async function erase(store: Store, site: number, name: string): Promise<void> {
  const eraseSome = eventEraser(store)
  const event = await store.transaction(trx => takeName(trx, site, name))
  if (event === null) return
  for (let day = FIRST; day < FIRST + DAYS; day++) {
    await store.transaction(trx => eraseSome(trx, { site, day, event }, { limit: 1_000 }))
  }
}

type Figures = Record<string, number>
const add = (to: Figures, more: Readonly<Figures>) => {
  for (const [name, value] of Object.entries(more)) to[name] = (to[name] ?? 0) + value
}

/** Sums of ranges of days, in total and by value. */
async function ask(analytics: Engine, site: number, spans: readonly Span[]): Promise<Record<string, Figures>> {
  const asked = { report: 'several', each: spans.flatMap(reports) } as const
  const { each } = (await analytics.query({ site, where: [], goals: [], asked })) as {
    each: { report: string; series?: Figures[][]; rows?: { value: string; sums: Figures }[] }[]
  }
  const all: Record<string, Figures> = {}
  for (const [i, { series, rows: found }] of each.entries()) {
    for (const sums of series?.flat() ?? []) add((all.totals ??= {}), sums)
    const dimension = dimensions[(i % 4) - 1]
    for (const { value, sums } of found ?? []) {
      // A day without a pageview of a page has no row of it, even if an event there brought money; the range has that money.
      const { revenue: _, purchases: __, ...views } = sums
      add((all[`${dimension}: ${value}`] ??= {}), dimension === 'page' ? views : sums)
    }
  }
  return all
}

/** A table of countries by points of some days each, and a breakdown for each point. */
async function byPoints(analytics: Engine, site: number, from: number, to: number) {
  const points = Array.from({ length: Math.ceil((to - from + 1) / 5) }, (_, i) => spanOf(from + i * 5, Math.min(to, from + i * 5 + 4)))
  const all = { where: [], goals: [], site }
  const ranked = { sort: 'visitors', offset: 0, limit: 1_000 } as const
  const { rows } = await analytics.query({
    ...all,
    asked: {
      ...{ report: 'table', dimensions: ['country'], span: spanOf(from, to), compared: null, points, comparedPoints: null },
      ...{ metrics: ['visitors', 'pageviews', 'revenue', 'bounce_rate'], ...ranked },
    },
  })
  const found = rows.map(({ values, point, sums }) => [`${point} ${values.join()}`, sums] as const)
  const expected: [string, object][] = []
  for (const [point, span] of points.entries()) {
    const asked = { report: 'breakdown', dimension: 'country', span, compared: null, ...ranked } as const
    for (const { value, sums } of (await analytics.query({ ...all, asked })).rows) expected.push([`${point} ${value}`, sums])
  }
  return { found: new Map(found), expected: new Map(expected) }
}

onAnyEngine('sums of many days', engine => {
  test('are those of the days, whatever changed since they were put together', async () => {
    const { store, drop } = await engine.create()
    const sealer = openEngine(store, { threads: 0, cacheBytes: 1_000_000 })
    const seal = () =>
      sealer.sealDays({
        now: () => NOW + 3_600_000,
        signal: new AbortController().signal,
        minVisitors: 0,
        failed: (_, error) => {
          throw error
        },
      })
    await fc.assert(
      fc.asyncProperty(story, async ([begun, steps]) => {
        const site = await addSite(store, ZONE)
        const write = openBulk(store, { now: () => NOW, randomBytes })
        const put = (hits: readonly (typeof begun)[number][]) =>
          write(
            hits.map(({ who, day, minute, page, event, country, revenue }) =>
              hit(site, {
                at: dayStart(ZONE, FIRST + day) + minute * MINUTE,
                who: `v${who}`,
                page,
                event,
                revenue: event ? revenue : 0,
                visit: { country },
              }),
            ),
            async () => {},
          )
        await put(begun)
        await seal()
        const analytics = openEngine(store, { threads: 0, cacheBytes: 10_000_000 })
        for (const [step, [a, b]] of steps) {
          if ('hits' in step) await put(step.hits)
          else if ('erase' in step) await erase(store, site.number, step.erase)
          else if ('expire' in step) await expireVisits(store, { site: site.number, day: FIRST + step.expire, limit: 1_000 })
          else await seal()
          const [from, to] = [Math.min(a, b), Math.max(a, b)]
          const apart = Array.from({ length: to - from + 1 }, (_, i) => spanOf(from + i, from + i))
          assert.deepEqual(await ask(analytics, site.number, [spanOf(from, to)]), await ask(analytics, site.number, apart))
          const { found, expected } = await byPoints(analytics, site.number, from, to)
          assert.deepEqual(found, expected)
        }
      }),
      { numRuns: runs },
    )
    await drop()
  })

  test('are read for a year, not its days', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, ZONE)
    const hits = Array.from({ length: DAYS }, (_, day) => hit(site, { at: dayStart(ZONE, FIRST + day) + MINUTE, who: 'v' }))
    await openBulk(store, { now: () => NOW, randomBytes })(hits, async () => {})
    const sources = openSources(store, { bytes: 10_000_000, clock: () => 0 })
    const lookedAt = () =>
      sources.at({ site: site.number }, async source => {
        let count = 0
        const counted = async function* (found: Awaited<ReturnType<Source['days']>>) {
          for await (const some of found) {
            count += some.length
            yield some
          }
        }
        const days: Source['days'] = async (...asked) => counted(await source.days(...asked))
        const series = [[spanOf(0, DAYS - 1)]]
        await answer({
          query: { site: site.number, where: [], goals: [], asked: { report: 'totals', series } },
          source: { ...source, days },
          workspace: openWorkspace(),
        })
        return count
      })
    assert.equal(await lookedAt(), DAYS)
    const failed = (_: unknown, error: unknown) => {
      throw error
    }
    const { signal } = new AbortController()
    await openEngine(store, { threads: 0 }).sealDays({ now: () => NOW, signal, minVisitors: 0, failed }) // all but the last
    assert.ok((await lookedAt()) < 30, `${await lookedAt()} ranges and days`)
    await drop()
  })
})

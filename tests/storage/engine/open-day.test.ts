/** A day in memory that is updated, against the same day read from all of its rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../support/properties.ts'
import type { Day } from '../../../storage/engine/days/day.ts'
import { extendDay, readDays } from '../../../storage/engine/days/read-days.ts'
import { type SiteDay, siteDays } from '../../../storage/engine/days/site-days.ts'
import { openEngine } from '../../../storage/engine/index.ts'
import type { Query, Span } from '../../../operations/reports/stats/index.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { eventEraser, takeName } from '../../../storage/hits/erase-event.ts'
import { expireVisits } from '../../../storage/hits/expiry.ts'
import type { Store } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { type Engine, isThorough, onEachEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { addSite, hit, type Sent } from './traffic.ts'

/** In a normal run fewer on Postgres, where a story takes twice as long. */
const runsOn = (engine: Engine): number => Math.ceil(Number(process.env.ORACLE_RUNS ?? (isFull ? 100 : isThorough(engine) ? 60 : 20)) / 10)
const FIRST = Date.parse('2026-03-10') / 86_400_000
const BEGINS = FIRST * 86_400_000
const MINUTE = 60_000

const sent = fc.record({
  who: fc.integer({ min: 0, max: 7 }),
  minute: fc.integer({ min: 0, max: 2 * 1440 - 1 }),
  kind: fc.constantFrom('pageview', 'pageview', 'event', 'engagement', 'vitals', 'clicks'),
  page: fc.constantFrom('/', '/a', '/b', ...Array.from({ length: 300 }, (_, i) => `/${i}`)),
  event: fc.constantFrom('signup', 'buy'),
  plan: fc.constantFrom('', 'pro', 'free'),
  revenue: fc.constantFrom(0, 500, -20, 70_000),
})
type Drawn = typeof sent extends fc.Arbitrary<infer T> ? T : never

const sentOf = ({ who, minute, kind, event, plan, revenue, page }: Drawn): Sent => ({
  at: BEGINS + minute * MINUTE,
  who: `v${who}`,
  kind,
  page,
  event: kind === 'event' ? event : '',
  revenue: kind === 'event' ? revenue : 0,
  props: plan && (kind === 'event' || kind === 'pageview') ? { plan } : {},
  engagedMs: kind === 'engagement' ? 900 : 0,
  scroll: kind === 'engagement' ? 40 : 0,
  visit: { country: plan },
  vitals: kind === 'vitals' ? { lcp: 900 } : {},
  clicks: kind === 'clicks' ? [{ selector: 'a', x: 1, y: 1 }] : [],
})

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ hits: fc.array(sent, { minLength: 1, maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom('signup', 'buy'), visits: fc.constantFrom(1, 200) }) },
  { weight: 1, arbitrary: fc.record({ expire: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.constant({ seal: true }) },
)
const story = fc.tuple(fc.array(sent, { minLength: 30, maxLength: 90 }), fc.array(step, { minLength: 5, maxLength: 20 }))

const span: Span = { fromDay: FIRST, toDay: FIRST + 1, from: BEGINS, to: BEGINS + 2 * 86_400_000, whole: true }
const beside = { span, compared: null, sort: 'visitors', offset: 0, limit: 500 } as const
const asked: Query['asked'] = {
  report: 'several',
  each: [
    { report: 'totals', series: [[span]] },
    ...['page', 'country', 'exit_page', 'property:plan'].map(dimension => ({ report: 'breakdown', dimension, ...beside }) as const),
  ],
}

/** The columns as numbers, whatever their width. */
const numbers = (day: Day | undefined) =>
  day &&
  Object.fromEntries(
    (['visits', 'hits', 'props'] as const).map(part => [
      part,
      Object.fromEntries(Object.entries(day[part]).map(([name, of]) => [name, typeof of === 'number' ? of : Array.from(of as Uint8Array)])),
    ]),
  )

onEachEngine('an open day', engine => {
  const start = async () => {
    const { store, drop } = await engine.create()
    return { store, drop, write: openBulk(store, { now: () => span.to, randomBytes }) }
  }
  type Write = Awaited<ReturnType<typeof start>>['write']
  const put = (write: Write, site: { number: number; timezone: string }, hits: readonly Drawn[]) =>
    write(
      hits.map(one => hit(site, sentOf(one))),
      async () => {},
    )
  const dayNow = async ({ read, cluster }: Store, site: number): Promise<readonly [SiteDay, Day]> => {
    const [siteDay] = await siteDays(read, site, FIRST, FIRST)
    assert.ok(siteDay)
    const [day] = await readDays(read, { cluster, site, days: [siteDay] })
    assert.ok(day)
    return [siteDay, day]
  }

  test('is what its rows say, whatever came and went since it was read', async () => {
    const { store, drop, write } = await start()
    let extended = 0
    await fc.assert(
      fc.asyncProperty(story, async ([first, steps]) => {
        const site = await addSite(store, 'UTC')
        const analytics = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
        const query: Query = { site: site.number, where: [], goals: [], asked }
        const ask = (from = analytics) => from.query(query)
        await put(write, site, [{ ...first[0]!, minute: 5, kind: 'pageview' }, ...first])
        let [before, known] = await dayNow(store, site.number)
        for (const one of steps) {
          if ('hits' in one) await put(write, site, one.hits)
          else if ('erase' in one) {
            const erase = eventEraser(store)
            const event = await store.transaction(trx => takeName(trx, site.number, one.erase))
            for (const day of event === null ? [] : [FIRST, FIRST + 1]) {
              await store.transaction(trx => erase(trx, { site: site.number, day, event: event! }, { limit: one.visits }))
            }
          } else if ('expire' in one) await expireVisits(store, { site: site.number, day: FIRST, limit: one.expire })
          else {
            const failed = (_: unknown, error: unknown) => {
              throw error
            }
            await analytics.sealDays({ now: () => span.to, signal: new AbortController().signal, minVisitors: 0, failed })
          }
          const [now, reread] = await dayNow(store, site.number)
          const brought = await extendDay(store.read, { site: site.number, siteDay: now, known: { day: known, rev: before.rev } })
          if (brought) {
            assert.deepEqual(numbers(brought), numbers(reread))
            if (now.rev > before.rev) extended++
          }
          ;[before, known] = [now, brought ?? reread]
          assert.deepEqual(await ask(), await ask(openEngine(store, { threads: 0, cacheBytes: 4_000_000 })))
        }
      }),
      { numRuns: runsOn(engine) },
    )
    await drop()
    assert.ok(extended >= runsOn(engine), `only ${extended} times was it brought up to date`)
  })

  test('is updated for a hit, and read again if a visit was deleted', async () => {
    const { store, drop, write } = await start()
    const site = await addSite(store, 'UTC')
    const view = (who: number, minute: number): Drawn => ({ who, minute, kind: 'pageview', page: '/', event: 'buy', plan: '', revenue: 0 })
    await put(write, site, [view(1, 10), view(2, 10), view(3, 10), view(4, 10), view(4, 50)])
    const [before, known] = await dayNow(store, site.number)
    const now = async () => (await siteDays(store.read, site.number, FIRST, FIRST))[0]!
    const brought = async () => extendDay(store.read, { site: site.number, siteDay: await now(), known: { day: known, rev: before.rev } })

    await put(write, site, [view(2, 20)])
    assert.deepEqual([(await brought())?.visits.count, (await brought())?.hits.count], [5, 6])
    await put(write, site, [{ ...view(9, 20), kind: 'vitals' }])
    assert.deepEqual((await brought())?.hits.count, 6)
    await put(write, site, [view(4, 30)]) // joins two visits
    assert.equal(await brought(), null)
    await drop()
  })
})

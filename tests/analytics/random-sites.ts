/** Sites in zones where clocks change, with random traffic, vitals and clicks included, and what to ask of them. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { apply, type Reader, type StatsAsked } from '../../operations/analytics/index.ts'
import { answer } from '../../operations/analytics/engine/answer.ts'
import { openSources } from '../../operations/analytics/engine/store-source.ts'
import { sealDays } from '../../operations/analytics/seal-days.ts'
import type { LiveSite } from '../../operations/sites/records.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import type { Store } from '../../storage/store.ts'
import { Oracle, type OracleFilter, type OracleGoal } from './oracle.ts'
import { attached, type MeasuredHit } from './oracle/pages.ts'
import { addGoal, addSite, hit, store as keep } from './traffic.ts'

export const RUNS = Number(process.env.ORACLE_RUNS ?? 100)
const MINUTE = 60_000
const DAY = 1440 * MINUTE

const places = [
  ['Europe/Berlin', '2026-03-29T12:00Z'], ['America/New_York', '2026-11-01T12:00Z'], ['Asia/Kathmandu', '2026-05-05T12:00Z'],
  ['Australia/Lord_Howe', '2026-04-05T03:00Z'],
] as const
export const goals: readonly OracleGoal[] = [
  { id: 'goal_a', name: 'Blog', path: '/blog/*' },
  { id: 'goal_b', name: 'Signup', event: 'signup' },
  { id: 'goal_c', name: 'Pro', event: 'signup', property: 'plan', value: 'pro' },
]
export const pages = ['/', '/blog/a', '/blog/b', '/docs', '/pricing'] as const

const sent = fc.record({
  who: fc.integer({ min: 0, max: 9 }), minute: fc.integer({ min: 0, max: 4 * 1440 }), minutes: fc.integer({ min: 1, max: 40 }),
  near: fc.boolean(), page: fc.constantFrom(...pages),
  kind: fc.constantFrom('pageview', 'pageview', 'pageview', 'event', 'engagement', 'vitals', 'clicks' as const),
  event: fc.constantFrom('signup', 'video'), plan: fc.constantFrom('pro', 'free'), revenue: fc.constantFrom(0, 500),
  country: fc.constantFrom('DE', 'FR'), source: fc.constantFrom('', 'Google', 'Bing'), device: fc.constantFrom('mobile', 'desktop', ''),
  engagedMs: fc.integer({ min: 0, max: 50_000 }), scroll: fc.integer({ min: 0, max: 100 }),
  vitals: fc.record({
    lcp: fc.integer({ min: 0, max: 6_000 }), inp: fc.constantFrom(0, 200, 201, 500, 501), cls: fc.constantFrom(0, 0.1, 0.101, 0.25, 0.251, 3),
    ttfb: fc.integer({ min: 0, max: 200_000 }),
  }, { requiredKeys: [] }),
  clicks: fc.array(fc.record({
    selector: fc.constantFrom('#buy', 'main>a', 'footer'), x: fc.integer({ min: 0, max: 10_000 }), y: fc.integer({ min: 0, max: 60_000 }),
  }), { minLength: 1, maxLength: 3 }),
})

function hitsOf(site: LiveSite, around: number, seed: number): NewHit[] {
  let before = { minute: 0, who: 0 }
  const drawn = fc.sample(fc.array(sent, { minLength: 200, maxLength: 300 }), { seed, numRuns: 1 })[0] ?? []
  return drawn.map(({ near, minutes, minute, who, plan, country, source, device, ...one }, n) => {
    before = near ? { who: before.who, minute: before.minute + minutes } : { who, minute }
    const [isEvent, isEngagement] = [one.kind === 'event', one.kind === 'engagement']
    return hit(site, {
      who: `v${before.who}`, at: around - 2 * DAY + before.minute * MINUTE + n, page: one.page, kind: one.kind,
      event: isEvent ? one.event : '', revenue: isEvent ? one.revenue : 0, props: isEvent ? { plan } : {},
      engagedMs: isEngagement ? one.engagedMs : 0, scroll: isEngagement ? one.scroll : 0,
      vitals: one.kind === 'vitals' ? one.vitals : {}, clicks: one.kind === 'clicks' ? one.clicks : [],
      visit: { country, source, device },
    })
  }).sort((a, b) => a.at - b.at)
}

export interface RandomSite {
  readonly site: LiveSite
  readonly oracle: Oracle
  /** What was measured. */
  readonly measured: readonly MeasuredHit[]
  readonly last: number
}

/** Some of the days are sealed, some are not. */
export async function randomSites(store: Store): Promise<{ reader: Reader; sites: RandomSite[] }> {
  const sources = openSources(store, 4_000_000, () => performance.now())
  const reader: Reader = { query: query => sources.at(query.site, source => answer(query, source)) as never, close: async () => {} }
  const seed = Number(process.env.ORACLE_SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`traffic from seed ${seed}`)
  const sites: RandomSite[] = []
  for (const [i, [zone, around]] of places.entries()) {
    const site = await addSite(store, zone)
    for (const goal of goals) await addGoal(store, site, `${goal.id}_${site.number}`, goal)
    const stored = await keep(store, hitsOf(site, Date.parse(around), seed + i), 7)
    const isMeasured = ({ kind }: NewHit) => kind === 'vitals' || kind === 'clicks'
    const last = stored.at(-1)?.at ?? 0
    const own = goals.map(goal => ({ ...goal, id: `${goal.id}_${site.number}` }))
    const oracle = new Oracle(stored.filter(one => !isMeasured(one)), zone, own)
    sites.push({ site, last, oracle, measured: attached(oracle, stored.filter(isMeasured), zone) })
    const failed = (_: unknown, error: unknown) => { throw error }
    await sealDays({
      store, reader: { seal: sources.seal }, now: () => last - 1.5 * DAY, signal: new AbortController().signal, leastVisitors: 0, failed,
    })
  }
  return { reader, sites }
}

const condition: fc.Arbitrary<OracleFilter> = fc.constantFrom<OracleFilter>(
  ['country', 'is', 'DE'], ['device', 'is_not', 'mobile'], ['source', 'any_of', ['Google', 'Bing']], ['page', 'is', '/docs'],
  ['page', 'not_contains', 'blog'], ['goal', 'is', 'Signup'], ['event', 'is', 'video'], ['property:plan', 'is_not', 'pro'],
  ['entry_page', 'starts_with', '/blog'], { any: [['country', 'is', 'FR'], ['goal', 'is', 'Pro']] },
)
/** A site and what is asked of it. */
export const question = fc.record({
  place: fc.nat(places.length - 1), filters: fc.array(condition, { maxLength: 2 }),
  period: fc.constantFrom('today', 'yesterday', '24h', '7d', 'all') as fc.Arbitrary<StatsAsked['period']>,
  compare: fc.constantFrom('none', 'previous_period') as fc.Arbitrary<StatsAsked['compare']>,
  later: fc.integer({ min: 1, max: 1440 }),
})
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

export async function ask(store: Store, sites: readonly RandomSite[], { place, later, ...input }: Question) {
  const at = sites[place] ?? assert.fail()
  return { ...at, filters: input.filters, applied: await apply(store.read, at.site, at.last + later * MINUTE, input) }
}

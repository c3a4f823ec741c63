/**
 * Random events, renamed, merged, hidden and deleted between questions, sealed or not, and hits that come meanwhile:
 * what reports say against brute force. `ORACLE_RUNS=5000` for a long look.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { aggregate, apply, breakdown, dimensionOf, type Reader, type StatsAsked } from '../../operations/analytics/index.ts'
import { answer } from '../../operations/analytics/engine/answer.ts'
import { openSources } from '../../operations/analytics/engine/store-source.ts'
import type { Sealer } from '../../operations/analytics/reader/reader.ts'
import { sealDays } from '../../operations/analytics/seal-days.ts'
import { alignBuckets } from '../../operations/analytics/time/align.ts'
import { buckets } from '../../operations/analytics/time/buckets.ts'
import { eraseEvents, requestDeletion } from '../../operations/events/deletion.ts'
import { eventDetail, eventList } from '../../operations/events/reports.ts'
import { setEvent } from '../../operations/events/settings.ts'
import type { LiveSite } from '../../operations/sites/records.ts'
import type { TaskContext } from '../../runtime/task.ts'
import { eventEraser } from '../../storage/hits/erase-event.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { EventOracle } from '../analytics/oracle/events.ts'
import type { OracleFilter } from '../analytics/oracle.ts'
import { addSite, hit, store as keep } from '../analytics/traffic.ts'
import { onEachEngine } from '../support/engines.ts'
import { visitsAddUp } from './visits.ts'

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never

const RUNS = Number(process.env.ORACLE_RUNS ?? 100)
const MINUTE = 60_000
const DAY = 86_400_000

const places: readonly (readonly [zone: string, around: string])[] = [
  ['Europe/Berlin', '2026-03-29T12:00Z'],
  ['America/New_York', '2026-11-01T12:00Z'],
  ['Australia/Lord_Howe', '2026-04-05T03:00Z'],
]
const names = ['signup', 'sign_up', 'buy', 'Buy', 'junk'] as const
const displays = ['Signup', 'Bought', 'buy', null] as const

const sent = fc.record({
  who: fc.integer({ min: 0, max: 5 }),
  minute: fc.integer({ min: 0, max: 4 * 1440 }),
  near: fc.boolean(),
  event: fc.constantFrom(null, null, ...names),
  page: fc.constantFrom('/', '/a', '/b'),
  interactive: fc.boolean(),
  revenue: fc.constantFrom(0, 0, 1999, -500),
  plan: fc.constantFrom(null, 'pro', 'free'),
  price: fc.constantFrom(null, '5', '12.5', '80', '80', 'free'),
  country: fc.constantFrom('DE', 'NP', ''),
  source: fc.constantFrom('Google', ''),
})
const traffic = fc.array(sent, { minLength: 50, maxLength: 120 })

function hitsOf(drawn: readonly Drawn<typeof sent>[], site: LiveSite, around: number, crowd: number): NewHit[] {
  let before = { who: 0, minute: 0 }
  return drawn.map(({ who, minute, near, event, plan, price, country, source, ...one }, i) => {
    before = near ? { who: before.who, minute: before.minute + 5 } : { who, minute }
    return hit(site, {
      ...one, who: `10.${crowd >> 8}.${crowd & 255}.${before.who}`, at: around - 2 * DAY + before.minute * MINUTE + i,
      event: event ?? '', revenue: event ? one.revenue : 0,
      props: { ...(plan ? { plan } : {}), ...(price ? { price } : {}) }, visit: { country, source },
    })
  }).sort((a, b) => a.at - b.at)
}

const named = fc.constantFrom(...names, 'Signup', 'Bought', 'nowhere')
const onEvents: fc.Arbitrary<OracleFilter> = fc.oneof(
  fc.tuple(fc.constant('event'), fc.constantFrom('is', 'is_not'), named),
  fc.tuple(fc.constant('event'), fc.constantFrom('any_of', 'none_of'), fc.array(named, { minLength: 1, maxLength: 3 })),
  fc.tuple(fc.constant('event'), fc.constantFrom('contains', 'not_contains', 'starts_with'), fc.constantFrom('sign', 'B', '_')),
  fc.tuple(fc.constant('event'), fc.constantFrom('regex', 'not_regex'), fc.constantFrom('^S', 'u', '^$', '.')),
)
const condition: fc.Arbitrary<OracleFilter> = fc.oneof(
  { weight: 2, arbitrary: onEvents },
  fc.tuple(fc.constant('country'), fc.constantFrom('is', 'is_not'), fc.constantFrom('DE', '')),
  fc.tuple(fc.constant('page'), fc.constantFrom('is', 'is_not'), fc.constantFrom('/a', '/')),
  fc.tuple(fc.constant('property:plan'), fc.constantFrom('is', 'is_not'), fc.constantFrom('pro', 'free')),
)
const filters = fc.array(fc.oneof(
  { weight: 4, arbitrary: condition },
  { weight: 1, arbitrary: fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 3 }) }) },
), { maxLength: 2 })

const happening = fc.oneof(
  fc.constant({ is: 'nothing' as const }),
  fc.record({ is: fc.constant('set' as const), name: fc.constantFrom(...names), display: fc.constantFrom(...displays), hidden: fc.constantFrom(false, false, true) }),
  fc.record({ is: fc.constant('come' as const), hits: fc.array(sent, { minLength: 1, maxLength: 12 }) }),
  fc.record({ is: fc.constant('delete' as const), name: fc.constantFrom(...names) }),
  fc.record({ is: fc.constant('erase' as const), pieces: fc.integer({ min: 1, max: 3 }), finish: fc.boolean() }),
  fc.record({ is: fc.constant('seal' as const), after: fc.integer({ min: 0, max: 120 }) }),
)
const asked = fc.record({
  place: fc.nat(places.length - 1),
  happenings: fc.array(happening, { maxLength: 2 }),
  filters,
  later: fc.integer({ min: 1, max: 1440 }),
  period: fc.constantFrom('today', 'yesterday', '24h', '7d', 'all', 'custom') as fc.Arbitrary<StatsAsked['period']>,
  days: fc.tuple(fc.integer({ min: -4, max: 2 }), fc.integer({ min: 0, max: 3 })),
  compare: fc.constantFrom('none', 'previous_period') as fc.Arbitrary<StatsAsked['compare']>,
  interval: fc.constantFrom('auto', 'hour', 'day') as fc.Arbitrary<StatsAsked['interval']>,
  name: named,
  search: fc.constantFrom('', '', 'SIGN', 'ought'),
})

interface Place {
  readonly site: LiveSite
  readonly oracle: EventOracle
  readonly around: number
  readonly last: number
  crowd: number
}

onEachEngine('events against brute force', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let reader: Reader & Sealer
  const sites: Place[] = []

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
      const place = { site, oracle: new EventOracle([]), around: Date.parse(around), last: Date.parse(around) + 2 * DAY + 600 * MINUTE, crowd: 0 }
      sites.push(place)
      await come(place, fc.sample(traffic, { seed: seed + i, numRuns: 1 })[0] ?? [])
    }
  })
  after(() => database.drop())

  async function come(place: Place, drawn: readonly Drawn<typeof sent>[]): Promise<void> {
    const { site, oracle, around } = place
    // What is on time, in time; every call has visitors of its own.
    const hits = hitsOf(drawn, site, around, place.crowd++)
    oracle.come(await keep(database.store, hits, 7), site.timezone)
  }

  const signal = new AbortController().signal
  const pending = async ({ site }: Place) => database.store.read.selectFrom('event_deletions').selectAll()
    .where('site_id', '=', site.id).where('finished_at', 'is', null).execute()

  async function happen(place: Place, what: Drawn<typeof happening>): Promise<void> {
    const { store } = database
    const { site, oracle } = place
    if (what.is === 'come') return come(place, what.hits)
    if (what.is === 'set') {
      const { name, display, hidden } = what
      await setEvent(store.write, { site_id: site.id, name }, { display_name: display, hidden: hidden ? 1 : 0 }, 0)
      oracle.naming.set(name, { display, hidden })
    } else if (what.is === 'delete') {
      await store.transaction(trx => requestDeletion(trx, store, site, what.name, place.last))
      oracle.delete(what.name)
    } else if (what.is === 'erase') {
      const days = await store.read.selectFrom('site_days').select('day').where('site_id', '=', site.number).execute()
      for (const { event } of await pending(place)) {
        const { day = 0 } = days[what.pieces % days.length] ?? {}
        await store.transaction(trx => eventEraser(store)(trx, { site: site.number, day, event }, what.pieces))
      }
      if (what.finish) await eraseEvents({ store, now: () => place.last, signal, progress() {} } as unknown as TaskContext)
      await visitsAddUp(store, site.number)
    } else if (what.is === 'seal') {
      const now = () => place.last + (what.after - 72) * 60 * MINUTE
      const failed = (_: unknown, error: unknown) => { throw error }
      await sealDays({ store, reader, now, signal, leastVisitors: 0, failed })
    }
  }

  async function prepare(drawn: Drawn<typeof asked>) {
    const place = sites[drawn.place]
    assert.ok(place)
    for (const what of drawn.happenings) await happen(place, what)
    const { site, oracle, last } = place
    const date = (offset: number) => new Date(place.around + offset * DAY).toISOString().slice(0, 10)
    const custom = drawn.period === 'custom' ? { from: date(drawn.days[0]), to: date(drawn.days[0] + drawn.days[1]) } : {}
    // While hits are on their way out, their properties are still found, and visitors that are nothing else counted.
    const underWay = (await pending(place)).length > 0
    const used = underWay ? drawn.filters.filter(filter => !JSON.stringify(filter).includes('property:')) : drawn.filters
    const input: StatsAsked = {
      period: drawn.period, ...custom, compare: drawn.compare, filters: used,
      interval: drawn.interval === 'hour' && drawn.period === 'all' ? 'auto' : drawn.interval,
    }
    return { site, oracle, underWay, used, applied: await apply(database.store.read, site, last + drawn.later * MINUTE, input) }
  }
  const check = (property: fc.IAsyncProperty<[Drawn<typeof asked>]>) => fc.assert(property, { numRuns: RUNS, endOnFailure: true })
  const settled = <T extends { conversion_rate: number }>(one: T, underWay: boolean) =>
    (underWay ? { ...one, conversion_rate: 0 } : one)

  test('lists and breakdowns', () => check(fc.asyncProperty(asked, async drawn => {
    const { oracle, underWay, used, applied } = await prepare(drawn)
    const { range, comparison } = applied
    const { data, total } = await eventList(applied, { search: drawn.search, offset: 0, limit: 100 }, reader)
    const expected = oracle.list(range, used, drawn.search)
    assert.deepEqual(
      new Map(data.rows.map(({ value, label: _, names: __, comparison: ___, ...figures }) => [value, settled(figures, underWay)])),
      new Map([...expected].map(([value, figures]) => [value, settled(figures, underWay)])),
    )
    assert.equal(total, expected.size)
    for (const [i, row] of data.rows.entries()) {
      const next = data.rows[i + 1]
      if (next) assert.ok(row.events > next.events || (row.events === next.events && row.value < next.value), 'out of order')
      assert.ok(row.names.length > 0 && row.names.every(name => oracle.shown(name) === row.value))
    }
    if (comparison) {
      const before = oracle.list(comparison, used, drawn.search)
      for (const row of data.rows) {
        const { change: _, conversion_rate: __, ...compared } = row.comparison ?? assert.fail('a row without comparison')
        const { first_seen_at, last_seen_at, conversion_rate, ...was } = before.get(row.value) ?? { visitors: 0, visits: 0, events: 0, revenue: 0 } as never
        assert.deepEqual(compared, was)
      }
    }
    const dimension = dimensionOf('event')
    assert.ok(dimension)
    const rows = (await breakdown(applied, dimension, { limit: 100, page: 1, sort: 'pageviews' }, reader)).data.rows
    const figuresOf = ({ visitors, visits, events, revenue }: { visitors: number; visits: number; events?: number; revenue: number }) => ({ visitors, visits, events, revenue })
    assert.deepEqual(
      new Map(rows.map(row => [row.value, figuresOf(row)])),
      new Map([...oracle.list(range, used, '')].map(([value, row]) => [value, figuresOf(row)])),
    )
    if (!underWay && !JSON.stringify(used).includes('"event"')) {
      assert.deepEqual((await aggregate(applied, reader)).data.metrics, oracle.oracle.totals(range, used))
    }
  })))

  test('details', () => check(fc.asyncProperty(asked, async drawn => {
    const { site, oracle, underWay, used, applied } = await prepare(drawn)
    const { range, comparison, interval } = applied
    const keys = ['plan', 'price', 'nothing']
    const { data } = await eventDetail(applied, { name: drawn.name, properties: keys }, new Map(), reader)
    const points = buckets(range, interval, site.timezone)
    const now = oracle.detail(drawn.name, range, points, used, keys)
    const rowsOf = (rows: typeof data.pages) => new Map(rows.map(({ value, label: _, comparison: __, ...figures }) => [value, figures]))
    const seriesOf = (series: readonly { at: string | null; partial: boolean }[]) => series.map(({ at: _, partial: __, ...rest }) => rest)
    assert.deepEqual(settled(data.metrics, underWay), settled(now.metrics, underWay))
    assert.deepEqual(seriesOf(data.series), now.series)
    assert.deepEqual(rowsOf(data.pages), now.pages)
    assert.deepEqual(rowsOf(data.sources), now.sources)
    assert.deepEqual(data.properties.map(({ rows }) => rowsOf(rows)), now.properties)
    assert.deepEqual(new Map(data.keys.map(({ key, events }) => [key, events])), now.keys)
    for (const key of now.keys.keys()) {
      const found = data.aggregates.find(one => one.key === key)
      const numbers = now.numbers(key)
      assert.equal(found !== undefined, numbers?.mostly ?? false)
      if (!found || !numbers) continue
      for (const name of ['count', 'sum', 'mean', 'median', 'p90', 'min', 'max'] as const) {
        assert.ok(Math.abs(found[name] - numbers[name]) < 1e-5, `${name} of ${key}: ${found[name]}, not ${numbers[name]}`)
      }
    }
    if (!comparison) return
    const beside = alignBuckets(points, comparison, interval, site.timezone)
    const then = oracle.detail(drawn.name, comparison, beside, used, keys)
    assert.ok(data.comparison)
    assert.deepEqual(settled(data.comparison.metrics, underWay), settled(then.metrics, underWay))
    assert.deepEqual(seriesOf(data.comparison.series), then.series)
    for (const row of data.pages) {
      const { change: _, ...compared } = row.comparison ?? assert.fail('a row without comparison')
      assert.deepEqual(compared, then.pages.get(row.value) ?? { visitors: 0, visits: 0, events: 0, revenue: 0, share: 0 })
    }
  })))
})

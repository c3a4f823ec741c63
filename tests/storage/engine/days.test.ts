/** Days as columns: how they are built, when they are read again, and how spans cut them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildDay, hitParts, type Lists, propParts, visitParts } from '../../../storage/engine/days/build-day.ts'
import type { Day } from '../../../storage/engine/days/day.ts'
import { columnOf } from '../../../storage/engine/columns/column.ts'
import { openDayCache } from '../../../storage/engine/days/day-cache.ts'
import { type ColumnName, columnsRead } from '../../../storage/engine/days/reads.ts'
import { openShape } from '../../../storage/engine/days/sealed-day.ts'
import type { Span } from '../../../storage/engine/vocabulary/scope.ts'
import { sumNames, type Sums } from '../../../storage/engine/vocabulary/sums.ts'
import { openEngine } from '../../../storage/engine/index.ts'
import { dayStart } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { onEachEngine } from '../../support/engines.ts'
import { addSite, hit, store as keep } from './traffic.ts'

const lists = <Name extends string>(names: readonly Name[], rows: readonly Partial<Record<Name, number>>[]): Lists<Name> =>
  Object.fromEntries(names.map(name => [name, rows.map(row => row[name] ?? 0)])) as Record<Name, number[]>

type Row<Parts extends readonly string[]> = Partial<Record<Parts[number], number>>

const build = (visits: Row<typeof visitParts>[], hits: Row<typeof hitParts>[], props: Row<typeof propParts>[] = []) =>
  buildDay(
    { day: 1, startsAt: 1_000, endsAt: 1_000 + DAY_MS },
    { visits: lists(visitParts, visits), hits: lists(hitParts, hits), props: lists(propParts, props) },
  )

test('hits stand by visit, then by time, whatever the order of their numbers', () => {
  const day = build(
    [{ visit_id: 513 }, { visit_id: 257 }],
    [
      { visit_id: 257, seq: 0, at: 5_000, page: 1 },
      { visit_id: 257, seq: 1, at: 3_000, page: 2 },
      { visit_id: 513, seq: 0, at: 1_000, page: 3 },
      { visit_id: 257, seq: 2, at: 3_000, page: 4 },
    ],
    [
      { visit_id: 513, seq: 0, key: 1, value: 7 },
      { visit_id: 257, seq: 1, key: 2, value: 8 },
      { visit_id: 257, seq: 1, key: 1, value: 9 },
    ],
  )
  assert.deepEqual([...day.visits.visitor], [1, 2])
  assert.deepEqual([...day.visits.firstHit], [0, 3, 4])
  assert.deepEqual([...day.hits.page], [2, 4, 1, 3])
  assert.deepEqual([...day.hits.at], [2_000, 2_000, 4_000, 0])
  assert.deepEqual(
    [...day.props.hit].map((h, i) => [h, day.props.key[i], day.props.value[i]]),
    [
      [0, 1, 9],
      [0, 2, 8],
      [3, 1, 7],
    ],
  )
})

test('rows from different snapshots are refused, not counted wrong', () => {
  assert.throws(() => build([{ visit_id: 257 }], [{ visit_id: 513 }]), /do not fit/)
  assert.throws(() => build([{ visit_id: 257 }], [{ visit_id: 257, seq: 0 }], [{ visit_id: 257, seq: 1 }]), /does not fit/)
})

test('a column takes the least room its numbers need', () => {
  assert.ok(columnOf([]) instanceof Uint8Array)
  assert.ok(columnOf([0, 255]) instanceof Uint8Array)
  assert.ok(columnOf([256]) instanceof Uint16Array)
  assert.ok(columnOf([65_536]) instanceof Uint32Array)
  assert.ok(columnOf([-1]) instanceof Float64Array)
  assert.deepEqual([...columnOf([2 ** 40, 0.5])], [2 ** 40, 0.5])
})

test('a cached day is valid until its rev changes; a costly one may lag briefly; memory is bounded', () => {
  let now = 0
  const cache = openDayCache(10_000_000, () => now)
  const siteDay = (day: number, rev: number) => ({ day, rev, visitors: 1, startsAt: 0, endsAt: 1, sealed: false, moved: 0 })
  const columns = (bytes: number): Day => ({ ...build([], []), bytes })
  const cheap = columns(1_000_000)
  cache.set(1, siteDay(1, 1), { day: cheap, updateMs: 10 })
  assert.equal(cache.get(1, siteDay(1, 1))?.day, cheap)
  assert.equal(cache.get(2, siteDay(1, 1)), undefined)
  assert.equal(cache.get(1, siteDay(1, 2)), undefined)

  cache.set(1, siteDay(3, 1), { day: cheap, updateMs: 5_000 })
  assert.equal(cache.get(1, siteDay(3, 2)), undefined, 'a small day never lags, however slow the machine')

  const costly = columns(1_100_000)
  cache.set(1, siteDay(2, 1), { day: costly, updateMs: 30 })
  now = 599
  assert.equal(cache.get(1, siteDay(2, 2))?.day, costly)
  now = 600
  assert.equal(cache.get(1, siteDay(2, 2)), undefined)
  cache.set(1, siteDay(2, 1), { day: costly, updateMs: 5_000 })
  now = 1_600
  assert.equal(cache.get(1, siteDay(2, 2)), undefined)

  for (let day = 10; day < 30; day++) cache.set(1, siteDay(day, 1), { day: columns(2_000_000), updateMs: 1 })
  const left = Array.from({ length: 20 }, (_, i) => cache.get(1, siteDay(10 + i, 1))).filter(Boolean)
  assert.equal(left.length, 4)
  cache.set(1, siteDay(40, 1), { day: columns(20_000_000), updateMs: 1 })
  assert.equal(cache.get(1, siteDay(40, 1)), undefined)
})

test('where days do not fit, the columns that were not read for longest are dropped, and never columns of the current question', () => {
  const cache = openDayCache(100_000, () => 0)
  const days = Array.from({ length: 10 }, (_, day) => ({ day, rev: 1, visitors: 1, startsAt: 0, endsAt: 1, sealed: true, moved: 0 }))
  const zeros = Object.fromEntries(sumNames.map(name => [name, 0])) as unknown as Sums // every sum
  const shape = { parts: { visits: { count: 0 }, hits: { count: 0 }, props: { count: 0 }, vitals: {}, clicks: {} }, totals: zeros }
  /** Asks as a question does; returns how many columns were not in memory, of all days together. */
  function ask(bytes: number, ...names: ColumnName[]): number {
    const reads = columnsRead(...names)
    cache.begin()
    for (const day of days) cache.get(1, day, reads)
    let read = 0
    for (const day of days) {
      const sealed = cache.get(1, day, reads)?.sealed ?? openShape(day, shape)
      for (const number of reads.columns) {
        if (sealed.has('columns', number)) continue
        sealed.setColumn(number, new Uint8Array(bytes))
        cache.setSealed(1, day, sealed)
        read++
      }
      for (const number of reads.columns) assert.ok(sealed.has('columns', number), 'what the question reads stays')
    }
    return read
  }
  assert.equal(ask(2_000, 'visits.country', 'visits.browser', 'hits.page'), 30)
  assert.equal(ask(2_000, 'visits.country', 'visits.os'), 10, 'columns are shared')
  assert.equal(ask(2_000, 'visits.country', 'visits.person'), 10)
  assert.equal(ask(2_000, 'visits.country', 'visits.os'), 0, 'only columns of the first question were dropped')
  const again = ask(2_000, 'visits.country', 'visits.browser', 'hits.page')
  assert.ok(again > 0 && again < 20, `${again} of 20`)

  assert.equal(ask(3_000, 'hits.at', 'hits.event', 'hits.engaged', 'hits.scroll'), 40, 'more than fits')
  const lacking = ask(3_000, 'hits.at', 'hits.event', 'hits.engaged', 'hits.scroll')
  assert.ok(lacking > 0 && lacking < 20, `most of it stays: ${lacking} of 40`)
})

onEachEngine('days', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  before(async () => {
    database = await engine.create()
  })
  after(() => database.drop())

  const day = (date: string) => Date.parse(date) / DAY_MS
  const wholeDays = (zone: string, first: string, last = first): Span => ({
    fromDay: day(first),
    toDay: day(last),
    from: dayStart(zone, day(first)),
    to: dayStart(zone, day(last) + 1),
    whole: true,
  })
  const part = (zone: string, date: string, from: string, to: string): Span => ({
    ...wholeDays(zone, date),
    from: Date.parse(from),
    to: Date.parse(to),
    whole: false,
  })
  const counter = (site: number) => {
    const analytics = openEngine(database.store, { threads: 0, cacheBytes: 1_000_000 })
    return async (...spans: Span[]) => {
      const reply = await analytics.query({ site, where: [], goals: [], asked: { report: 'totals', series: spans.map(span => [span]) } })
      assert.ok(reply.report === 'totals')
      return reply.series.flat()
    }
  }

  test('every hit that was acknowledged is counted by the next question', async () => {
    const site = await addSite(database.store, 'UTC')
    const count = counter(site.number)
    for (let i = 1; i <= 5; i++) {
      await keep(database.store, [hit(site, { at: Date.parse('2026-05-05T12:00Z') + i * 1000, who: `v${i % 2}`, page: `/${i}` })])
      const [totals] = await count(wholeDays('UTC', '2026-05-05'))
      assert.deepEqual([totals?.pageviews, totals?.visitors], [i, Math.min(i, 2)])
    }
  })

  test('a range begins with its first instant and ends before its last', async () => {
    const site = await addSite(database.store, 'UTC')
    const at = (time: string) => Date.parse(`2026-05-05T${time}Z`)
    const times = ['10:00:00.000', '10:59:59.999', '11:00:00.000']
    const hits = times.map((time, i) => hit(site, { at: at(time), who: `v${i}`, revenue: i + 1, event: 'buy' }))
    await keep(database.store, hits)
    const [before, hour, next, both] = await counter(site.number)(
      part('UTC', '2026-05-05', '2026-05-05T09:00Z', '2026-05-05T10:00Z'),
      part('UTC', '2026-05-05', '2026-05-05T10:00Z', '2026-05-05T11:00Z'),
      part('UTC', '2026-05-05', '2026-05-05T11:00Z', '2026-05-05T12:00Z'),
      part('UTC', '2026-05-05', '2026-05-05T10:00Z', '2026-05-05T11:00:00.001Z'),
    )
    assert.deepEqual(
      [before, hour, next, both].map(sums => [sums?.visits, sums?.events, sums?.revenue]),
      [
        [0, 0, 0],
        [2, 2, 3],
        [1, 1, 3],
        [3, 3, 6],
      ],
    )
  })

  test('part of a visit brings its visitor, its own hits, and the bounce and duration of all of it', async () => {
    const site = await addSite(database.store, 'UTC')
    const at = (time: string) => Date.parse(`2026-05-05T${time}Z`)
    await keep(database.store, [hit(site, { at: at('10:50'), who: 'v' }), hit(site, { at: at('11:10'), who: 'v', page: '/b' })])
    const [sums] = await counter(site.number)(part('UTC', '2026-05-05', '2026-05-05T11:00Z', '2026-05-05T12:00Z'))
    assert.deepEqual(sums && [sums.visitors, sums.visits, sums.pageviews, sums.bounces, sums.duration], [1, 1, 1, 0, 20 * 60_000])
  })

  test('visitors of two days add up, a day that had none is none', async () => {
    const site = await addSite(database.store, 'Asia/Kathmandu')
    await keep(database.store, [
      hit(site, { at: Date.parse('2026-05-05T23:59:59+05:45'), who: 'v' }),
      hit(site, { at: Date.parse('2026-05-06T00:00:00+05:45'), who: 'v' }),
    ])
    const [both, first, none] = await counter(site.number)(
      wholeDays('Asia/Kathmandu', '2026-05-05', '2026-05-06'),
      wholeDays('Asia/Kathmandu', '2026-05-05'),
      wholeDays('Asia/Kathmandu', '2026-05-04'),
    )
    assert.deepEqual([both?.visitors, both?.visits, first?.visitors, none?.visitors], [2, 2, 1, 0])
  })

  test('after a site moved to another zone every hit is still counted once, by day and by the hour', async () => {
    const site = await addSite(database.store, 'America/Los_Angeles')
    const times = ['2026-05-05T06:30Z', '2026-05-05T20:00Z', '2026-05-06T06:30Z', '2026-05-06T20:00Z', '2026-05-07T20:00Z'].map(time =>
      Date.parse(time),
    )
    const hits = times.map((at, i) => hit({ ...site, timezone: i < 2 ? 'America/Los_Angeles' : 'Pacific/Auckland' }, { at, who: `v${i}` }))
    assert.equal((await keep(database.store, hits, 1)).length, 5)
    const count = counter(site.number)
    const zone = 'Pacific/Auckland'
    const days = ['2026-05-03', '2026-05-04', '2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08', '2026-05-09'].map(date =>
      wholeDays(zone, date),
    )
    assert.equal(
      (await count(...days)).reduce((sum, { pageviews }) => sum + pageviews, 0),
      5,
    )
    for (const at of times) {
      const local = Math.floor((at + 12 * 3_600_000) / DAY_MS)
      const [sums] = await count({ from: at, to: at + 1, fromDay: local, toDay: local, whole: false })
      assert.equal(sums?.pageviews, 1, new Date(at).toISOString())
    }
  })
})

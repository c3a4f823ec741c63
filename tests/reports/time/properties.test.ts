/** Properties of periods, comparisons and buckets in every zone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../support/properties.ts'
import { alignBuckets } from '../../../operations/reports/stats/time/align.ts'
import { buckets } from '../../../operations/reports/stats/time/buckets.ts'
import { weekday } from '../../../operations/reports/stats/time/calendar.ts'
import { COMPARISONS, resolveComparison, type ComparisonInput } from '../../../operations/reports/stats/time/comparison.ts'
import { INTERVALS, MAX_POINTS, resolveInterval } from '../../../operations/reports/stats/time/interval.ts'
import { PERIODS, resolvePeriod } from '../../../operations/reports/stats/time/period.ts'
import { wholeDays, type Range } from '../../../operations/reports/stats/time/range.ts'
import { resolveTime } from '../../../operations/reports/stats/time/resolve.ts'
import { dateOf, dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { BERLIN, at, site, value, day } from './ranges.ts'

describe('properties', () => {
  const zones = [
    BERLIN,
    'UTC',
    'America/New_York',
    'America/Sao_Paulo',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
    'Pacific/Kwajalein',
    'Africa/Monrovia',
    'Asia/Tehran',
  ]
  const zone = fc.constantFrom(...zones)
  const dayNumber = fc.integer({ min: 0, max: day('2999-12-31') })
  const recentDay = fc.integer({ min: 0, max: day('2040-01-01') })
  const now = fc.integer({ min: 5 * 366 * DAY_MS, max: at('2040-01-01T00:00:00Z') })
  const weekStart = fc.integer({ min: 1, max: 7 })
  const period = fc.constantFrom(...PERIODS.filter(name => name !== 'custom'))
  const ranges = fc.oneof(
    fc.tuple(recentDay, fc.integer({ min: 0, max: 800 })).map(([from, length]) => ({ from, length })),
    fc.tuple(period, now).map(([name, instant]) => ({ name, instant })),
  )
  const resolve = (where: string, asked: { from: number; length: number } | { name: (typeof PERIODS)[number]; instant: number }) =>
    'from' in asked
      ? wholeDays(where, { fromDay: asked.from, toDay: asked.from + asked.length })
      : value(resolvePeriod({ period: asked.name }, { zone: where, now: asked.instant, firstHitAt: null }))

  const check = <T extends [unknown, ...unknown[]]>(property: fc.IProperty<T>, numRuns = 200) => fc.assert(property, { numRuns })

  test('the day that begins at a day’s start is that day, unless it does not exist', () => {
    check(
      fc.property(zone, dayNumber, (where, number) => {
        const [start, end] = [dayStart(where, number), dayStart(where, number + 1)]
        if (start < end) assert.deepEqual(localDay(where, start), { day: number, startsAt: start, endsAt: end })
        else assert.ok(localDay(where, start).day > number)
      }),
      1000,
    )
  })

  test('every instant lies in its day', () => {
    check(
      fc.property(zone, fc.integer({ min: 0, max: 32e12 }), (where, instant) => {
        const { startsAt, endsAt } = localDay(where, instant)
        assert.ok(startsAt <= instant && instant < endsAt)
      }),
      1000,
    )
  })

  test('buckets tile the range exactly, within the limit', () => {
    check(
      fc.property(zone, ranges, fc.constantFrom(...INTERVALS), weekStart, (where, asked, interval, first) => {
        const range = resolve(where, asked)
        if (!resolveInterval(interval, range).ok) return
        const series = buckets({ range, interval, zone: where, weekStart: first })
        assert.ok(series.length <= MAX_POINTS)
        let end = range.from
        for (const bucket of series) {
          assert.equal(bucket.from, end)
          assert.ok(bucket.to > bucket.from)
          assert.ok(bucket.fromDay >= range.fromDay && bucket.toDay <= range.toDay && bucket.fromDay <= bucket.toDay)
          end = bucket.to
        }
        assert.equal(end, range.to)
      }),
    )
  })

  const kinds = fc.constantFrom(...COMPARISONS.filter(name => name !== 'none'))
  const comparing = fc.tuple(kinds, recentDay, fc.integer({ min: 0, max: 400 })).map(([kind, from, length]) => ({
    compare: kind,
    ...(kind === 'custom' && { compare_from: dateOf(from), compare_to: dateOf(from + length) }),
  }))
  const late = at('2999-01-01T00:00:00Z')
  const compare = (where: string, range: Range, asked: ComparisonInput) =>
    value(resolveComparison(asked, range, { zone: where, now: late }))

  test('a comparison on the same weekday begins on it and never overlaps the range', () => {
    check(
      fc.property(zone, ranges, comparing, (where, asked, kind) => {
        const range = resolve(where, asked)
        const comparison = compare(where, range, { ...kind, match_weekday: true })
        assert.ok(comparison)
        assert.ok(comparison.to <= range.from || comparison.from >= range.to)
        if (range.span !== 'hours' || kind.compare === 'custom') assert.equal(weekday(comparison.fromDay), weekday(range.fromDay))
        const unmatched = compare(where, range, kind)
        assert.ok(unmatched && (unmatched.from >= range.to || comparison.to <= range.from))
      }),
      500,
    )
  })

  test('a comparison has as many points as its series, in order and inside its range', () => {
    check(
      fc.property(
        zone,
        ranges,
        comparing,
        fc.boolean(),
        fc.constantFrom('auto', ...INTERVALS),
        weekStart,
        (where, asked, kind, same, choice, first) => {
          const range = resolve(where, asked)
          const interval = resolveInterval(choice, range)
          const comparison = compare(where, range, { ...kind, match_weekday: same })
          if (!interval.ok || !comparison) return
          const main = buckets({ range, interval: interval.value, zone: where, weekStart: first })
          const other = alignBuckets({ main, comparison, interval: interval.value, zone: where, weekStart: first })
          assert.equal(other.length, main.length)
          let end = comparison.from
          for (const bucket of other) {
            if (!bucket) continue
            assert.ok(bucket.from >= end && bucket.to > bucket.from && bucket.to <= comparison.to)
            end = bucket.to
          }
        },
      ),
    )
  })

  test('any text for a date is a range or a fault, never a throw', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\d$/), fc.constant(undefined))
    check(
      fc.property(text, text, fc.constantFrom(...PERIODS), (from, to, name) => {
        resolveTime(
          { period: name, from, to, compare: 'custom', compare_from: to, compare_to: from },
          site(BERLIN, '2026-11-20T10:00:00+01:00'),
        )
      }),
      500,
    )
  })
})

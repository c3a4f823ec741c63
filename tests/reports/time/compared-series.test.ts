/** The series of a comparison, point by point with the main series. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startCpuTimer } from '../../support/cpu.ts'
import { alignBuckets } from '../../../operations/reports/stats/time/align.ts'
import { buckets } from '../../../operations/reports/stats/time/buckets.ts'
import { resolveTime, type TimeInput } from '../../../operations/reports/stats/time/resolve.ts'
import { dateOf, dayStart } from '../../../storage/calendar/zones.ts'
import { HOUR, BERLIN, site, value, day } from './ranges.ts'

describe('a comparison with its series', () => {
  const beside = (asked: TimeInput, now: string, zone = BERLIN) => {
    const { range, comparison, interval } = value(resolveTime(asked, site(zone, now)))
    assert.ok(comparison)
    const main = buckets({ range, interval, zone })
    return { main, other: alignBuckets({ main, comparison, interval, zone }) }
  }
  const dates = (series: { fromDay: number; toDay: number }[]) => series.map(({ fromDay, toDay }) => `${dateOf(fromDay)}–${dateOf(toDay)}`)

  test('a shorter month leaves the last points without a partner', () => {
    const { other } = beside({ period: 'mtd', compare: 'previous_period' }, '2026-03-31T10:00:00+02:00')
    assert.equal(other.length, 31)
    assert.deepEqual(other.map(bucket => bucket === null).indexOf(true), 28)
  })

  test('days beyond the series are left out', () => {
    const { main, other } = beside({ period: 'last_month', compare: 'previous_year' }, '2025-03-10T10:00:00+01:00')
    assert.equal(main.length, 28)
    assert.equal(dateOf(other[27]?.toDay ?? 0), '2024-02-28')
  })

  test('months of the year before are calendar months', () => {
    const { main, other } = beside({ period: '12mo', compare: 'previous_year' }, '2025-02-10T10:00:00+01:00')
    assert.equal(main.length, 12)
    const compared = dates(other.filter(bucket => bucket !== null))
    assert.equal(compared[0], '2023-03-01–2023-03-31')
    assert.equal(compared[11], '2024-02-01–2024-02-10')
  })

  test('12mo compares each month with the month 12 months earlier, the last one cut at the same elapsed part', () => {
    const { main, other } = beside({ period: '12mo', compare: 'previous_period' }, '2026-11-20T10:00:00+01:00')
    const compared = other.filter(bucket => bucket !== null)
    assert.equal(main.length, 12)
    assert.deepEqual(dates(compared).slice(0, 3), ['2024-12-01–2024-12-31', '2025-01-01–2025-01-31', '2025-02-01–2025-02-28'])
    assert.equal(dates(compared)[11], '2025-11-01–2025-11-20')
    assert.deepEqual(compared.map(({ partial }) => partial).indexOf(true), 11)
  })

  test('a range without a calendar month compares with the same number of days', () => {
    const asked = { period: 'custom', from: '2025-12-01', to: '2026-02-28', compare: 'custom', interval: 'month' } as const
    const dated = { ...asked, compare_from: '2025-08-11', compare_to: '2025-11-30' }
    const { main, other } = beside(dated, '2026-11-20T10:00:00+01:00')
    const compared = other.filter(bucket => bucket !== null)
    assert.deepEqual(
      compared.map(({ fromDay, toDay }) => toDay - fromDay),
      main.map(({ fromDay, toDay }) => toDay - fromDay),
    )
    assert.deepEqual(dates(compared), ['2025-08-11–2025-09-10', '2025-09-11–2025-10-11', '2025-10-12–2025-11-08'])
  })

  const lastHours: [zone: string, now: string, compared: string][] = [
    [BERLIN, '2026-11-20T14:04:30+01:00', '2026-11-10'],
    [BERLIN, '2026-10-26T01:29:30+01:00', '2026-10-10'],
    [BERLIN, '2026-11-20T14:04:30+01:00', '2026-10-25'],
    ['Asia/Kathmandu', '2026-11-20T14:04:30+05:45', '2024-02-29'],
    ['Australia/Lord_Howe', '2026-04-05T14:04:30+10:30', '2026-01-01'],
    ['Australia/Lord_Howe', '2026-11-20T14:04:30+11:00', '2026-04-05'],
    ['Pacific/Chatham', '2027-01-01T00:10:00+13:45', '2026-12-01'],
  ]
  for (const [zone, now, date] of lastHours) {
    for (const interval of ['hour', 'minute'] as const) {
      test(`the last 24 hours by ${interval} compared with ${date} in ${zone} at ${now} omit no point`, () => {
        const { main, other } = beside({ period: '24h', compare: 'custom', compare_from: date, compare_to: date, interval }, now, zone)
        const begins = dayStart(zone, day(date))
        let end = begins
        for (const [i, bucket] of other.entries()) {
          const own = main[i]
          assert.ok(bucket && own)
          assert.equal(bucket.from, end)
          assert.deepEqual([bucket.from - begins, bucket.to - begins], [own.from - (main[0]?.from ?? 0), own.to - (main[0]?.from ?? 0)])
          end = bucket.to
        }
        assert.equal(end - begins, 24 * HOUR)
      })
    }
  }

  test('the last 24 hours compared with a day of 23 hours: the missing hour has no counterpart', () => {
    const { other } = beside(
      { period: '24h', compare: 'custom', compare_from: '2026-03-29', compare_to: '2026-03-29', interval: 'hour' },
      '2026-11-20T13:59:30+01:00',
    )
    assert.deepEqual([other.length, other.filter(bucket => bucket !== null).length, other.at(-1)], [24, 23, null])
  })

  test('the hour one day lacks does not shift the days after it', () => {
    const { main, other } = beside(
      {
        period: 'custom',
        from: '2026-04-05',
        to: '2026-04-06',
        compare: 'custom',
        compare_from: '2026-03-29',
        compare_to: '2026-03-30',
        interval: 'hour',
      },
      '2026-11-20T10:00:00+01:00',
    )
    assert.equal(main.length, 48)
    assert.equal(other[23], null)
    assert.equal(other[24]?.label, '2026-03-30T00:00:00+02:00')
  })

  test('a day that does not exist does not shift the days after it', () => {
    const { main, other } = beside(
      { period: 'custom', from: '2011-12-29', to: '2012-01-01', compare: 'previous_period', interval: 'day' },
      '2012-01-05T10:00:00+14:00',
      'Pacific/Apia',
    )
    assert.deepEqual(dates(main), ['2011-12-29–2011-12-29', '2011-12-31–2011-12-31', '2012-01-01–2012-01-01'])
    assert.deepEqual(
      other.map(bucket => bucket?.label.slice(0, 10)),
      ['2011-12-25', '2011-12-27', '2011-12-28'],
    )
  })

  test('24 hours compare with 24 hours across a clock change', () => {
    const { main, other } = beside({ period: '24h', compare: 'previous_period' }, '2026-10-26T14:04:30+01:00')
    assert.equal(other.length, main.length)
    assert.ok(!other.includes(null))
  })

  test('a comparison of a century with one day by minute costs one day', () => {
    const asked = {
      period: 'yesterday',
      interval: 'minute',
      compare: 'custom',
      compare_from: '1970-01-01',
      compare_to: '2026-11-19',
    } as const
    const fastest = (given: Parameters<typeof beside>[0]) => {
      const times = Array.from({ length: 5 }, () => {
        const cpu = startCpuTimer()
        assert.equal(beside(given, '2026-11-20T10:00:00+01:00').other.length, 1440)
        return cpu.taken()
      })
      return Math.min(...times)
    }
    const day = fastest({ ...asked, compare_from: '2026-11-18', compare_to: '2026-11-18' })
    const century = fastest(asked) // 20,000 times as long
    assert.ok(century < 100 * Math.max(day, 1), `${century} ms, and ${day} ms beside one day`)
  })
})

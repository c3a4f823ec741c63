import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startCpuTimer } from '../support/cpu.ts'
import fc from '../support/properties.ts'
import { alignBuckets } from '../../operations/reports/stats/time/align.ts'
import { buckets } from '../../operations/reports/stats/time/buckets.ts'
import { daysSince, startOf, weekday, yearBefore } from '../../operations/reports/stats/time/calendar.ts'
import { COMPARISONS, resolveComparison, type ComparisonInput } from '../../operations/reports/stats/time/comparison.ts'
import type { Resolved } from '../../operations/reports/stats/time/faults.ts'
import { INTERVALS, MAX_POINTS, resolveInterval } from '../../operations/reports/stats/time/interval.ts'
import { localTime } from '../../operations/reports/stats/time/label.ts'
import { PERIODS, resolvePeriod } from '../../operations/reports/stats/time/period.ts'
import { coversWholeDays, wholeDays, type Range } from '../../operations/reports/stats/time/range.ts'
import { resolveTime, type TimeInput } from '../../operations/reports/stats/time/resolve.ts'
import { canonicalZone, DAY_MS, dateOf, dayOf, dayStart, isZone, localDay } from '../../storage/calendar/zones.ts'

const HOUR = 3_600_000
const BERLIN = 'Europe/Berlin'

const at = (iso: string): number => Date.parse(iso)
const site = (zone: string, now: string, firstHit?: string) => ({
  zone,
  now: at(now),
  firstHitAt: firstHit === undefined ? null : at(firstHit),
})

const value = <T>(outcome: Resolved<T>): T => {
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.value
}
const faults = (outcome: Resolved<unknown>): string[] => {
  assert.ok(!outcome.ok, 'expected faults')
  return outcome.faults.map(({ field, code }) => `${field} ${code}`)
}
const day = (date: string): number => {
  const number = dayOf(date)
  assert.ok(number !== null, date)
  return number
}
const days = (zone: string, from: string, to = from): Range => wholeDays(zone, { fromDay: day(from), toDay: day(to) })

/** `2026-11-20T00:00+01:00 → …`, both ends in local time. */
const shown = (zone: string, { from, to }: { from: number; to: number }): string =>
  [from, to].map(ms => localTime(zone, ms).replace(':00+', '+').replace(':00-', '-')).join(' → ')

describe('local days', () => {
  const lengths: [zone: string, date: string, hours: number, begins: string][] = [
    [BERLIN, '2026-11-20', 24, '2026-11-20T00:00:00+01:00'],
    [BERLIN, '2026-03-29', 23, '2026-03-29T00:00:00+01:00'],
    [BERLIN, '2026-10-25', 25, '2026-10-25T00:00:00+02:00'],
    ['America/New_York', '2026-03-08', 23, '2026-03-08T00:00:00-05:00'],
    ['America/New_York', '2026-11-01', 25, '2026-11-01T00:00:00-04:00'],
    ['Australia/Lord_Howe', '2026-04-05', 24.5, '2026-04-05T00:00:00+11:00'],
    ['Australia/Lord_Howe', '2026-10-04', 23.5, '2026-10-04T00:00:00+10:30'],
    ['Pacific/Chatham', '2026-04-05', 25, '2026-04-05T00:00:00+13:45'],
    ['Pacific/Chatham', '2026-09-27', 23, '2026-09-27T00:00:00+12:45'],
    ['Asia/Kathmandu', '2026-11-20', 24, '2026-11-20T00:00:00+05:45'],
    ['Asia/Kathmandu', '1986-01-01', 23.75, '1986-01-01T00:15:00+05:45'],
    ['America/Sao_Paulo', '2018-11-04', 23, '2018-11-04T01:00:00-02:00'],
    ['America/Sao_Paulo', '2018-02-17', 25, '2018-02-17T00:00:00-02:00'],
    ['Pacific/Apia', '2011-12-29', 24, '2011-12-29T00:00:00-10:00'],
    ['Pacific/Apia', '2011-12-30', 0, '2011-12-31T00:00:00+14:00'],
    ['Pacific/Apia', '2011-12-31', 24, '2011-12-31T00:00:00+14:00'],
    ['America/St_Johns', '2010-11-07', 25, '2010-11-07T00:00:00-02:30'],
    ['UTC', '1970-01-01', 24, '1970-01-01T00:00:00+00:00'],
    [BERLIN, '2999-12-31', 24, '2999-12-31T00:00:00+01:00'],
  ]
  for (const [zone, date, hours, begins] of lengths) {
    test(`${date} in ${zone} has ${hours} hours and begins at ${begins}`, () => {
      const [start, end] = [dayStart(zone, day(date)), dayStart(zone, day(date) + 1)]
      assert.equal((end - start) / HOUR, hours)
      assert.equal(localTime(zone, start), begins)
    })
  }

  test('an instant at the boundary belongs to the day that begins, the one before to the day that ends', () => {
    const midnight = at('2026-11-20T00:00:00+01:00')
    assert.equal(dateOf(localDay(BERLIN, midnight).day), '2026-11-20')
    assert.equal(dateOf(localDay(BERLIN, midnight - 1).day), '2026-11-19')
    assert.deepEqual(localDay(BERLIN, midnight), {
      day: day('2026-11-20'),
      startsAt: midnight,
      endsAt: midnight + DAY_MS,
    })
  })

  test('the instant after 2011-12-29 in Apia is 2011-12-31', () => {
    const end = dayStart('Pacific/Apia', day('2011-12-30'))
    assert.equal(dateOf(localDay('Pacific/Apia', end - 1).day), '2011-12-29')
    assert.equal(dateOf(localDay('Pacific/Apia', end).day), '2011-12-31')
  })

  test('a clock set back over midnight does not reopen the day that closed', () => {
    const twiceEleven = at('2010-11-06T23:30:00-03:30')
    assert.equal(dateOf(localDay('America/St_Johns', twiceEleven).day), '2010-11-07')
    assert.equal(dateOf(localDay('America/St_Johns', at('2010-11-06T23:30:00-02:30')).day), '2010-11-06')
  })

  test('dates that do not exist have no number', () => {
    const wrong = [
      '2026-02-30',
      '2025-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '2026-11-20T00:00',
      ' 2026-11-20',
      '2026-11-20\n',
      '+02026-11-20',
      '-00001-01-01',
      '',
      'today',
      '２０２６-11-20',
    ]
    for (const date of wrong) assert.equal(dayOf(date), null, date)
    assert.equal(dayOf('1970-01-01'), 0)
    assert.equal(dateOf(day('2024-02-29')), '2024-02-29')
  })

  test('zone names are taken in any case and given back in their own; links stay', () => {
    assert.equal(canonicalZone('europe/berlin'), BERLIN)
    assert.equal(canonicalZone('AMERICA/PORT-AU-PRINCE'), 'America/Port-au-Prince')
    assert.equal(canonicalZone('etc/gmt+5'), 'Etc/GMT+5')
    assert.equal(canonicalZone('utc'), 'UTC')
    assert.equal(canonicalZone('us/eastern'), 'US/Eastern')
  })

  test('an unknown IANA name is not a zone, and only reading the time in it throws', () => {
    const wrong = [
      '',
      'Z',
      '+01:00',
      '-0500',
      'Europe/Nowhere',
      'Europe/Berlin ',
      '2026-01-01T00:00[Europe/Berlin]',
      'Europe/Berlin[u-ca=iso8601]',
      'SystemV/EST5',
      '../etc/passwd',
      'a'.repeat(1e6),
      'Asia/Ｔokyo',
      '\0',
    ]
    for (const name of wrong) assert.equal(isZone(name), false, name.slice(0, 40))
    assert.throws(() => localDay('Europe/Nowhere', 0), RangeError)
    for (const instant of [NaN, Infinity, -Infinity, 9e15]) assert.throws(() => localDay(BERLIN, instant), RangeError)
  })
})

describe('calendar', () => {
  test('weekdays, and units counted from their first day', () => {
    assert.equal(weekday(0), 4)
    assert.equal(weekday(day('2026-11-20')), 5)
    assert.equal(daysSince(1, day('2026-11-20')), 4)
    assert.equal(dateOf(startOf({ unit: 'week', day: day('2026-11-20') })), '2026-11-16')
    assert.equal(dateOf(startOf({ unit: 'week', day: day('2026-11-20'), by: 1, weekStart: 7 })), '2026-11-22')
    assert.equal(dateOf(startOf({ unit: 'month', day: day('2026-01-31'), by: -1 })), '2025-12-01')
    assert.equal(dateOf(startOf({ unit: 'quarter', day: day('2026-11-20'), by: 1 })), '2027-01-01')
    assert.equal(dateOf(startOf({ unit: 'year', day: day('1969-07-20') })), '1969-01-01')
  })

  test('a year before 29 February is the 28th', () => {
    assert.equal(dateOf(yearBefore(day('2024-02-29'))), '2023-02-28')
    assert.equal(dateOf(yearBefore(day('2025-02-28'))), '2024-02-28')
    assert.equal(dateOf(yearBefore(day('2025-03-01'))), '2024-03-01')
  })
})

describe('periods', () => {
  const table: [zone: string, now: string, rows: Readonly<Record<string, string>>][] = [
    [
      BERLIN,
      '2026-11-20T14:04:30+01:00',
      {
        today: '2026-11-20T00:00+01:00 → 2026-11-20T14:05+01:00',
        yesterday: '2026-11-19T00:00+01:00 → 2026-11-20T00:00+01:00',
        '24h': '2026-11-19T14:05+01:00 → 2026-11-20T14:05+01:00',
        '7d': '2026-11-14T00:00+01:00 → 2026-11-20T14:05+01:00',
        '14d': '2026-11-07T00:00+01:00 → 2026-11-20T14:05+01:00',
        '28d': '2026-10-24T00:00+02:00 → 2026-11-20T14:05+01:00',
        '30d': '2026-10-22T00:00+02:00 → 2026-11-20T14:05+01:00',
        '90d': '2026-08-23T00:00+02:00 → 2026-11-20T14:05+01:00',
        this_week: '2026-11-16T00:00+01:00 → 2026-11-20T14:05+01:00',
        last_week: '2026-11-09T00:00+01:00 → 2026-11-16T00:00+01:00',
        mtd: '2026-11-01T00:00+01:00 → 2026-11-20T14:05+01:00',
        this_month: '2026-11-01T00:00+01:00 → 2026-11-20T14:05+01:00',
        last_month: '2026-10-01T00:00+02:00 → 2026-11-01T00:00+01:00',
        qtd: '2026-10-01T00:00+02:00 → 2026-11-20T14:05+01:00',
        last_quarter: '2026-07-01T00:00+02:00 → 2026-10-01T00:00+02:00',
        ytd: '2026-01-01T00:00+01:00 → 2026-11-20T14:05+01:00',
        this_year: '2026-01-01T00:00+01:00 → 2026-11-20T14:05+01:00',
        '12mo': '2025-12-01T00:00+01:00 → 2026-11-20T14:05+01:00',
        last_year: '2025-01-01T00:00+01:00 → 2026-01-01T00:00+01:00',
        '2026': '2026-01-01T00:00+01:00 → 2026-11-20T14:05+01:00',
        '2025': '2025-01-01T00:00+01:00 → 2026-01-01T00:00+01:00',
        '2026-11': '2026-11-01T00:00+01:00 → 2026-11-20T14:05+01:00',
        '2026-10': '2026-10-01T00:00+02:00 → 2026-11-01T00:00+01:00',
        '2024-02': '2024-02-01T00:00+01:00 → 2024-03-01T00:00+01:00',
        '2026-Q4': '2026-10-01T00:00+02:00 → 2026-11-20T14:05+01:00',
        '2026-Q1': '2026-01-01T00:00+01:00 → 2026-04-01T00:00+02:00',
        '2026-W47': '2026-11-16T00:00+01:00 → 2026-11-20T14:05+01:00',
        '2026-W01': '2025-12-29T00:00+01:00 → 2026-01-05T00:00+01:00',
        '2020-W53': '2020-12-28T00:00+01:00 → 2021-01-04T00:00+01:00',
        all: '2026-11-20T00:00+01:00 → 2026-11-20T14:05+01:00',
      },
    ],
    // The long day, in its second 02:30.
    [
      BERLIN,
      '2026-10-25T02:30:00+01:00',
      {
        today: '2026-10-25T00:00+02:00 → 2026-10-25T02:31+01:00',
        yesterday: '2026-10-24T00:00+02:00 → 2026-10-25T00:00+02:00',
        '24h': '2026-10-24T03:31+02:00 → 2026-10-25T02:31+01:00',
        '7d': '2026-10-19T00:00+02:00 → 2026-10-25T02:31+01:00',
      },
    ],
    [
      'America/New_York',
      '2026-03-08T03:10:00-04:00',
      {
        today: '2026-03-08T00:00-05:00 → 2026-03-08T03:11-04:00',
        '24h': '2026-03-07T02:11-05:00 → 2026-03-08T03:11-04:00',
        mtd: '2026-03-01T00:00-05:00 → 2026-03-08T03:11-04:00',
      },
    ],
    [
      'America/New_York',
      '2026-11-02T09:00:00-05:00',
      {
        yesterday: '2026-11-01T00:00-04:00 → 2026-11-02T00:00-05:00',
        mtd: '2026-11-01T00:00-04:00 → 2026-11-02T09:01-05:00',
        '7d': '2026-10-27T00:00-04:00 → 2026-11-02T09:01-05:00',
      },
    ],
    // The leap day.
    [
      'Asia/Kathmandu',
      '2024-02-29T23:59:30+05:45',
      {
        today: '2024-02-29T00:00+05:45 → 2024-03-01T00:00+05:45',
        mtd: '2024-02-01T00:00+05:45 → 2024-03-01T00:00+05:45',
        '12mo': '2023-03-01T00:00+05:45 → 2024-03-01T00:00+05:45',
        last_month: '2024-01-01T00:00+05:45 → 2024-02-01T00:00+05:45',
      },
    ],
    // The first instant of a year.
    [
      'Pacific/Chatham',
      '2027-01-01T00:00:00+13:45',
      {
        today: '2027-01-01T00:00+13:45 → 2027-01-01T00:01+13:45',
        yesterday: '2026-12-31T00:00+13:45 → 2027-01-01T00:00+13:45',
        '24h': '2026-12-31T00:01+13:45 → 2027-01-01T00:01+13:45',
        mtd: '2027-01-01T00:00+13:45 → 2027-01-01T00:01+13:45',
        qtd: '2027-01-01T00:00+13:45 → 2027-01-01T00:01+13:45',
        ytd: '2027-01-01T00:00+13:45 → 2027-01-01T00:01+13:45',
        last_month: '2026-12-01T00:00+13:45 → 2027-01-01T00:00+13:45',
        last_quarter: '2026-10-01T00:00+13:45 → 2027-01-01T00:00+13:45',
        last_year: '2026-01-01T00:00+13:45 → 2027-01-01T00:00+13:45',
        '12mo': '2026-02-01T00:00+13:45 → 2027-01-01T00:01+13:45',
      },
    ],
    [
      'Australia/Lord_Howe',
      '2026-04-06T12:00:00+10:30',
      {
        yesterday: '2026-04-05T00:00+11:00 → 2026-04-06T00:00+10:30',
        '7d': '2026-03-31T00:00+11:00 → 2026-04-06T12:01+10:30',
      },
    ],
    [
      'Pacific/Apia',
      '2011-12-31T10:00:00+14:00',
      {
        today: '2011-12-31T00:00+14:00 → 2011-12-31T10:01+14:00',
        yesterday: '2011-12-29T00:00-10:00 → 2011-12-31T00:00+14:00',
        '24h': '2011-12-29T10:01-10:00 → 2011-12-31T10:01+14:00',
      },
    ],
    [
      'America/Sao_Paulo',
      '2018-11-04T10:00:00-02:00',
      {
        today: '2018-11-04T01:00-02:00 → 2018-11-04T10:01-02:00',
        yesterday: '2018-11-03T00:00-03:00 → 2018-11-04T01:00-02:00',
      },
    ],
  ]
  for (const [zone, now, rows] of table) {
    for (const [period, expected] of Object.entries(rows)) {
      test(`${period} in ${zone} at ${now}`, () => {
        const range = value(resolvePeriod({ period }, site(zone, now)))
        assert.equal(shown(zone, range), expected)
        assert.equal(range.fromDay, localDay(zone, range.from).day)
        assert.equal(range.toDay, localDay(zone, range.to - 1).day)
        assert.equal(range.elapsed, range.toDay === localDay(zone, at(now)).day)
        assert.equal(coversWholeDays(zone, range), period !== '24h')
      })
    }
  }

  test('a week begins on the weekday of the site; an ISO week on Monday', () => {
    const sunday = { ...site(BERLIN, '2026-11-20T14:04:30+01:00'), weekStart: 7 }
    const week = (period: string) => shown(BERLIN, value(resolvePeriod({ period }, sunday)))
    assert.equal(week('this_week'), '2026-11-15T00:00+01:00 → 2026-11-20T14:05+01:00')
    assert.equal(week('last_week'), '2026-11-08T00:00+01:00 → 2026-11-15T00:00+01:00')
    assert.equal(week('2026-W46'), '2026-11-09T00:00+01:00 → 2026-11-16T00:00+01:00')
  })

  test('calendar periods in the future, before 1970, or that no calendar has, are refused', () => {
    const clock = site(BERLIN, '2026-11-20T14:04:30+01:00')
    const refusal = (period: string) => faults(resolvePeriod({ period }, clock))
    for (const period of ['2027', '2026-12', '2026-W48', '2027-Q1', '9999']) assert.deepEqual(refusal(period), ['period too_large'], period)
    for (const period of ['1969', '0000', '0070', '1970-W01']) assert.deepEqual(refusal(period), ['period too_small'], period)
    assert.deepEqual(refusal('2025-W53'), ['period invalid_format'])
    assert.deepEqual(faults(resolvePeriod({ period: '2026-10', from: '2026-10-01' }, clock)), ['from mismatch'])
  })

  test('30d is the default', () => {
    const clock = site(BERLIN, '2026-11-20T14:00:00Z')
    assert.deepEqual(resolvePeriod({}, clock), resolvePeriod({ period: '30d' }, clock))
  })

  test('today ends with the day where a zone keeps seconds', () => {
    const clock = site('Africa/Monrovia', '1971-06-01T00:44:10Z')
    assert.equal(value(resolvePeriod({ period: 'today' }, clock)).to, at('1971-06-01T00:44:30Z'))
  })

  test('all begins on the local day of the first hit, and never after now', () => {
    const from = (firstHit: string) =>
      value(resolvePeriod({ period: 'all' }, site('America/New_York', '2026-11-20T14:00:00Z', firstHit))).fromDay
    assert.equal(dateOf(from('2024-05-05T02:00:00Z')), '2024-05-04')
    assert.equal(dateOf(from('2031-01-01T00:00:00Z')), '2026-11-20')
  })

  test('custom is the days asked for, whole, the last included; today as far as it has come', () => {
    const custom = { period: 'custom', from: '2026-10-24', to: '2026-10-25' } as const
    const range = value(resolvePeriod(custom, site(BERLIN, '2026-10-26T00:00:00+01:00')))
    assert.equal(shown(BERLIN, range), '2026-10-24T00:00+02:00 → 2026-10-26T00:00+01:00')
    assert.equal(range.elapsed, false)
    assert.ok(coversWholeDays(BERLIN, range))
    const meanwhile = value(resolvePeriod(custom, site(BERLIN, '2026-10-25T12:00:00+01:00')))
    assert.equal(shown(BERLIN, meanwhile), '2026-10-24T00:00+02:00 → 2026-10-25T12:01+01:00')
    assert.equal(meanwhile.elapsed, true)
    assert.ok(coversWholeDays(BERLIN, meanwhile))
    const hours = buckets({ range: meanwhile, interval: 'day', zone: BERLIN }).map(({ partial }) => partial)
    assert.deepEqual(hours, [false, true])
  })
})

describe('faults', () => {
  const clock = site(BERLIN, '2026-11-20T14:04:30+01:00')
  const custom = (from?: string, to?: string): TimeInput => ({ period: 'custom', from, to })
  const table: [name: string, asked: TimeInput, expected: string[]][] = [
    ['custom without dates', custom(), ['from required', 'to required']],
    ['custom with one date', custom('2026-01-01'), ['to required']],
    ['dates that do not exist', custom('2026-02-30', 'now'), ['from invalid_format', 'to invalid_format']],
    ['dates out of bounds', custom('1969-12-31', '3000-01-01'), ['from too_small', 'to too_large']],
    ['from after to', custom('2026-05-02', '2026-05-01'), ['to too_small']],
    ['more than 100 years', custom('2000-01-01', '2100-01-01'), ['to too_large']],
    ['dates without custom', { period: '7d', from: '2026-01-01' }, ['from mismatch']],
    ['compare=custom without dates', { compare: 'custom' }, ['compare_from required', 'compare_to required']],
    [
      'comparison dates without custom',
      { compare_from: '2026-01-01', compare_to: '2026-01-02' },
      ['compare_from mismatch', 'compare_to mismatch'],
    ],
    [
      'faults of both ranges',
      { ...custom('x', '2026-01-01'), compare: 'custom', compare_from: '2026-01-01' },
      ['from invalid_format', 'compare_to required'],
    ],
    ['too fine an interval', { period: '30d', interval: 'minute' }, ['interval too_large']],
    [
      'comparison and interval',
      { period: '90d', interval: 'hour', compare: 'custom', compare_from: '2026-01-01' },
      ['compare_to required', 'interval too_large'],
    ],
  ]
  for (const [name, asked, expected] of table) {
    test(name, () => assert.deepEqual(faults(resolveTime(asked, clock)), expected))
  }

  test('a hundred years less a day are allowed, and leap days are real', () => {
    value(resolveTime(custom('2000-01-01', '2099-12-31'), site(BERLIN, '2999-12-31T12:00:00+01:00')))
    value(resolveTime(custom('2024-02-29', '2024-02-29'), clock))
    value(resolveTime(custom('1970-01-01', '1970-01-01'), clock))
    value(resolveTime(custom('2999-12-31', '2999-12-31'), site(BERLIN, '2999-12-31T12:00:00+01:00')))
  })

  const future: [zone: string, now: string, today: string][] = [
    [BERLIN, '2026-11-20T23:59:59+01:00', '2026-11-20'],
    ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01-01'],
    ['Asia/Kathmandu', '2026-12-31T18:14:59Z', '2026-12-31'],
    ['Australia/Lord_Howe', '2026-10-03T13:30:00Z', '2026-10-04'],
    ['Pacific/Pago_Pago', '2024-03-01T10:59:59Z', '2024-02-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
  ]
  for (const [zone, now, today] of future) {
    test(`after ${today} is the future in ${zone} at ${now}`, () => {
      const tomorrow = dateOf(day(today) + 1)
      value(resolveTime(custom(today, today), site(zone, now)))
      assert.deepEqual(faults(resolveTime(custom(today, tomorrow), site(zone, now))), ['to too_large'])
      const asked = { compare: 'custom', compare_from: tomorrow, compare_to: tomorrow } as const
      const outcome = resolveTime({ ...custom(tomorrow, tomorrow), ...asked }, site(zone, now))
      assert.deepEqual(
        faults(outcome),
        ['from', 'to', 'compare_from', 'compare_to'].map(field => `${field} too_large`),
      )
      assert.match(String(outcome.ok ? '' : outcome.faults[0]?.message), new RegExp(`future; today is ${today} in ${zone}`))
    })
  }

  test('a message says what was received and what would do, without repeating a flood', () => {
    const outcome = resolveTime({ period: '30d', interval: 'minute' }, clock)
    assert.match(String(outcome.ok ? '' : outcome.faults[0]?.message), /the maximum is 2,000\. Use hour, day, week, .* or auto/)
    const flood = resolveTime(custom('x'.repeat(1e6), '2026-01-01'), clock)
    assert.ok(!flood.ok && flood.faults.every(({ message }) => String(message).length < 200))
  })
})

describe('comparisons', () => {
  const NOW = '2026-11-20T14:04:30+01:00'
  const table: [asked: TimeInput, now: string, expected: string, zone?: string][] = [
    [{ period: 'today', compare: 'previous_period' }, NOW, '2026-11-19T00:00+01:00 → 2026-11-19T14:05+01:00'],
    [{ period: 'today', compare: 'previous_year' }, NOW, '2025-11-20T00:00+01:00 → 2025-11-20T14:05+01:00'],
    [{ period: 'today', compare: 'previous_period', match_weekday: true }, NOW, '2026-11-13T00:00+01:00 → 2026-11-13T14:05+01:00'],
    [{ period: 'yesterday', compare: 'previous_period' }, NOW, '2026-11-18T00:00+01:00 → 2026-11-19T00:00+01:00'],
    [{ period: '24h', compare: 'previous_period' }, NOW, '2026-11-18T14:05+01:00 → 2026-11-19T14:05+01:00'],
    [{ period: '24h', compare: 'previous_period', match_weekday: true }, NOW, '2026-11-12T14:05+01:00 → 2026-11-13T14:05+01:00'],
    [{ period: '24h', compare: 'previous_year' }, NOW, '2025-11-19T14:05+01:00 → 2025-11-20T14:05+01:00'],
    [{ period: '7d', compare: 'previous_period' }, NOW, '2026-11-07T00:00+01:00 → 2026-11-13T14:05+01:00'],
    [{ period: '30d', compare: 'previous_period' }, NOW, '2026-09-22T00:00+02:00 → 2026-10-21T14:05+02:00'],
    [{ period: '30d', compare: 'previous_period', match_weekday: true }, NOW, '2026-09-17T00:00+02:00 → 2026-10-16T14:05+02:00'],
    [{ period: '30d', compare: 'previous_year' }, NOW, '2025-10-22T00:00+02:00 → 2025-11-20T14:05+01:00'],
    [{ period: 'this_week', compare: 'previous_period' }, NOW, '2026-11-09T00:00+01:00 → 2026-11-13T14:05+01:00'],
    [{ period: 'last_week', compare: 'previous_period' }, NOW, '2026-11-02T00:00+01:00 → 2026-11-09T00:00+01:00'],
    [{ period: '2026-W10', compare: 'previous_period' }, NOW, '2026-02-23T00:00+01:00 → 2026-03-02T00:00+01:00'],
    [{ period: '2026-11', compare: 'previous_period' }, NOW, '2026-10-01T00:00+02:00 → 2026-10-20T14:05+02:00'],
    [{ period: '2026-03', compare: 'previous_period' }, NOW, '2026-02-01T00:00+01:00 → 2026-03-01T00:00+01:00'],
    [{ period: '2026-Q1', compare: 'previous_year' }, NOW, '2025-01-01T00:00+01:00 → 2025-04-01T00:00+02:00'],
    [{ period: '2025', compare: 'previous_period' }, NOW, '2024-01-01T00:00+01:00 → 2025-01-01T00:00+01:00'],
    [{ period: 'mtd', compare: 'previous_period' }, NOW, '2026-10-01T00:00+02:00 → 2026-10-20T14:05+02:00'],
    [{ period: 'mtd', compare: 'previous_year' }, NOW, '2025-11-01T00:00+01:00 → 2025-11-20T14:05+01:00'],
    [{ period: 'qtd', compare: 'previous_period' }, NOW, '2026-07-01T00:00+02:00 → 2026-08-20T14:05+02:00'],
    [{ period: 'ytd', compare: 'previous_period' }, NOW, '2025-01-01T00:00+01:00 → 2025-11-20T14:05+01:00'],
    [{ period: 'ytd', compare: 'previous_year', match_weekday: true }, NOW, '2025-01-02T00:00+01:00 → 2025-11-21T14:05+01:00'],
    [{ period: 'last_month', compare: 'previous_period' }, NOW, '2026-09-01T00:00+02:00 → 2026-10-01T00:00+02:00'],
    [{ period: 'last_quarter', compare: 'previous_period' }, NOW, '2026-04-01T00:00+02:00 → 2026-07-01T00:00+02:00'],
    [{ period: 'last_year', compare: 'previous_period' }, NOW, '2024-01-01T00:00+01:00 → 2025-01-01T00:00+01:00'],
    [{ period: 'last_year', compare: 'previous_year' }, NOW, '2024-01-01T00:00+01:00 → 2025-01-01T00:00+01:00'],
    [{ period: '12mo', compare: 'previous_period' }, NOW, '2024-12-01T00:00+01:00 → 2025-11-20T14:05+01:00'],
    [
      { period: '7d', compare: 'custom', compare_from: '2026-01-01', compare_to: '2026-01-03' },
      NOW,
      '2026-01-01T00:00+01:00 → 2026-01-03T14:05+01:00',
    ],
    // To a Saturday, so far back that it no longer reaches into the range.
    [
      { period: '7d', compare: 'custom', compare_from: '2026-11-16', compare_to: '2026-11-20', match_weekday: true },
      NOW,
      '2026-11-07T00:00+01:00 → 2026-11-11T14:05+01:00',
    ],
    // The month before is shorter: all of it, but no more.
    [{ period: 'mtd', compare: 'previous_period' }, '2026-03-31T10:00:00+02:00', '2026-02-01T00:00+01:00 → 2026-03-01T00:00+01:00'],
    // Leap years.
    [{ period: 'today', compare: 'previous_year' }, '2024-02-29T10:00:00+01:00', '2023-02-28T00:00+01:00 → 2023-02-28T10:01+01:00'],
    [{ period: 'last_month', compare: 'previous_year' }, '2024-03-10T10:00:00+01:00', '2023-02-01T00:00+01:00 → 2023-03-01T00:00+01:00'],
    [{ period: 'last_month', compare: 'previous_year' }, '2025-03-10T10:00:00+01:00', '2024-02-01T00:00+01:00 → 2024-03-01T00:00+01:00'],
    [
      { period: 'custom', from: '2025-02-28', to: '2025-02-28', compare: 'previous_year' },
      NOW,
      '2024-02-28T00:00+01:00 → 2024-02-29T00:00+01:00',
    ],
    // 28 days that happen to be a month are 28 days.
    [{ period: '28d', compare: 'previous_year' }, '2025-02-28T10:00:00+01:00', '2024-02-01T00:00+01:00 → 2024-02-28T10:01+01:00'],
    // By the wall clock across a change, and into an hour the other day did not have.
    [{ period: 'today', compare: 'previous_period' }, '2026-10-25T14:04:30+01:00', '2026-10-24T00:00+02:00 → 2026-10-24T14:05+02:00'],
    [{ period: 'today', compare: 'previous_period' }, '2026-03-30T02:29:30+02:00', '2026-03-29T00:00+01:00 → 2026-03-29T03:30+02:00'],
    [{ period: '24h', compare: 'previous_period' }, '2026-03-29T12:00:00+02:00', '2026-03-27T11:01+01:00 → 2026-03-28T11:01+01:00'],
    [
      { period: 'today', compare: 'previous_period' },
      '2018-11-05T00:29:30-02:00',
      '2018-11-04T01:00-02:00 → 2018-11-04T01:30-02:00',
      'America/Sao_Paulo',
    ],
    [
      { period: 'today', compare: 'previous_period' },
      '2011-12-31T10:00:00+14:00',
      '2011-12-29T00:00-10:00 → 2011-12-29T10:01-10:00',
      'Pacific/Apia',
    ],
    [{ period: 'today', compare: 'previous_period' }, '2026-11-20T23:59:30+01:00', '2026-11-19T00:00+01:00 → 2026-11-20T00:00+01:00'],
    // Custom ranges: one that ends today is not over either, one of past days is.
    [
      { period: 'custom', from: '2026-11-16', to: '2026-11-20', compare: 'previous_period' },
      NOW,
      '2026-11-11T00:00+01:00 → 2026-11-15T14:05+01:00',
    ],
    [
      { period: 'custom', from: '2026-11-15', to: '2026-11-19', compare: 'previous_period' },
      NOW,
      '2026-11-10T00:00+01:00 → 2026-11-15T00:00+01:00',
    ],
    [
      { period: 'yesterday', compare: 'custom', compare_from: '2026-11-20', compare_to: '2026-11-20' },
      NOW,
      '2026-11-20T00:00+01:00 → 2026-11-20T14:05+01:00',
    ],
    [{ period: 'all', compare: 'previous_period' }, NOW, '2026-11-19T00:00+01:00 → 2026-11-19T14:05+01:00'],
    // The last 24 hours compared with whole days: all of them.
    [
      { period: '24h', compare: 'custom', compare_from: '2026-11-10', compare_to: '2026-11-11' },
      NOW,
      '2026-11-10T00:00+01:00 → 2026-11-12T00:00+01:00',
    ],
    // The same weekday a year before is one or two days on; after a leap year, two.
    [{ period: 'yesterday', compare: 'previous_year', match_weekday: true }, NOW, '2025-11-20T00:00+01:00 → 2025-11-21T00:00+01:00'],
    [
      { period: 'last_month', compare: 'previous_year', match_weekday: true },
      '2025-02-10T12:00:00+01:00',
      '2024-01-03T00:00+01:00 → 2024-02-03T00:00+01:00',
    ],
    [{ period: 'mtd', compare: 'previous_period', match_weekday: true }, NOW, '2026-10-04T00:00+02:00 → 2026-10-23T14:05+02:00'],
    // Days that were asked for after the range stay after it, but are never to come.
    [
      {
        period: 'custom',
        from: '2026-10-05',
        to: '2026-10-11',
        compare: 'custom',
        compare_from: '2026-11-04',
        compare_to: '2026-11-10',
        match_weekday: true,
      },
      NOW,
      '2026-11-02T00:00+01:00 → 2026-11-09T00:00+01:00',
    ],
    [
      {
        period: 'custom',
        from: '2026-10-05',
        to: '2026-10-11',
        compare: 'custom',
        compare_from: '2026-11-14',
        compare_to: '2026-11-20',
        match_weekday: true,
      },
      NOW,
      '2026-11-09T00:00+01:00 → 2026-11-16T00:00+01:00',
    ],
    // Calendar months over a leap day, at the end of months and of the year.
    [{ period: 'mtd', compare: 'previous_period' }, '2024-03-29T10:00:00+01:00', '2024-02-01T00:00+01:00 → 2024-02-29T10:01+01:00'],
    [{ period: 'qtd', compare: 'previous_period' }, '2026-05-31T10:00:00+02:00', '2026-01-01T00:00+01:00 → 2026-03-01T00:00+01:00'],
    [{ period: 'ytd', compare: 'previous_period' }, '2024-12-31T10:00:00+01:00', '2023-01-01T00:00+01:00 → 2023-12-31T10:01+01:00'],
    [{ period: 'ytd', compare: 'previous_period' }, '2025-03-01T10:00:00+01:00', '2024-01-01T00:00+01:00 → 2024-03-01T10:01+01:00'],
    [{ period: '12mo', compare: 'previous_period' }, '2024-02-29T10:00:00+01:00', '2022-03-01T00:00+01:00 → 2023-03-01T00:00+01:00'],
    [{ period: 'last_month', compare: 'previous_period' }, '2027-01-01T00:00:00+01:00', '2026-11-01T00:00+01:00 → 2026-12-01T00:00+01:00'],
    [
      { period: 'last_quarter', compare: 'previous_period' },
      '2027-01-01T00:00:00+01:00',
      '2026-07-01T00:00+02:00 → 2026-10-01T00:00+02:00',
    ],
    [{ period: '7d', compare: 'previous_period' }, '2027-01-01T00:00:00+01:00', '2026-12-19T00:00+01:00 → 2026-12-25T00:01+01:00'],
    // Until the same time by the wall clock, where the clock moved meanwhile.
    [
      { period: '7d', compare: 'previous_period' },
      '2026-03-14T12:00:00-04:00',
      '2026-03-01T00:00-05:00 → 2026-03-07T12:01-05:00',
      'America/New_York',
    ],
    [
      { period: '7d', compare: 'previous_period' },
      '2026-04-12T02:15:00+10:30',
      '2026-03-30T00:00+11:00 → 2026-04-05T02:16+10:30',
      'Australia/Lord_Howe',
    ],
    [
      { period: '7d', compare: 'previous_period' },
      '2026-04-12T05:15:00+12:45',
      '2026-03-30T00:00+13:45 → 2026-04-05T05:16+12:45',
      'Pacific/Chatham',
    ],
    [
      { period: '14d', compare: 'previous_period' },
      '2026-11-20T05:44:30+05:45',
      '2026-10-24T00:00+05:45 → 2026-11-06T05:45+05:45',
      'Asia/Kathmandu',
    ],
  ]
  for (const [asked, now, expected, zone = BERLIN] of table) {
    const name = [asked.period, asked.compare, asked.match_weekday ? 'same weekday' : ''].join(' ')
    test(`${name} in ${zone} at ${now}`, () => {
      const { comparison } = value(resolveTime(asked, site(zone, now)))
      assert.ok(comparison)
      assert.equal(shown(zone, comparison), expected)
      assert.equal(comparison.elapsed, comparison.to > at(now))
      assert.equal(comparison.fromDay, localDay(zone, comparison.from).day)
      assert.equal(comparison.toDay, localDay(zone, comparison.to - 1).day)
    })
  }

  test('none is the default and compares with nothing, same weekday or not', () => {
    const clock = site(BERLIN, NOW)
    assert.equal(value(resolveTime({}, clock)).comparison, null)
    assert.equal(value(resolveTime({ compare: 'none', match_weekday: true }, clock)).comparison, null)
  })
})

describe('intervals', () => {
  const auto: [from: string, to: string, interval: string][] = [
    ['2026-11-20', '2026-11-20', 'hour'],
    ['2026-10-25', '2026-10-26', 'hour'],
    ['2026-11-18', '2026-11-20', 'day'],
    ['2026-10-01', '2026-12-31', 'day'],
    ['2026-10-01', '2027-01-01', 'month'],
    ['2024-01-01', '2025-12-31', 'month'],
    ['2024-01-01', '2026-01-01', 'quarter'],
    ['2010-01-01', '2026-01-01', 'year'],
  ]
  for (const [from, to, expected] of auto) {
    test(`auto is ${expected} for ${from} to ${to}`, () => {
      assert.equal(value(resolveInterval('auto', days(BERLIN, from, to))), expected)
    })
  }

  test('24h is shown by the hour', () => {
    const range = value(resolvePeriod({ period: '24h' }, site(BERLIN, '2026-11-20T14:04:30+01:00')))
    assert.equal(value(resolveInterval('auto', range)), 'hour')
  })

  test('a day by the minute and 83 days by the hour are allowed, two days and 84 are not', () => {
    assert.equal(value(resolveInterval('minute', days(BERLIN, '2026-10-25'))), 'minute')
    assert.equal(value(resolveInterval('hour', days(BERLIN, '2026-01-01', '2026-03-24'))), 'hour')
    const tooFine = ['interval too_large']
    assert.deepEqual(faults(resolveInterval('minute', days(BERLIN, '2026-01-01', '2026-01-02'))), tooFine)
    assert.deepEqual(faults(resolveInterval('hour', days(BERLIN, '2026-01-01', '2026-03-25'))), tooFine)
  })
})

describe('buckets', () => {
  const labels = (zone: string, from: string, to: string, interval: (typeof INTERVALS)[number], weekStart = 1) =>
    buckets({ range: days(zone, from, to), interval, zone, weekStart }).map(({ label }) => label)

  test('the long day has 25 hours, two of them called two o’clock', () => {
    const hours = labels(BERLIN, '2026-10-25', '2026-10-25', 'hour')
    assert.equal(hours.length, 25)
    assert.deepEqual(hours.slice(1, 5), [
      '2026-10-25T01:00:00+02:00',
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T03:00:00+01:00',
    ])
  })

  test('the short day has 23 hours and no two o’clock', () => {
    const hours = labels('America/New_York', '2026-03-08', '2026-03-08', 'hour')
    assert.equal(hours.length, 23)
    assert.deepEqual(hours.slice(1, 3), ['2026-03-08T01:00:00-05:00', '2026-03-08T03:00:00-04:00'])
  })

  test('hours count from midnight on days of half hours, and the last may be shorter', () => {
    const long = buckets({ range: days('Australia/Lord_Howe', '2026-04-05'), interval: 'hour', zone: 'Australia/Lord_Howe' })
    assert.equal(long.length, 25)
    assert.deepEqual(
      long.slice(1, 4).map(({ label }) => label),
      ['2026-04-05T01:00:00+11:00', '2026-04-05T01:30:00+10:30', '2026-04-05T02:30:00+10:30'],
    )
    assert.equal((long[24]?.to ?? 0) - (long[24]?.from ?? 0), HOUR / 2)
    assert.equal(long[24]?.partial, false)
    assert.equal(buckets({ range: days('Australia/Lord_Howe', '2026-10-04'), interval: 'hour', zone: 'Australia/Lord_Howe' }).length, 24)
  })

  test('hours are labelled :45 in a zone with that offset', () => {
    assert.equal(new Date(days('Asia/Kathmandu', '2026-11-20').from).toISOString(), '2026-11-19T18:15:00.000Z')
    assert.equal(labels('Asia/Kathmandu', '2026-11-20', '2026-11-20', 'hour')[1], '2026-11-20T01:00:00+05:45')
    assert.equal(labels('Pacific/Chatham', '2026-09-27', '2026-09-27', 'hour')[3], '2026-09-27T04:00:00+13:45')
  })

  test('a day the clock began at one o’clock is labelled so', () => {
    assert.equal(labels('America/Sao_Paulo', '2018-11-04', '2018-11-04', 'day')[0], '2018-11-04T01:00:00-02:00')
    assert.equal(labels('America/Sao_Paulo', '2018-11-04', '2018-11-04', 'hour').length, 23)
  })

  test('a day that does not exist has no bucket', () => {
    assert.deepEqual(labels('Pacific/Apia', '2011-12-29', '2011-12-31', 'day'), ['2011-12-29T00:00:00-10:00', '2011-12-31T00:00:00+14:00'])
    assert.deepEqual(labels('Pacific/Apia', '2011-12-30', '2011-12-30', 'hour'), [])
  })

  test('the first and the last bucket are cut to the range, and say so', () => {
    const series = buckets({ range: days(BERLIN, '2026-10-30', '2026-11-20'), interval: 'week', zone: BERLIN })
    assert.deepEqual(
      series.map(({ fromDay, toDay, partial }) => [dateOf(fromDay), dateOf(toDay), partial]),
      [
        ['2026-10-30', '2026-11-01', true],
        ['2026-11-02', '2026-11-08', false],
        ['2026-11-09', '2026-11-15', false],
        ['2026-11-16', '2026-11-20', true],
      ],
    )
  })

  test('a week may begin on Sunday', () => {
    assert.deepEqual(labels('UTC', '2026-11-08', '2026-11-15', 'week', 7), ['2026-11-08T00:00:00+00:00', '2026-11-15T00:00:00+00:00'])
  })

  test('months, quarters and years turn with the calendar', () => {
    const years = labels(BERLIN, '2023-12-31', '2025-01-01', 'year')
    assert.deepEqual(
      years.map(label => label.slice(0, 10)),
      ['2023-12-31', '2024-01-01', '2025-01-01'],
    )
    assert.equal(labels(BERLIN, '2024-01-01', '2024-12-31', 'month').length, 12)
    assert.equal(labels(BERLIN, '2024-01-01', '2024-12-31', 'quarter').length, 4)
  })

  test('today stops at the minute under way', () => {
    const range = value(resolvePeriod({ period: 'today' }, site(BERLIN, '2026-11-20T14:04:30+01:00')))
    const hours = buckets({ range, interval: 'hour', zone: BERLIN })
    assert.equal(hours.length, 15)
    assert.deepEqual(hours.map(({ partial }) => partial).indexOf(true), 14)
  })
})

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

/** Periods of reports, and faults in what was asked for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buckets } from '../../../operations/reports/stats/time/buckets.ts'
import { resolvePeriod } from '../../../operations/reports/stats/time/period.ts'
import { coversWholeDays } from '../../../operations/reports/stats/time/range.ts'
import { resolveTime, type TimeInput } from '../../../operations/reports/stats/time/resolve.ts'
import { dateOf, localDay } from '../../../storage/calendar/zones.ts'
import { BERLIN, at, site, value, faults, day, shown } from './ranges.ts'

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

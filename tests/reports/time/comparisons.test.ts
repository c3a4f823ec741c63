/** The range that a report is compared with. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resolveTime, type TimeInput } from '../../../operations/reports/stats/time/resolve.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { BERLIN, at, site, value, shown } from './ranges.ts'

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

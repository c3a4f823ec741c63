/** Intervals of a series, and its buckets. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buckets } from '../../../operations/reports/stats/time/buckets.ts'
import { type INTERVALS, resolveInterval } from '../../../operations/reports/stats/time/interval.ts'
import { resolvePeriod } from '../../../operations/reports/stats/time/period.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { HOUR, BERLIN, site, value, faults, days } from './ranges.ts'

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

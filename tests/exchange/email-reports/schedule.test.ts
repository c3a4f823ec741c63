/** Days that a report covers, and the instant at which it is sent, in unusual calendars. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Frequency,
  dueAt,
  latestOver,
  nextPeriod,
  type Period,
  periodAt,
  plannedPeriod,
  type Schedule,
  upcoming,
} from '../../../operations/exchange/email-reports/schedule.ts'
import { dateOf, dayOf } from '../../../storage/calendar/zones.ts'
import { someOf } from '../../support/full.ts'

const at = (time: string): number => Date.parse(time)
const day = (date: string): number => dayOf(date) ?? assert.fail(date)
const schedule = (frequency: Frequency, hour: number, ...zones: string[]): Schedule => ({
  frequency,
  hour,
  sites: zones.map(timezone => ({ timezone, week_start: 1 })),
})
const shown = ({ from, to }: Period): string => `${dateOf(from)} ${dateOf(to)}`
const next = (of: Schedule, now: string): [string, string] => {
  const period = upcoming(of, at(now))
  return [shown(period), new Date(dueAt(of, period)).toISOString()]
}

test('days, weeks from the first day of the site’s week, calendar months', () => {
  const of = (frequency: Frequency, week_start: number): Schedule => ({ frequency, hour: 9, sites: [{ timezone: 'UTC', week_start }] })
  const today = day('2026-02-18') // a Wednesday
  assert.equal(shown(periodAt(of('daily', 1), today)), '2026-02-18 2026-02-18')
  assert.equal(shown(periodAt(of('weekly', 1), today)), '2026-02-16 2026-02-22')
  assert.equal(shown(periodAt(of('weekly', 7), today)), '2026-02-15 2026-02-21')
  assert.equal(shown(periodAt(of('weekly', 3), today)), '2026-02-18 2026-02-24')
  assert.equal(shown(periodAt(of('monthly', 7), today)), '2026-02-01 2026-02-28')
  assert.equal(shown(periodAt(of('monthly', 1), day('2028-02-03'))), '2028-02-01 2028-02-29')
})

test('a report that is made before its hour is sent on the same day', () => {
  const daily = schedule('daily', 9, 'Europe/Berlin')
  assert.deepEqual(next(daily, '2026-01-10T07:59:59Z'), ['2026-01-09 2026-01-09', '2026-01-10T08:00:00.000Z'])
  assert.deepEqual(next(daily, '2026-01-10T08:00:00Z'), ['2026-01-10 2026-01-10', '2026-01-11T08:00:00.000Z'])
  assert.deepEqual(next(schedule('monthly', 0, 'Europe/Berlin'), '2026-01-31T22:59:59Z'), [
    '2026-01-01 2026-01-31',
    '2026-01-31T23:00:00.000Z',
  ])
  assert.deepEqual(next(schedule('weekly', 23, 'America/New_York'), '2026-01-13T04:00:00Z'), [
    '2026-01-12 2026-01-18',
    '2026-01-20T04:00:00.000Z',
  ])
})

test('a report is sent at the hour of local time, also on the day after a clock change', () => {
  // Berlin: forward on 29 March 2026 at 2, back on 25 October at 3.
  const nine = schedule('daily', 9, 'Europe/Berlin')
  assert.equal(next(nine, '2026-03-28T12:00:00Z')[1], '2026-03-29T07:00:00.000Z')
  assert.equal(next(nine, '2026-10-24T12:00:00Z')[1], '2026-10-25T08:00:00.000Z')
  // An hour that there is not is the one after it; of one that there is twice, the first.
  const two = schedule('daily', 2, 'Europe/Berlin')
  assert.equal(next(two, '2026-03-28T12:00:00Z')[1], '2026-03-29T01:00:00.000Z')
  assert.equal(next(two, '2026-10-24T12:00:00Z')[1], '2026-10-25T00:00:00.000Z')
  // Where midnight itself is left out (Santiago, 6 September 2026).
  const midnight = schedule('daily', 0, 'America/Santiago')
  assert.deepEqual(next(midnight, '2026-09-05T12:00:00Z'), ['2026-09-05 2026-09-05', '2026-09-06T04:00:00.000Z'])
})

test('of several sites, a report waits until its hour has struck for the last', () => {
  const world = schedule('weekly', 9, 'Pacific/Auckland', 'Europe/Berlin', 'America/Los_Angeles')
  const [days, due] = next(world, '2026-06-10T00:00:00Z')
  assert.deepEqual([days, due], ['2026-06-08 2026-06-14', '2026-06-15T16:00:00.000Z'])
  // For a preview, the last week that is over everywhere.
  assert.equal(shown(latestOver(world, at('2026-06-15T06:59:59Z'))), '2026-06-01 2026-06-07')
  assert.equal(shown(latestOver(world, at('2026-06-15T07:00:00Z'))), '2026-06-08 2026-06-14')
})

test('every day, week and month is reported exactly once across every clock change', () => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia', 'Africa/Cairo']
  for (const zone of someOf(zones, 3))
    for (const frequency of ['daily', 'weekly', 'monthly'] as const) {
      const of = schedule(frequency, 0, zone)
      let period = upcoming(of, at('2026-01-05T12:00:00Z'))
      for (let i = 0; i < 400; i++) {
        const following = nextPeriod(of, period)
        assert.equal(following.from, period.to + 1)
        assert.ok(dueAt(of, following) > dueAt(of, period), `${zone} ${shown(following)}`)
        assert.deepEqual(upcoming(of, dueAt(of, period)), following)
        period = following
      }
    }
})

test('a day that a calendar leaves out has no report', () => {
  const apia = schedule('daily', 9, 'Pacific/Apia')
  assert.equal(shown(nextPeriod(apia, periodAt(apia, day('2011-12-29')))), '2011-12-31 2011-12-31')
  assert.equal(shown(latestOver(apia, at('2011-12-30T10:00:00Z'))), '2011-12-29 2011-12-29')
})

test('if the first day of the site’s week changes, the planned week is the week with most of its days', () => {
  const from = day('2026-06-08') // a Monday
  const moved = (week_start: number) =>
    shown(plannedPeriod({ frequency: 'weekly', hour: 9, sites: [{ timezone: 'UTC', week_start }] }, from))
  assert.equal(moved(1), '2026-06-08 2026-06-14')
  assert.equal(moved(7), '2026-06-07 2026-06-13')
  assert.equal(moved(3), '2026-06-10 2026-06-16')
})

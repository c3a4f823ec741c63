/** Local days of time zones, and units of the calendar. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysSince, startOf, weekday, yearBefore } from '../../../operations/reports/stats/time/calendar.ts'
import { localTime } from '../../../operations/reports/stats/time/label.ts'
import { canonicalZone, dateOf, dayOf, dayStart, isZone, localDay } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { HOUR, BERLIN, at, day } from './ranges.ts'

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

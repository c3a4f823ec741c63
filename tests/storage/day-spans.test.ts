import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../support/properties.ts'
import { daySpan } from '../../storage/hits/day-spans.ts'
import { dayOf, type LocalDay, localDay } from '../../storage/calendar/zones.ts'
import { DAY, HOUR, MIDNIGHT } from './new-hits.ts'

const today = dayOf('2026-11-20') ?? 0
const zones = ['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'America/New_York', 'UTC']

describe('days of a site', () => {
  test('an untouched day has the bounds of the calendar', () => {
    assert.deepEqual(daySpan([], 'Europe/Berlin', MIDNIGHT), { day: today, startsAt: MIDNIGHT, endsAt: MIDNIGHT + DAY })
  })

  test('moving west, the day that had begun lasts until the new midnight', () => {
    const berlin = daySpan([], 'Europe/Berlin', MIDNIGHT)
    assert.equal(daySpan([berlin], 'America/New_York', berlin.endsAt - 1), berlin)
    assert.deepEqual(daySpan([berlin], 'America/New_York', berlin.endsAt), { ...berlin, endsAt: berlin.endsAt + 6 * HOUR })
  })

  test('moving east, the next day begins where the last one ended', () => {
    const york = daySpan([], 'America/New_York', MIDNIGHT + 12 * HOUR)
    const next = daySpan([york], 'Europe/Berlin', york.endsAt)
    assert.deepEqual(next, { day: today + 1, startsAt: york.endsAt, endsAt: york.endsAt + 18 * HOUR })
  })

  test('however a site moves, each instant has one day, days keep their order and never overlap', () => {
    const visit = fc.record({ zone: fc.constantFrom(...zones), hours: fc.nat(24 * 12), minute: fc.nat(59) })
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 40 }), visits => {
        let spans: LocalDay[] = []
        const placed: { at: number; day: number }[] = []
        for (const { zone, hours, minute } of visits) {
          const at = MIDNIGHT + hours * HOUR + minute * 60_000
          const span = daySpan(spans, zone, at)
          assert.ok(span.startsAt <= at && at < span.endsAt)
          assert.ok(span.endsAt - span.startsAt <= 50 * HOUR)
          placed.push({ at, day: span.day })
          spans = [...spans.filter(({ day }) => day !== span.day), span].sort((a, b) => a.day - b.day)
          for (const [i, { endsAt }] of spans.entries()) assert.ok(endsAt <= (spans[i + 1]?.startsAt ?? Infinity))
        }
        for (const { at, day } of placed) assert.equal(spans.find(span => span.startsAt <= at && at < span.endsAt)?.day, day)
      }),
      { numRuns: 500 },
    )
  })

  test('a site that keeps its time zone has the days of the calendar, also over a change of the clocks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.array(fc.nat(365 * 24), { maxLength: 30 }), (zone, hours) => {
        let spans: LocalDay[] = []
        for (const hour of hours) {
          const span = daySpan(spans, zone, MIDNIGHT + hour * HOUR)
          assert.deepEqual({ ...span }, { ...localDay(zone, MIDNIGHT + hour * HOUR) })
          spans = [...spans.filter(({ day }) => day !== span.day), span].sort((a, b) => a.day - b.day)
        }
      }),
      { numRuns: 100 },
    )
  })
})

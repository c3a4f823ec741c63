/** Sites, days and ranges as the tests of time write them. */
import assert from 'node:assert/strict'
import type { Resolved } from '../../../operations/reports/stats/time/faults.ts'
import { localTime } from '../../../operations/reports/stats/time/label.ts'
import { wholeDays, type Range } from '../../../operations/reports/stats/time/range.ts'
import { dayOf } from '../../../storage/calendar/zones.ts'

export const HOUR = 3_600_000
export const BERLIN = 'Europe/Berlin'

export const at = (iso: string): number => Date.parse(iso)
export const site = (zone: string, now: string, firstHit?: string) => ({
  zone,
  now: at(now),
  firstHitAt: firstHit === undefined ? null : at(firstHit),
})

export const value = <T>(outcome: Resolved<T>): T => {
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.value
}
export const faults = (outcome: Resolved<unknown>): string[] => {
  assert.ok(!outcome.ok, 'expected faults')
  return outcome.faults.map(({ field, code }) => `${field} ${code}`)
}
export const day = (date: string): number => {
  const number = dayOf(date)
  assert.ok(number !== null, date)
  return number
}
export const days = (zone: string, from: string, to = from): Range => wholeDays(zone, { fromDay: day(from), toDay: day(to) })

/** `2026-11-20T00:00+01:00 → …`, both ends in local time. */
export const shown = (zone: string, { from, to }: { from: number; to: number }): string =>
  [from, to].map(ms => localTime(zone, ms).replace(':00+', '+').replace(':00-', '-')).join(' → ')

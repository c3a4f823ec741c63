import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Period, upPercent } from '../../../operations/reports/availability/availability.ts'

const HOUR = 3_600_000
const now = Date.parse('2026-03-10T12:00:00Z')
/** Hours ago, and the state that began then. */
const periods = (...rows: [hoursAgo: number, status: Period['status']][]): Period[] =>
  rows.map(([ago, status]) => ({ started_at: now - ago * HOUR, status }))

describe('availability over 24 hours', () => {
  const rows: [says: string, periods: Period[], percent: number | null][] = [
    ['of a check that was never decided is unknown', periods([1, 'pending']), null],
    ['of a check that was paused all the time is unknown', periods([100, 'up'], [30, 'paused']), null],
    ['of no period at all is unknown', [], null],
    ['up all the time', periods([1000, 'up']), 100],
    ['down all the time', periods([1000, 'down']), 0],
    ['a quarter down', periods([1000, 'up'], [12, 'down'], [6, 'up']), 75],
    ['periods before the window do not count', periods([30, 'down'], [24, 'up']), 100],
    ['a period that reaches into the window counts from its beginning', periods([30, 'down'], [18, 'up']), 75],
    ['pending and paused are left out', periods([24, 'up'], [18, 'paused'], [6, 'pending'], [5, 'down'], [3, 'up']), 81.818],
    ['only of the time it was known, however young', periods([2, 'pending'], [1, 'up']), 100],
    ['99.9999 is not rounded up to 100', periods([24, 'up'], [0.00002, 'down']), 99.999],
    ['a period in the future has not begun', periods([10, 'up'], [-1, 'down']), 100],
  ]
  for (const [says, given, percent] of rows)
    test(says, () => assert.equal(upPercent({ periods: given, from: now - 24 * HOUR, to: now }), percent))
})

/** The period before and after the one that a report shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingIntervals, periodStep } from '../../../runtime/ui/period-steps.ts'

const today = '2026-11-26'
const shown = (first: string, last: string) => ({ first, last, today })

test('A period of days moves by its length', () => {
  assert.deepEqual(periodStep('30d', shown('2026-10-28', today), -1), { period: 'custom', from: '2026-09-28', to: '2026-10-27' })
  assert.deepEqual(periodStep('custom', shown('2026-09-28', '2026-10-27'), 1), { period: '30d' })
  assert.deepEqual(periodStep('today', shown(today, today), -1), { period: 'yesterday' })
  assert.deepEqual(periodStep('yesterday', shown('2026-11-25', '2026-11-25'), 1), { period: 'today' })
  assert.deepEqual(periodStep('24h', shown('2026-11-25', today), -1), { period: 'yesterday' })
})

test('A period of months moves by months, and the present month is not over', () => {
  assert.deepEqual(periodStep('mtd', shown('2026-11-01', today), -1), { period: 'last_month' })
  assert.deepEqual(periodStep('last_month', shown('2026-10-01', '2026-10-31'), -1), {
    period: 'custom',
    from: '2026-09-01',
    to: '2026-09-30',
  })
  assert.deepEqual(periodStep('custom', shown('2026-02-01', '2026-02-28'), -1), { period: 'custom', from: '2026-01-01', to: '2026-01-31' })
  assert.deepEqual(periodStep('custom', shown('2026-10-01', '2026-10-31'), 1), { period: 'mtd' })
  assert.deepEqual(periodStep('qtd', shown('2026-10-01', today), -1), { period: 'last_quarter' })
  assert.deepEqual(periodStep('ytd', shown('2026-01-01', today), -1), { period: 'last_year' })
  assert.deepEqual(periodStep('12mo', shown('2025-12-01', today), -1), { period: 'custom', from: '2024-12-01', to: '2025-11-30' })
})

test('No step leads to a period after today or before the first day with data, or away from all time', () => {
  assert.equal(periodStep('30d', shown('2026-10-28', today), 1), undefined)
  assert.equal(periodStep('mtd', shown('2026-11-01', today), 1), undefined)
  assert.equal(periodStep('all', shown('2020-01-01', today), -1), undefined)
  assert.equal(periodStep('7d', shown('2026-11-20', today), -1, '2026-11-20'), undefined)
  assert.notEqual(periodStep('7d', shown('2026-11-20', today), -1, '2026-11-19'), undefined)
  assert.equal(periodStep('7d', shown('', today), -1), undefined)
  assert.deepEqual(periodStep('custom', shown('2026-11-10', '2026-11-19'), 1), { period: 'custom', from: '2026-11-17', to: today })
})

test('Intervals are offered that have a sensible number of points', () => {
  const all = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']
  assert.deepEqual(fittingIntervals(all, shown(today, today)), ['minute', 'hour'])
  assert.deepEqual(fittingIntervals(all, shown('2026-10-28', today)), ['hour', 'day', 'week'])
  assert.deepEqual(fittingIntervals(all, shown('2020-10-28', today)), ['week', 'month', 'quarter', 'year'])
})

/** Long lists are sorted in turns of the event loop, with the result of one sort. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortedInTurns } from '../../operations/reports/stats/sorted-in-turns.ts'
import { nothing, spansWithImported } from '../../operations/reports/stats/with-imported.ts'
import { chanceOf } from '../support/chance.ts'

test('A list of any length is sorted as by toSorted, and equal elements keep their order', async () => {
  const chance = chanceOf('sorted in turns')
  for (const length of [0, 1, 511, 512, 513, 1_024, 5_000]) {
    const list = Array.from({ length }, (_, i) => ({ i, size: chance.int(0, 100) }))
    const bySize = (a: { size: number }, b: { size: number }) => b.size - a.size
    assert.deepEqual(await sortedInTurns(list, bySize), list.toSorted(bySize))
  }
})

test('Each span receives the imported days within it, both ends included', async () => {
  const totals = new Map([7, 3, 4, 9].map(day => [day, { ...nothing, visits: 10 ** day }] as const))
  const history = { fromDay: 3, toDay: 9, totals: async () => totals, values: async () => new Map() }
  const spans = [
    [0, 2],
    [3, 4],
    [4, 4],
    [5, 9],
    [10, 20],
  ].map(([fromDay = 0, toDay = 0]) => ({ from: 0, to: 0, fromDay, toDay, whole: true }))
  const days = { fromDay: 3, toDay: 9 }
  const sums = spans.map(() => ({ ...nothing, visits: 1 }))
  const found = await spansWithImported({ history, now: days, before: null }, { of: 'now', spans, sums })
  assert.deepEqual(
    found.map(({ visits }) => visits),
    [1, 11_001, 10_001, 1_010_000_001, 1],
  )
})

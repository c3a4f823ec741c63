/** Sums of groups, packed and unpacked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnOf } from '../../../storage/engine/columns/column.ts'
import { groupSums } from '../../../storage/engine/columns/group-sums.ts'
import { followsFrom, packRun, packSums, sumsFrom, unpackRun, unpackSums } from '../../../storage/engine/days/packed-sums.ts'
import { type Sums, sumNames } from '../../../storage/engine/vocabulary/sums.ts'
import fc from '../../support/properties.ts'

const count = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(2 ** 31 - 1))
const amount = fc.oneof(fc.constant(0), fc.integer({ min: -(2 ** 50), max: 2 ** 50 }))
const isAmount = (name: keyof Sums) => name === 'revenue'
const sums = fc.record(Object.fromEntries(sumNames.map(name => [name, isAmount(name) ? amount : count])))
const groups = fc.uniqueArray(fc.tuple(fc.oneof(fc.nat(10), fc.nat(2 ** 31 - 1)), sums), { maxLength: 30, selector: ([id]) => id })

const madeOf = (drawn: readonly (readonly [number, Readonly<Record<string, number>>])[]) => {
  const sorted = drawn.toSorted(([a], [b]) => a - b)
  return groupSums(columnOf(sorted.map(([id]) => id)), name => columnOf(sorted.map(([, each]) => each[name] ?? 0)))
}

test('sums of groups are the same after they were packed', () => {
  fc.assert(
    fc.property(groups, drawn => {
      const made = madeOf(drawn)
      assert.deepEqual(unpackSums(packSums(made)), made)
    }),
  )
})

test('sums of several days are the same after they were packed as a run, of which days are read without the others', () => {
  fc.assert(
    fc.property(fc.array(groups, { minLength: 1, maxLength: 6 }), fc.nat(7), (drawn, one) => {
      const days = drawn.map((each, i) => ({ day: 20_000 + 3 * i, sums: madeOf(each) }))
      const [bytes, last] = [packRun(days, 20_031), 20_031]
      assert.deepEqual(unpackRun(bytes, last), days)
      const isWanted = (day: number) => day === 20_000 + 3 * one
      assert.deepEqual(
        unpackRun(bytes, last, isWanted),
        days.filter(({ day }) => isWanted(day)),
      )
    }),
  )
})

test('sums of a dimension without values follow from the totals, and only those', () => {
  const totals = Object.fromEntries(sumNames.map((name, i) => [name, i + 1])) as Record<keyof Sums, number>
  const of = (ids: number[], changed: Partial<Sums> = {}) =>
    groupSums(columnOf(ids), name => columnOf(ids.map(() => ({ ...totals, ...changed })[name] ?? 0)))
  assert.deepEqual(sumsFrom(totals), of([0]))
  assert.equal(followsFrom(totals, of([0])), true)
  assert.equal(followsFrom(totals, of([3])), false)
  assert.equal(followsFrom(totals, of([])), false)
  assert.equal(followsFrom(totals, of([0, 1])), false)
  for (const name of sumNames) assert.equal(followsFrom(totals, of([0], { [name]: 99 })), false, name)
})

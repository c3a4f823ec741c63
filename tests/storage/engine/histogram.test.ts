/** Histograms: counts by value, and percentiles. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../support/properties.ts'
import { columnOf } from '../../../storage/engine/columns/column.ts'
import { openHistogram, mergedHistogram } from '../../../storage/engine/columns/histogram.ts'

test('a histogram gives the percentiles of a sorted list, also beyond its buckets', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(3_000), fc.nat(300_000)), { minLength: 1, maxLength: 200 }), fc.nat(300_000), (values, limit) => {
      const [one, other] = [openHistogram(), openHistogram()]
      const half = values.length >> 1
      for (const value of values.slice(0, half)) one.add(value)
      other.addAll(columnOf(values), half, values.length)
      const all = mergedHistogram([one, other])
      assert.equal(all.count, values.length)
      assert.equal(all.upTo(limit), values.filter(value => value <= limit).length)
      assert.deepEqual(
        values.map((_, i) => all.at(i + 1)),
        values.toSorted((a, b) => a - b),
      )
    }),
  ))

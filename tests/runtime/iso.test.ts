/** Times in the API's format. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../support/properties.ts'
import { isoOf } from '../../runtime/values/iso.ts'

const furthest = 8_640_000_000_000_000

test('a time is written as Date writes it, before 1970 and beyond the year 9999 as well', () => {
  for (const at of [0, -1, 1, 86_399_999, 86_400_000, -86_400_000, -86_400_001, furthest, -furthest])
    assert.equal(isoOf(at), new Date(at).toISOString())
  fc.assert(fc.property(fc.integer({ min: -furthest, max: furthest }), at => isoOf(at) === new Date(at).toISOString()))
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), at => isoOf(at.getTime()) === at.toISOString()),
  )
  assert.equal(isoOf(1_790_000_000_000.9), new Date(1_790_000_000_000.9).toISOString())
})

test('a number that is not a time throws, and the next call is not affected', () => {
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, furthest + 1, -furthest - 1, 1e300]) assert.throws(() => isoOf(at), RangeError)
  assert.equal(isoOf(1_790_000_000_123), new Date(1_790_000_000_123).toISOString())
})

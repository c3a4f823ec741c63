/** Sets of numbers: how many there are, and a place for each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../support/properties.ts'
import { NumberSet } from '../../../storage/engine/columns/number-set.ts'

const near = fc.integer({ min: 1, max: 3_000 })
const far = fc.integer({ min: 1, max: 2 ** 32 - 1 })
const numbers = fc.oneof(fc.array(near, { maxLength: 2_000 }), fc.array(far, { maxLength: 300 }))

test('a set of numbers has each once, and gives each a place of its own', () =>
  fc.assert(
    fc.property(numbers, numbers, fc.constantFrom(2, 16), (some, others, room) => {
      const set = new NumberSet(room)
      for (const n of some) set.add(n)
      set.addAll(Uint32Array.from(others))
      const all = new Set([...some, ...others])
      assert.equal(set.size, all.size)
      const places = new Set(Array.from(all, n => set.placeOf(n)))
      assert.equal(places.size, all.size)
      for (const place of places) assert.ok(place > 0 && place < set.places)
      for (const n of [0, ...Array.from(all, n => n - 1)]) assert.equal(set.placeOf(n) !== 0, all.has(n), `${n}`)
    }),
  ))

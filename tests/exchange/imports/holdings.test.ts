/** The dimensions that the totals of a file have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdings } from '../../../storage/imported/held.ts'
import type { ImportedRow } from '../../../storage/tables/imported-families.ts'

const valuesOf = (dimension: string): ImportedRow => ({
  family: 'values',
  day: 1,
  texts: { dimension, value: 'x', currency: 'EUR' },
  counts: {},
})

test('Names in the family values that are no dimension are not held, however many a file has', () => {
  const held = holdings()
  for (const name of ['', 'page', '__proto__', 'constructor', ...Array.from({ length: 5_000 }, (_, i) => `no dimension ${i}`)])
    held.add(valuesOf(name))
  assert.deepEqual(JSON.parse(held.written()), { families: [], values: ['', 'page'] })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from '../../runtime/values/edit-distance.ts'

test('The edit distance counts letters to change, leave out and put in', () => {
  const pairs = [
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['ab', 'ba', 2],
  ] as const
  for (const [a, b, distance] of pairs) assert.equal(editDistance(a, b), distance, `${a} ${b}`)
})

test('The edit distance counts two swapped letters as one edit if that has a cost of its own', () => {
  const costs = { missing: 0.9, surplus: 1, other: 1, swapped: 0.8 }
  assert.equal(editDistance('teh', 'the', costs), 0.8)
  assert.equal(editDistance('te', 'the', costs), 0.9)
  assert.equal(editDistance('thee', 'the', costs), 1)
})

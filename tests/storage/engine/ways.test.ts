/** The table that counts paths of visits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWays } from '../../../storage/engine/scan/ways.ts'

test('ways are counted each for itself, however many there are', () => {
  const ways = openWays()
  const expected = new Map<string, [visits: number, onward: number]>()
  for (let i = 0; i < 60_000; i++) {
    const way = [1 + ((i * 7) % 5), (i * 31) % 211, ((i * i) % 97) * 40_000_000] as const
    const onward = i % 3 === 0
    ways.add(...way, onward)
    const [visits, many] = expected.get(way.join()) ?? [0, 0]
    expected.set(way.join(), [visits + 1, many + Number(onward)])
  }
  assert.deepEqual(new Map([...ways].map(({ steps, visits, onward }) => [steps.join(), [visits, onward]])), expected)
})

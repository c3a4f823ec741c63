/** The table that counts paths of visits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPaths } from '../../../storage/engine/scan/paths.ts'

test('each path is counted separately, however many there are', () => {
  const paths = openPaths()
  const expected = new Map<string, [visits: number, onward: number]>()
  for (let i = 0; i < 60_000; i++) {
    const path = [1 + ((i * 7) % 5), (i * 31) % 211, ((i * i) % 97) * 40_000_000] as const
    const onward = i % 3 === 0
    paths.add(...path, onward)
    const [visits, many] = expected.get(path.join()) ?? [0, 0]
    expected.set(path.join(), [visits + 1, many + Number(onward)])
  }
  assert.deepEqual(new Map([...paths].map(({ steps, visits, onward }) => [steps.join(), [visits, onward]])), expected)
})

/** Counting steps of visits and their top paths, against a Map of all paths. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPaths } from '../../../storage/engine/scan/paths.ts'
import { topPaths } from '../../../storage/engine/scan/top-paths.ts'

const STEPS = 10
const nameOf = (_: number, place: number) => `/${place}`

/** Visits of many paths of up to ten steps, of which those over few pages have most. */
function* visits(count: number) {
  for (let i = 0; i < count; i++) {
    const isFew = i % 3 === 0
    const second = (i * 31) % (isFew ? 4 : 211)
    const third = second && (i * i) % (isFew ? 3 : 997)
    const more = third === 0 ? [] : Array.from({ length: isFew ? 0 : i % 8 }, (_, step) => 1 + ((i >> step) % 3))
    const path = Uint32Array.from([1 + ((i * 7) % 5), second, third, ...more].filter(place => place !== 0))
    yield { path, onward: path.length === STEPS && i % 2 === 0 }
  }
}

test('each step is counted, and the top paths are the same as of all paths, however many there are', () => {
  const paths = openPaths(STEPS, 1000, true)
  const expected = new Map<string, number>()
  const ended = Array.from({ length: STEPS }, () => 0)
  for (const { path, onward } of visits(60_000)) {
    paths.add(path, path.length, onward)
    if (!onward) ended[path.length - 1]!++
    const name = Array.from(path, place => `/${place}`).join('\n')
    expected.set(name, (expected.get(name) ?? 0) + 1)
  }
  assert.ok(expected.size > 30_000, `${expected.size} paths`)
  assert.deepEqual(
    paths.steps.map(step => step.ended.reduce((sum, visits) => sum + visits, 0)),
    ended,
  )
  const order = [...expected].sort(([a, v], [b, w]) => w - v || (a < b ? -1 : 1))
  for (const limit of [1, 3, 10, 30, 100]) {
    const found = topPaths(paths, nameOf, limit)
    assert.deepEqual(
      found.filter(({ pages }) => pages).map(({ pages, visits }) => [pages?.join('\n'), visits]),
      order.slice(0, limit),
    )
    assert.equal(
      found.reduce((sum, { visits }) => sum + visits, 0),
      60_000,
    )
  }
})

test('paths that are not kept count their steps only', () => {
  const [all, steps] = [openPaths(STEPS, 1000, true), openPaths(STEPS, 1000, false)]
  for (const { path, onward } of visits(1_000)) for (const paths of [all, steps]) paths.add(path, path.length, onward)
  assert.deepEqual(steps.steps, all.steps)
  steps.each(() => assert.fail('a path was kept'))
})

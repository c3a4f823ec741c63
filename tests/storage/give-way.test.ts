/** Long work that gives way: what takes several turns of the event loop does not wait for a piece of it in each. */
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { giveWay } from '../../storage/system/event-loop.ts'

const busy = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

for (const [ms, much] of [
  [1, 'something'],
  [0.1, 'hardly anything'],
] as const) {
  test(`a request of ten turns with ${much} to do in each waits for a piece or two of work that can wait, and the work goes on`, async () => {
    let [pieces, isOver] = [0, false]
    const work = (async () => {
      while (!isOver) {
        for (let i = 0; i < 3; i++) {
          busy(5)
          await giveWay()
        }
        pieces++
      }
    })()
    await nextTurn()
    const before = pieces
    for (let turn = 0; turn < 10; turn++) {
      busy(ms)
      await nextTurn()
    }
    const during = pieces - before
    while (pieces < before + during + 3) await nextTurn()
    isOver = true
    await work
    assert.ok(during <= 2, `${during} pieces`)
  })
}

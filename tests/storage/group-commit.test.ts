import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupCommit } from '../../storage/hits/group-commit.ts'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'

const limits = { lingerMs: 0, maxBatch: 4 }

/** Commits when told to; the answer to an item is ten times the item. */
function manual() {
  const batches: number[][] = []
  const gates: ((error?: Error) => void)[] = []
  const queue = groupCommit<number, number>(items => {
    batches.push([...items])
    return new Promise((resolve, reject) => {
      gates.push(error => (error ? reject(error) : resolve(items.map(item => item * 10))))
    })
  }, limits)
  const begun = async (count: number) => {
    while (batches.length < count) await new Promise(setImmediate)
  }
  return { queue, batches, begun, finish: (error?: Error) => gates.shift()?.(error) }
}

describe('group commit', () => {
  test('calls of one turn are one batch, and calls during its commit are the next', async () => {
    const { queue, batches, begun, finish } = manual()
    const first = [queue.add([1]), queue.add([2])]
    await begun(1)
    const second = [queue.add([3]), queue.add([4])]
    await new Promise(setImmediate)
    assert.deepEqual(batches, [[1, 2]])
    finish()
    await begun(2)
    finish()
    assert.deepEqual(await Promise.all([...first, ...second]), [[10], [20], [30], [40]])
    assert.deepEqual(batches, [
      [1, 2],
      [3, 4],
    ])
  })

  test('a batch waits a few turns for those who sent the one before, but not for ever', async () => {
    const { queue, batches, begun, finish } = manual()
    const first = [queue.add([1]), queue.add([2])]
    await begun(1)
    finish()
    await Promise.all(first)
    const again = [queue.add([3])]
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    again.push(queue.add([4]))
    await begun(2)
    finish()
    await Promise.all(again)
    void queue.add([5])
    await begun(3)
    finish()
    assert.deepEqual(batches, [[1, 2], [3, 4], [5]])
    await queue.close()
  })

  test('a call is never divided, and a call larger than a batch is a batch of its own', async () => {
    const { queue, batches, begun, finish } = manual()
    const calls = [[1, 2, 3], [4, 5], [6, 7, 8, 9, 10], [11]].map(items => queue.add(items))
    for (const n of [1, 2, 3, 4]) {
      await begun(n)
      finish()
    }
    assert.deepEqual(
      (await Promise.all(calls)).map(answers => answers.length),
      [3, 2, 5, 1],
    )
    assert.deepEqual(batches, [[1, 2, 3], [4, 5], [6, 7, 8, 9, 10], [11]])
  })

  test('a failed batch rejects its calls and no others', async () => {
    const { queue, begun, finish } = manual()
    const lost = queue.add([1])
    await begun(1)
    const kept = queue.add([2])
    finish(new Error('disk full'))
    await assert.rejects(lost, /disk full/)
    await begun(2)
    finish()
    assert.deepEqual(await kept, [20])
  })

  test('if the database cannot be used, waiting calls fail, and later calls are tried again', async () => {
    const { queue, batches, begun, finish } = manual()
    const early = [[1, 2, 3], [4, 5], [6]].map(items => queue.add(items))
    await begun(1)
    const late = [queue.add([7]), queue.add([8])]
    const refused = Promise.all(early.map(call => assert.rejects(call, StorageUnavailable)))
    finish(new StorageUnavailable('locked', 'Another process holds the lock'))
    await refused
    await begun(2)
    assert.equal(queue.queued(), 2)
    finish()
    assert.deepEqual(await Promise.all(late), [[70], [80]])
    assert.deepEqual(batches, [
      [1, 2, 3],
      [7, 8],
    ])
    await queue.close()
  })

  test('the group commit reports how many items wait or are being committed', async () => {
    const { queue, begun, finish } = manual()
    const calls = [queue.add([1, 2, 3])]
    assert.equal(queue.queued(), 3)
    calls.push(queue.add([4, 5, 6]))
    assert.equal(queue.queued(), 6)
    await begun(1)
    finish()
    await begun(2)
    assert.equal(queue.queued(), 3)
    finish()
    await Promise.all(calls)
    await queue.close()
    assert.equal(queue.queued(), 0)
  })

  test('closing waits for what was taken, and takes no more', async () => {
    const { queue, batches, begun, finish } = manual()
    const taken = [queue.add([1, 2, 3]), queue.add([4, 5])]
    let closed = false
    const closing = queue.close().then(() => {
      closed = true
    })
    await assert.rejects(queue.add([6]), /closed/)
    await begun(1)
    assert.equal(closed, false)
    finish()
    await begun(2)
    finish()
    await closing
    await Promise.all(taken)
    assert.deepEqual(batches, [
      [1, 2, 3],
      [4, 5],
    ])
  })

  test('an empty call is answered with nothing', async () => {
    const { queue, begun, finish } = manual()
    const call = queue.add([])
    await begun(1)
    finish()
    assert.deepEqual(await call, [])
  })
})

/** `processDueRows`: a slow row delays only its own lane, and results are passed on with the next claim. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processDueRows } from '../../../runtime/tasks/process-due-rows.ts'

interface Row {
  readonly lane: string
  readonly n: number
  readonly ms?: number
  readonly fault?: boolean
}

/** Processes a queue, one row of a lane at a time. */
async function processed(rows: readonly Row[], { most: max = 10, signal = new AbortController().signal, onWork = (_: Row) => {} } = {}) {
  const queue = [...rows]
  const done: string[] = []
  const results: string[] = []
  const free: number[] = []
  const end = processDueRows<Row, string>({
    max,
    signal,
    checkIntervalMs: 20,
    laneOf: ({ lane }) => lane,
    async claim(places, busy, ended) {
      results.push(...ended)
      free.push(places)
      const claimed: Row[] = []
      for (const row of [...queue]) {
        if (claimed.length === places || busy.has(row.lane) || claimed.some(({ lane }) => lane === row.lane)) continue
        claimed.push(...queue.splice(queue.indexOf(row), 1))
      }
      return claimed
    },
    async work(row) {
      onWork(row)
      await new Promise(resolve => setTimeout(resolve, row.ms ?? 0))
      if (row.fault) throw new Error(`row ${row.n}`)
      done.push(`${row.lane}${row.n}`)
      return `${row.lane}${row.n}`
    },
  })
  return {
    end: await end.then(
      () => undefined,
      (error: unknown) => error,
    ),
    done,
    results,
    free,
    queue,
  }
}

test('a slow row delays its own lane and no other', async () => {
  const { done } = await processed([
    { lane: 'a', n: 1, ms: 200 },
    { lane: 'a', n: 2 },
    { lane: 'b', n: 1 },
    { lane: 'b', n: 2 },
    { lane: 'b', n: 3 },
  ])
  assert.deepEqual(done, ['b1', 'b2', 'b3', 'a1', 'a2'])
})

test('every result is passed on exactly once, including the last', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({ lane: `${n % 7}-`, n, ms: n % 5 }))
  const { done, results } = await processed(rows, { most: 4 })
  assert.equal(results.length, 30)
  assert.deepEqual(results.toSorted(), done.toSorted())
})

test('at most `max` rows are in progress, and a claim receives the number of free places', async () => {
  const { free } = await processed(
    Array.from({ length: 9 }, (_, n) => ({ lane: `${n}`, n, ms: 5 })),
    { most: 3 },
  )
  assert.ok(
    free.every(places => places >= 0 && places <= 3),
    String(free),
  )
})

test('after an abort nothing is claimed, and rows in progress are finished and their results passed on', async () => {
  const stop = new AbortController()
  const { results, queue } = await processed(
    [
      { lane: 'a', n: 1, ms: 30 },
      { lane: 'a', n: 2 },
    ],
    {
      signal: stop.signal,
      onWork: () => stop.abort(),
    },
  )
  assert.deepEqual([results, queue.length], [['a1'], 1])
})

test('an error is thrown after the other rows are done', async () => {
  const { end, done } = await processed([
    { lane: 'a', n: 1, fault: true },
    { lane: 'b', n: 2, ms: 50 },
  ])
  assert.match(String(end), /row 1/)
  assert.deepEqual(done, ['b2'])
})

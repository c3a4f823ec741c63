/**
 * Group commit: items that arrive during a transaction go into the next one, so that batches grow with the load and an
 * idle server answers at once. The items of one call are never split.
 *
 * If a transaction cannot begin because another process has the lock, its batch fails, and so do the calls that were
 * already waiting when it was tried: they have waited as long. Later calls are tried again. So no call waits longer
 * than twice the store's patience.
 */
import { setImmediate as nextTurn, setTimeout as later } from 'node:timers/promises'
import { settled, yieldWhereDue } from '../system/event-loop.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'

export interface GroupCommit<Item, Answer> {
  /** Settles with the transaction of the items. */
  add(items: readonly Item[]): Promise<readonly Answer[]>
  /** Number of items that wait, and of those in the open transaction. */
  queued(): number
  /** Accepts no more items, and resolves when everything is committed. */
  close(): Promise<void>
}

interface Call<Item, Answer> {
  readonly items: readonly Item[]
  readonly resolve: (answers: readonly Answer[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * @param commit one transaction; returns one answer for each item, in order
 * @param limits `lingerMs`: time to wait for further items; 0: for as long as each turn of the event loop brings some.
 * `maxBatch` counts items
 */
export function groupCommit<Item, Answer>(
  commit: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { lingerMs, maxBatch }: { lingerMs: number; maxBatch: number },
): GroupCommit<Item, Answer> {
  let waiting: Call<Item, Answer>[] = []
  let queued = 0
  /** Items of the batch before. */
  let previous = 0
  let active: Promise<void> | undefined
  let closed = false

  function nextBatch(): Call<Item, Answer>[] {
    let size = 0
    const end = waiting.findIndex(call => (size += call.items.length) > maxBatch)
    const batch = end === -1 ? waiting : waiting.slice(0, Math.max(end, 1))
    waiting = waiting.slice(batch.length)
    return batch
  }

  async function commitBatch(): Promise<void> {
    const batch = nextBatch()
    const items: Item[] = []
    for (const call of batch) for (const item of call.items) items.push(item)
    const behind = waiting.length
    try {
      const answers = await commit(items)
      let from = 0
      await inTurns(batch, call => call.resolve(answers.slice(from, (from += call.items.length))))
    } catch (error) {
      await inTurns(batch, call => call.reject(error))
      if (error instanceof StorageUnavailable) await rejectFirst(behind, error)
    } finally {
      previous = items.length
      queued -= items.length
    }
  }

  /** Of these calls nothing was tried: the error names no transaction. */
  async function rejectFirst(count: number, error: StorageUnavailable): Promise<void> {
    const tried = waiting.slice(0, count)
    waiting = waiting.slice(count)
    const untried = new StorageUnavailable(error.reason, error.message, { cause: error })
    await inTurns(tried, ({ items, reject }) => {
      queued -= items.length
      reject(untried)
    })
  }

  async function run(): Promise<void> {
    do {
      await (lingerMs > 0 && !closed ? later(lingerMs) : company())
      await commitBatch()
    } while (waiting.length > 0)
    active = undefined
  }

  /**
   * Waits for further items: one turn of the event loop, and further turns while each brings some. The callers of the last
   * batch may send again as soon as they have their answers. So until there are as many items, some turns may bring none.
   */
  async function company(): Promise<void> {
    for (let without = 0; without < (queued < previous ? patience : 1) && queued < maxBatch; ) {
      const before = queued
      await nextTurn()
      without = queued > before ? 0 : without + 1
    }
  }

  return Object.freeze<GroupCommit<Item, Answer>>({
    add(items) {
      if (closed) return Promise.reject(new Error('The hit store is closed'))
      queued += items.length
      return new Promise((resolve, reject) => {
        waiting.push({ items, resolve, reject })
        active ??= run()
      })
    },
    queued: () => queued,
    async close() {
      closed = true
      while (active) await active
    },
  })
}

/** Turns of the event loop without a further item, a few µs each, that a batch waits for the callers of the last batch. */
const patience = 5

/** Number of answers between two reads of the clock, each of which takes as long as half an answer. */
const answersAtOnce = 16

/** Answers the calls, of which thousands may wait and each writes a response: in each turn of the event loop as many as its time allows. */
async function inTurns<T>(calls: readonly T[], answer: (call: T) => void): Promise<void> {
  for (const [i, call] of calls.entries()) {
    answer(call)
    if ((i + 1) % answersAtOnce > 0) continue
    await settled()
    await yieldWhereDue()
  }
}

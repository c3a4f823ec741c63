/**
 * Group commit: what arrives while one transaction runs goes into the next, so that load makes its own batches and
 * an idle server answers at once. Calls are never divided between two transactions.
 *
 * A transaction that could not begin for want of the database (another process holds the lock) fails its batch, and with
 * it the calls that were waiting behind it when it was tried: they have waited as long. Those that came later have not,
 * and are tried again. So a call waits at most twice the store's patience, however many wait.
 */
import { StorageUnavailable } from '../unavailable.ts'

export interface GroupCommit<Item, Answer> {
  /** Settles when the transaction that holds the items does. */
  add(items: readonly Item[]): Promise<readonly Answer[]>
  /** Commits soon, with or without items. */
  wake(): void
  /** More is waiting than should. */
  full(): boolean
  /** Takes no more, and ends when everything is committed. */
  close(): Promise<void>
}

interface Call<Item, Answer> {
  readonly items: readonly Item[]
  readonly resolve: (answers: readonly Answer[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * @param commit one transaction; answers one an item, in their order
 * @param limits `lingerMs` waited for company before a batch, 0: as long as each turn of the event loop brings more;
 *   `maxBatch` and `maxQueued` count items
 */
export function groupCommit<Item, Answer>(
  commit: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { lingerMs, maxBatch, maxQueued }: { lingerMs: number; maxBatch: number; maxQueued: number },
): GroupCommit<Item, Answer> {
  let waiting: Call<Item, Answer>[] = []
  let queued = 0
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
    const items = batch.flatMap(call => call.items)
    const behind = waiting.length
    try {
      const answers = await commit(items)
      let from = 0
      for (const call of batch) call.resolve(answers.slice(from, (from += call.items.length)))
    } catch (error) {
      for (const call of batch) call.reject(error)
      if (error instanceof StorageUnavailable) await rejectFirst(behind, error)
    } finally {
      queued -= items.length
    }
  }

  /** Some in each turn of the event loop: thousands may wait, and each is answered. */
  async function rejectFirst(count: number, error: unknown): Promise<void> {
    const tried = waiting.slice(0, count)
    waiting = waiting.slice(count)
    for (const [i, { items, reject }] of tried.entries()) {
      if (i % 64 === 0) await turn()
      queued -= items.length
      reject(error)
    }
  }

  async function run(): Promise<void> {
    do {
      await (lingerMs > 0 && !closed ? later(lingerMs) : company())
      await commitBatch()
    } while (waiting.length > 0)
    active = undefined
  }

  /** A turn of the event loop, and more while each brings more. */
  async function company(): Promise<void> {
    let before: number
    do {
      before = queued
      await turn()
    } while (queued > before && queued < maxBatch)
  }

  const wake = (): void => {
    active ??= run()
  }

  return Object.freeze<GroupCommit<Item, Answer>>({
    add(items) {
      if (closed) return Promise.reject(new Error('The hit store is closed'))
      queued += items.length
      return new Promise((resolve, reject) => {
        waiting.push({ items, resolve, reject })
        wake()
      })
    },
    wake,
    full: () => queued >= maxQueued,
    async close() {
      closed = true
      while (active) await active
    },
  })
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
const later = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

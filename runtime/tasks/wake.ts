/** Starts a task as soon as a transaction with work for it is committed, instead of at its next interval. */
import type { Db, Store } from '../../storage/store.ts'

const woken = new WeakMap<Db, Set<string>>()

/**
 * Wakes a task of this process once `trx` is committed; other processes find the work at their next interval.
 * @param trx from an operation, a subscriber, or the context's `store.transaction`
 */
export function wakeAfter(trx: Db, task: string): void {
  woken.get(trx)?.add(task)
}

/** Wraps a store so that it reports the tasks woken by each committed transaction. */
export function wakingStore(store: Store, wake: (task: string) => void): Store {
  return Object.freeze({
    ...store,
    async transaction(run, options) {
      const tasks = new Set<string>()
      const result = await store.transaction(trx => {
        woken.set(trx, tasks)
        return run(trx)
      }, options)
      for (const task of tasks) wake(task)
      return result
    },
  } satisfies Store)
}

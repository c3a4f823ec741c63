/** Lets a task begin at once when a transaction has made work for it, instead of when it next looks. */
import type { Db, Store } from '../storage/store.ts'

const woken = new WeakMap<Db, Set<string>>()

/**
 * Wakes a task of this process once `trx` is committed; other processes find the work when they next look.
 * @param trx as handed to an operation, a subscriber, or by the context's `store.transaction`
 */
export function wakeAfter(trx: Db, task: string): void {
  woken.get(trx)?.add(task)
}

/** The same store, telling whom a committed transaction woke. */
export function wakingStore(store: Store, wake: (task: string) => void): Store {
  return Object.freeze({
    ...store,
    async transaction(run) {
      const tasks = new Set<string>()
      const result = await store.transaction(trx => {
        woken.set(trx, tasks)
        return run(trx)
      })
      for (const task of tasks) wake(task)
      return result
    },
  } satisfies Store)
}

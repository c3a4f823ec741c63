/** Work that something else overtakes at any moment: a decision that was made before its transaction may be wrong by then. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Store, Trx } from '../../storage/store.ts'

/**
 * Calls `run` with a store whose caller is overtaken before its first transaction, then again before its second one, and so on.
 * @param run gets a function that makes this store, and must end in the same way each time
 */
export async function overtaken(store: Store, run: (slowly: (meanwhile: () => Promise<unknown>) => Store) => Promise<void>): Promise<void> {
  for (let [at, isOvertaken] = [1, true]; isOvertaken; at++) {
    isOvertaken = false
    let count = 0
    await run(meanwhile => ({
      ...store,
      async transaction(work, options) {
        if (++count === at) {
          isOvertaken = true
          await meanwhile()
        }
        return store.transaction(work, options)
      },
    }))
  }
}

/** Begins a call while a transaction is under way, which ends once the call waits for it or is over. */
export async function during<T>(store: Store, work: (trx: Trx) => Promise<unknown>, call: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined
  await store.transaction(async trx => {
    await work(trx)
    let isOver = false
    begun = call()
    void begun.finally(() => (isOver = true)).catch(() => {}) // the caller gets it
    while (!isOver && !(await isWaitedFor(store))) await new Promise(resolve => setTimeout(resolve, 5))
  })
  return begun ?? assert.fail('the transaction did not run')
}

/** SQLite has one writer at a time, so writers wait. */
async function isWaitedFor({ read, dialect }: Store): Promise<boolean> {
  if (dialect.name === 'sqlite') return true
  const { rows } = await sql`
    select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(read)
  return rows.length > 0
}

/** Work that something else overtakes at any moment: a decision that was made before its transaction may be wrong by then. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Store, Trx } from '../../storage/store.ts'

/**
 * Calls `run` with a store whose caller is overtaken before its first transaction or after its first read, then again at the next of
 * them, and so on.
 * @param run gets a function that makes this store, and must end in the same way each time
 */
export async function overtaken(store: Store, run: (slowly: (meanwhile: () => Promise<unknown>) => Store) => Promise<void>): Promise<void> {
  for (let [at, isOvertaken] = [1, true]; isOvertaken; at++) {
    isOvertaken = false
    let [count, isWriting] = [0, false]
    await run(meanwhile => {
      const pass = async () => {
        if (isWriting || ++count !== at) return
        isOvertaken = true
        await meanwhile()
      }
      return {
        ...store,
        read: afterEach(store.read, pass),
        async transaction(work, options) {
          await pass()
          isWriting = true // others would wait for it
          return store.transaction(work, options).finally(() => (isWriting = false))
        },
      }
    })
  }
}

/** The database, whose queries end once `pass` has ended: a plugin would hold the connection meanwhile. */
function afterEach(read: Store['read'], pass: () => Promise<void>): Store['read'] {
  const own = read.withPlugin({ transformQuery: ({ node }) => node, transformResult: async ({ result }) => result })
  const executor: Mutable<ReturnType<typeof own.getExecutor>> = own.getExecutor()
  const { executeQuery } = executor
  executor.executeQuery = async (...given) => {
    const result = await Reflect.apply(executeQuery, executor, given)
    await pass()
    return result
  }
  return own
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

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

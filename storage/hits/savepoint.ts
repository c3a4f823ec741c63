/** Runs a part of a transaction that may fail on its own. On Postgres an error would abort the whole transaction (docs/platform.md §1). */
import { sql } from 'kysely'
import type { Trx } from '../store.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'

export async function withSavepoint<T>(trx: Trx, run: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(trx)
  try {
    const done = await run()
    await sql`release savepoint part`.execute(trx)
    return done
  } catch (error) {
    // If the database is unavailable, the whole transaction is lost, and there is nothing to roll back to.
    if (error instanceof StorageUnavailable) throw error
    await sql`rollback to savepoint part`.execute(trx)
    await sql`release savepoint part`.execute(trx)
    throw error
  }
}

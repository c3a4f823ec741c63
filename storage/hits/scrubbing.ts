/** Overwrites what is deleted, so that none of its bytes stay in the files of the database. */
import { sql } from 'kysely'
import type { Db, Store } from '../store.ts'

/**
 * Runs deletions whose bytes are to be overwritten, too: SQLite otherwise leaves them in free space. Copies of them are left until
 * `scrubCopies`.
 */
export async function scrubbing<T>(store: Store, trx: Db, run: () => Promise<T>): Promise<T> {
  if (store.isShared) return run()
  await sql`pragma secure_delete = on`.execute(trx)
  try {
    return await run()
  } finally {
    await sql`pragma secure_delete = fast`.execute(trx)
  }
}

/** A part of a transaction that may fail alone: on Postgres an error would end the whole (docs/platform.md §1). */
import { sql } from 'kysely'
import type { Trx } from '../store.ts'

export async function withSavepoint<T>(trx: Trx, run: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(trx)
  try {
    return await run()
  } catch (error) {
    await sql`rollback to savepoint part`.execute(trx)
    throw error
  } finally {
    await sql`release savepoint part`.execute(trx)
  }
}

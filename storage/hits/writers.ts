/** How far each writer of hits came. Its position changes in the transaction of the hits, so that each batch is stored once. */
import type { Db, Trx } from '../store.ts'
import type { BatchMark } from '../values/storage-unavailable.ts'

/** Number of the last batch that is stored; 0 for none. */
export async function positionOf(db: Db, writer: string): Promise<number> {
  const row = await db.selectFrom('hit_writers').select('position').where('writer', '=', writer).executeTakeFirst()
  return row?.position ?? 0
}

/** @param batch the one that is stored in the transaction @param from the last one before @throws Error if that is another one by now */
export async function advance(trx: Trx, { writer, position, at }: BatchMark, from: number): Promise<void> {
  await trx
    .insertInto('hit_writers')
    .values({ writer, position: 0, updated_at: at })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { numUpdatedRows } = await trx
    .updateTable('hit_writers')
    .set({ position, updated_at: at })
    .where('writer', '=', writer)
    .where('position', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`Hits of ${writer} after ${from} were stored by another process`)
}

/**
 * Whether a batch was committed whose connection was lost at its end. Waits for a transaction that has not ended yet, because
 * it writes the same row.
 */
export async function wasCommitted(db: Db, { writer, position, at }: BatchMark): Promise<boolean> {
  const row = await db
    .insertInto('hit_writers')
    .values({ writer, position: 0, updated_at: at })
    .onConflict(conflict => conflict.column('writer').doUpdateSet({ updated_at: at }))
    .returning('position')
    .executeTakeFirstOrThrow()
  return row.position === position
}

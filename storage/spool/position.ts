/** How far each file of waiting hits is stored. The position changes in the transaction of its hits, so each is stored once. */
import type { Db, Trx } from '../store.ts'

/** Number of the last record of the file that is stored, or known not to be wanted. */
export async function positionOf(db: Db, file: string): Promise<number> {
  const row = await db.selectFrom('hit_spools').select('position').where('file', '=', file).executeTakeFirst()
  return row?.position ?? 0
}

/** @throws Error if the position is another one by now: another process has stored these records */
export async function advance(trx: Trx, { file, from, to, at }: { file: string; from: number; to: number; at: number }): Promise<void> {
  await trx
    .insertInto('hit_spools')
    .values({ file, position: 0, updated_at: at })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { numUpdatedRows } = await trx
    .updateTable('hit_spools')
    .set({ position: to, updated_at: at })
    .where('file', '=', file)
    .where('position', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`Hits of ${file} after ${from} were stored by another process`)
}

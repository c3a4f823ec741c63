import type { Db } from '../../../storage/store.ts'

/** The hash of somebody's password; null where they have none. */
export async function passwordOf(db: Db, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('passwords').select('hash').where('account_id', '=', accountId).executeTakeFirst()
  return row?.hash ?? null
}

/** Whether this is the password still. If so, it stays until the transaction ends: whoever changes it waits, and then ends what was begun. */
export async function isStillPassword(db: Db, accountId: string, hashed: string): Promise<boolean> {
  const row = await db
    .updateTable('passwords')
    .set({ hash: hashed })
    .where('account_id', '=', accountId)
    .where('hash', '=', hashed)
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps the hash of a password, instead of the one before. */
export async function keepPassword(db: Db, { accountId, hashed, now }: { accountId: string; hashed: string; now: number }): Promise<void> {
  await db
    .insertInto('passwords')
    .values({ account_id: accountId, hash: hashed, changed_at: now })
    .onConflict(on => on.column('account_id').doUpdateSet({ hash: hashed, changed_at: now }))
    .execute()
}

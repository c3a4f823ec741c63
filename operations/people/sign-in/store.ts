import type { Db } from '../../../storage/store.ts'

/** Returns the hash of an account's password; null if it has none. */
export async function passwordOf(db: Db, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('passwords').select('hash').where('account_id', '=', accountId).executeTakeFirst()
  return row?.hash ?? null
}

/** Whether the password is unchanged. If so, it cannot change until the transaction ends: a later change then ends this sign-in. */
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

/** Stores the hash of a password, replacing the previous one. */
export async function keepPassword(db: Db, { accountId, hashed, now }: { accountId: string; hashed: string; now: number }): Promise<void> {
  await db
    .insertInto('passwords')
    .values({ account_id: accountId, hash: hashed, changed_at: now })
    .onConflict(on => on.column('account_id').doUpdateSet({ hash: hashed, changed_at: now }))
    .execute()
}

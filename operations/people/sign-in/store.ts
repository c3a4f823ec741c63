import type { Db } from '../../../storage/store.ts'

/** Keeps the hash of a password, instead of the one before. */
export async function keepPassword(db: Db, { accountId, hashed, now }: { accountId: string; hashed: string; now: number }): Promise<void> {
  await db
    .insertInto('passwords')
    .values({ account_id: accountId, hash: hashed, changed_at: now })
    .onConflict(on => on.column('account_id').doUpdateSet({ hash: hashed, changed_at: now }))
    .execute()
}

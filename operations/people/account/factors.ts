import type { Db } from '../../../storage/store.ts'

/** Stores in the account which factors it has in addition to a password. */
export async function noteFactors(
  db: Db,
  accountId: string,
  { twoFactor, passkeys }: { twoFactor?: boolean; passkeys?: number },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ id: accountId, two_factor: twoFactor === undefined ? undefined : Number(twoFactor), passkeys })
    .where('id', '=', accountId)
    .execute()
}

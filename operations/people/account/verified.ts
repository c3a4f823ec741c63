/**
 * Whether the address of an account is known to be its person's (docs/decisions.md §7). Until it is, the account may have been
 * made by anybody who was handed a link: it gets nothing that is meant for the holder of the address.
 */
import { account_claimed } from '../../../runtime/claimed.ts'
import type { Emit } from '../../../runtime/event.ts'
import type { Db } from '../../../storage/store.ts'
import type { AccountRow } from '../../../storage/tables/index.ts'

export const isVerified = ({ email_verified_at }: Pick<AccountRow, 'email_verified_at'>): boolean => email_verified_at !== null

/**
 * The address of this account was proved: by a mailed link, an identity provider of a verified domain, or the operator. If it is
 * the first proof, everything that was set before ends; what the proof itself sets comes after this call.
 * @returns whether it was the first
 */
export async function proveAddress(
  { db, now, emit }: { readonly db: Db; readonly now: number; readonly emit: Emit },
  accountId: string,
): Promise<boolean> {
  const claimed = await db
    .updateTable('accounts')
    .set({ email_verified_at: now, unconfirmed_email: null })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!claimed) return false
  await emit(account_claimed, { accountId })
  return true
}

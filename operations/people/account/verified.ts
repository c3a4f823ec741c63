/**
 * Whether the address of an account is known to be its person's (docs/decisions.md §9). Until it is, the account may have been
 * made by anybody who was handed a link: it gets nothing that is meant for the holder of the address.
 */
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import type { Db } from '../../../storage/store.ts'
import type { AccountRow } from '../../../storage/tables/index.ts'
import { findAccount } from './add.ts'

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

/**
 * The address was proved by a person who is signed in to the account: the mailbox and what is set up here are in the same hands, so
 * nothing ends.
 */
export async function noteVerified({ db, now }: { readonly db: Db; readonly now: number }, accountId: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ email_verified_at: now })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .execute()
}

/**
 * The unverified account of an address, taken over by its holder.
 * @returns its id; undefined where there is none, or somebody has proved the address before
 */
export async function claimAccount(
  proving: Parameters<typeof proveAddress>[0],
  email: string,
  { name = null, locale }: { readonly name?: string | null | undefined; readonly locale: string },
): Promise<string | undefined> {
  const { db } = proving
  const account = await findAccount(db, email)
  if (!account || !(await proveAddress(proving, account.id))) return undefined
  await db
    .updateTable('accounts')
    .set({ name: name || null, locale })
    .where('id', '=', account.id)
    .execute()
  return account.id
}

/**
 * The account of an address that nobody has come to yet, made by an identity provider that may not say whose the address is. It is no
 * obstacle to whoever follows a link: locked until the transaction ends, so that it goes to one of them.
 * @returns its id; undefined where there is none, or somebody has set something up in it
 */
export async function lockUnused(db: Db, email: string): Promise<string | undefined> {
  const address = canonicalEmail(email)
  const account = await db
    .updateTable('accounts')
    .set({ email: address })
    .where('email', '=', address)
    .where('email_verified_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return account && !(await isUsed(db, account.id)) ? account.id : undefined
}

async function isUsed(db: Db, accountId: string): Promise<boolean> {
  for (const table of ['passwords', 'passkeys', 'totp', 'sessions', 'sso_identities'] as const) {
    if (await db.selectFrom(table).select('account_id').where('account_id', '=', accountId).limit(1).executeTakeFirst()) return true
  }
  const own = db.selectFrom('members').select('id').where('account_id', '=', accountId)
  const token = db.selectFrom('api_tokens').select('id').where('member_id', 'in', own).where('revoked_at', 'is', null)
  return (await token.limit(1).executeTakeFirst()) !== undefined
}

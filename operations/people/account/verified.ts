/**
 * Whether the address of an account is known to belong to its person (docs/decisions.md §9). Until it is, anyone with a link may
 * have created the account, so it receives nothing that is meant for the holder of the address.
 */
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import type { Db } from '../../../storage/store.ts'
import type { AccountRow } from '../../../storage/tables/index.ts'
import { findAccount, type Proof } from './add.ts'

export const isVerified = ({ email_verified_at }: Pick<AccountRow, 'email_verified_at'>): boolean => email_verified_at !== null

/**
 * Records that the address of this account was proved. The first proof ends everything that was set up before. If only a provider
 * has proved it, the mailbox ends what that provider could have set up beyond its workspace. Set up what the proof itself brings
 * after this call.
 * @returns whether it was the first proof
 */
export async function proveAddress(
  { db, now, emit }: { readonly db: Db; readonly now: number; readonly emit: Emit },
  accountId: string,
  by: Proof,
): Promise<boolean> {
  const claimed = await db
    .updateTable('accounts')
    .set({ email_verified_at: now, unconfirmed_email: null, mailbox_proved_at: by === 'mailbox' ? now : null })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (claimed) await emit(account_claimed, { accountId })
  else if (by === 'mailbox') await proveMailbox({ db, now, emit }, accountId)
  return claimed !== undefined
}

async function proveMailbox({ db, now, emit }: Parameters<typeof proveAddress>[0], accountId: string): Promise<void> {
  const proved = await db
    .updateTable('accounts')
    .set({ mailbox_proved_at: now })
    .where('id', '=', accountId)
    .where('mailbox_proved_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (proved) await emit(account_claimed, { accountId, since: 0, isKnownToProvider: true })
}

/**
 * Records that a signed-in person has proved the address. The same person controls the mailbox and the account, so
 * nothing ends.
 */
export async function noteVerified({ db, now }: { readonly db: Db; readonly now: number }, accountId: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ email_verified_at: now, mailbox_proved_at: now })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .execute()
}

/**
 * Hands the unverified account of an address to its holder.
 * @returns its id; undefined if there is none, or the address was proved before
 */
export async function claimAccount(
  proving: Parameters<typeof proveAddress>[0],
  email: string,
  { name = null, locale }: { readonly name?: string | null | undefined; readonly locale: string },
): Promise<string | undefined> {
  const { db } = proving
  const account = await findAccount(db, email)
  if (!account || !(await proveAddress(proving, account.id, 'mailbox'))) return undefined
  await db
    .updateTable('accounts')
    .set({ name: name || null, locale })
    .where('id', '=', account.id)
    .execute()
  return account.id
}

/**
 * Finds an unused account that an identity provider created without the right to say who holds the address. It must not
 * block a person who follows a link. The account stays locked until the transaction ends, so that only one person receives it.
 * @returns its id; undefined if there is none, or if the account is in use
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

import type { IdKind } from '../../../runtime/values/ids.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import type { Db } from '../../../storage/store.ts'
import type { AccountRow } from '../../../storage/tables/index.ts'
import { ids } from './records.ts'

/**
 * The proofs of an address: the mailbox (a mailed link, or the operator of the machine in its place), or an identity provider of a
 * verified domain. A provider answers for its workspace only.
 */
export type Proof = 'mailbox' | 'provider'

interface AccountServices {
  readonly now: number
  newId(kind: IdKind): string
}

interface NewAccount {
  readonly name?: string | null | undefined
  readonly locale?: string
  /** The proof that the address belongs to the person; undefined without one. */
  readonly provedBy?: Proof | undefined
}

/** Finds the account with this e-mail address; compares it in canonical form. */
export function findAccount(db: Db, email: string): Promise<Pick<AccountRow, 'id' | 'email' | 'email_verified_at'> | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'email_verified_at'])
    .where('email', '=', canonicalEmail(email))
    .executeTakeFirst()
}

/**
 * Creates an account with default settings.
 * @param given values of the new account
 * @returns its id; undefined if another account has the address, for example because a concurrent transaction created it
 */
export async function addAccount(
  db: Db,
  { now, newId }: AccountServices,
  { email, name = null, locale = 'en', provedBy }: NewAccount & { readonly email: string },
): Promise<string | undefined> {
  const added = await db
    .insertInto('accounts')
    .values({
      id: newId(ids.account),
      email: canonicalEmail(email),
      unconfirmed_email: null,
      email_verified_at: provedBy ? now : null,
      mailbox_proved_at: provedBy === 'mailbox' ? now : null,
      name: name || null,
      theme: 'system',
      default_landing: 'sites',
      locale,
      timezone: null,
      shortcuts_enabled: 1,
      reduce_motion: 0,
      product_emails: 1,
      newsletter: 0,
      marketing_emails: 1,
      two_factor: 0,
      passkeys: 0,
      created_at: now,
    })
    .onConflict(conflict => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

/**
 * Finds the account with this e-mail address, or creates it. Do not use it before setting a password: the account may belong to another person.
 * @param given values for a new account; an existing account keeps its own
 * @returns its id
 */
export async function findOrAddAccount(
  db: Db,
  { adding, email, given = {} }: { adding: AccountServices; email: string; given?: NewAccount | undefined },
): Promise<string> {
  const id = (await findAccount(db, email))?.id ?? (await addAccount(db, adding, { ...given, email }))
  return id ?? (await db.selectFrom('accounts').select('id').where('email', '=', canonicalEmail(email)).executeTakeFirstOrThrow()).id
}

/** Sets the language of a person who signs in for the first time to an account that was created for them. */
export async function speak(db: Db, accountId: string, locale: string): Promise<void> {
  await db.updateTable('accounts').set({ locale }).where('id', '=', accountId).execute()
}

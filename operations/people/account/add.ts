import type { IdKind } from '../../../runtime/values/ids.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import type { Db } from '../../../storage/store.ts'
import type { AccountRow } from '../../../storage/tables/index.ts'
import { ids } from './records.ts'

interface Adding {
  readonly now: number
  newId(kind: IdKind): string
}

interface Given {
  readonly name?: string | null | undefined
  readonly locale?: string
  /** The address is proved to be its person's, by what makes the account. */
  readonly isVerified?: boolean
}

/** The account with this e-mail address, however it is written. */
export function findAccount(db: Db, email: string): Promise<Pick<AccountRow, 'id' | 'email' | 'email_verified_at'> | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'email_verified_at'])
    .where('email', '=', canonicalEmail(email))
    .executeTakeFirst()
}

/**
 * A new account with default settings.
 * @param given of the new account
 * @returns its id; undefined where somebody has the address, also since another transaction that is just committed
 */
export async function addAccount(
  db: Db,
  { now, newId }: Adding,
  email: string,
  { name = null, locale = 'en', isVerified = false }: Given = {},
): Promise<string | undefined> {
  const added = await db
    .insertInto('accounts')
    .values({
      id: newId(ids.account),
      email: canonicalEmail(email),
      unconfirmed_email: null,
      email_verified_at: isVerified ? now : null,
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
 * Finds the account with this e-mail address, or creates it. Not for whoever then sets a password: the account may be another's.
 * @param given of a new account; an existing one keeps its own
 * @returns its id
 */
export async function findOrAddAccount(
  db: Db,
  { adding, email, given = {} }: { adding: Adding; email: string; given?: Given | undefined },
): Promise<string> {
  const id = (await findAccount(db, email))?.id ?? (await addAccount(db, adding, email, given))
  return id ?? (await db.selectFrom('accounts').select('id').where('email', '=', canonicalEmail(email)).executeTakeFirstOrThrow()).id
}

/** The language of somebody who comes for the first time, to an account that was made for them. */
export async function speak(db: Db, accountId: string, locale: string): Promise<void> {
  await db.updateTable('accounts').set({ locale }).where('id', '=', accountId).execute()
}

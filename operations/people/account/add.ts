import type { IdKind } from '../../../runtime/ids.ts'
import type { Db } from '../../../storage/store.ts'
import { ids } from './records.ts'

/**
 * Finds the account with this e-mail address, or creates it with default settings.
 * @param name for a new account; an existing one keeps its own
 * @returns its id
 */
export async function findOrAddAccount(
  db: Db,
  { now, newId }: { now: number; newId(kind: IdKind): string },
  email: string,
  name: string | null = null,
): Promise<string> {
  const find = () => db.selectFrom('accounts').select('id').where('email', '=', email)
  const known = await find().executeTakeFirst()
  if (known) return known.id
  await db
    .insertInto('accounts')
    .values({
      id: newId(ids.account),
      email,
      unconfirmed_email: null,
      name: name || null,
      theme: 'system',
      default_landing: 'sites',
      locale: 'en',
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
    .onConflict(conflict => conflict.column('email').doNothing()) // another transaction may make it at the same time
    .execute()
  return (await find().executeTakeFirstOrThrow()).id
}

import type { IdKind } from '../../../runtime/ids.ts'
import type { Db } from '../../../storage/store.ts'
import { ids } from './records.ts'

/** Finds the account with this e-mail address, or creates it with default settings. @returns its id */
export async function findOrAddAccount(
  db: Db,
  { now, newId }: { now: number; newId(kind: IdKind): string },
  email: string,
): Promise<string> {
  const known = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst()
  if (known) return known.id
  const id = newId(ids.account)
  await db
    .insertInto('accounts')
    .values({
      id,
      email,
      unconfirmed_email: null,
      name: null,
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
    .execute()
  return id
}

/** The language that somebody is written to in: that of their account; of who has none, what is given. */
import type { Db } from '../../../storage/store.ts'
import { type Say, sayIn } from '../../../runtime/texts/say.ts'

/** @param otherwise a locale, or the address of whose mail it is: somebody who invites writes in their own language */
export async function sayTo(db: Db, email: string, otherwise = 'en'): Promise<Say> {
  const known = await db.selectFrom('accounts').select(['email', 'locale']).where('email', 'in', [email, otherwise]).execute()
  const of = (address: string) => known.find(account => account.email === address)?.locale
  return sayIn(of(email) ?? of(otherwise) ?? otherwise)
}

/** One mail to several: in their language where all have the same one. */
export async function sayToAll(db: Db, emails: readonly string[]): Promise<Say> {
  const known = await db.selectFrom('accounts').select('locale').distinct().where('email', 'in', emails).execute()
  const [only, ...others] = known
  return sayIn(only && others.length === 0 ? only.locale : 'en')
}

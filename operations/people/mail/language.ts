/** The language of a mail: the language of the recipient's account, or a fallback. */
import type { Db } from '../../../storage/store.ts'
import { type Say, sayIn } from '../../../runtime/texts/say.ts'

/** @param otherwise fallback for a recipient without an account: a locale, or the address of the person who causes the mail, for example the inviter */
export async function sayTo(db: Db, email: string, otherwise = 'en'): Promise<Say> {
  const known = await db.selectFrom('accounts').select(['email', 'locale']).where('email', 'in', [email, otherwise]).execute()
  const of = (address: string) => known.find(account => account.email === address)?.locale
  return sayIn(of(email) ?? of(otherwise) ?? otherwise)
}

/** Formats one mail to several recipients: in their language if all have the same one, otherwise in English. */
export async function sayToAll(db: Db, emails: readonly string[]): Promise<Say> {
  const known = await db.selectFrom('accounts').select('locale').distinct().where('email', 'in', emails).execute()
  const [only, ...others] = known
  return sayIn(only && others.length === 0 ? only.locale : 'en')
}

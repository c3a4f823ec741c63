import { Failure } from '../../../runtime/errors.ts'
import { isUniqueViolation, type Db } from '../../../storage/store.ts'

/**
 * Makes this the account's address; it is known to be the person's own, or the machine's owner says so.
 * @returns the address as it is kept, in small letters
 * @throws Failure `validation_failed` where another account has it
 */
export async function changeAddress(db: Db, accountId: string, email: string): Promise<string> {
  const address = email.toLowerCase()
  const other = await db.selectFrom('accounts').select('id').where('email', '=', address).where('id', '!=', accountId).executeTakeFirst()
  if (other) taken()
  await db
    .updateTable('accounts')
    .set({ email: address, unconfirmed_email: null })
    .where('id', '=', accountId)
    .execute()
    .catch((thrown: unknown) => {
      if (isUniqueViolation(thrown)) taken() // by somebody at the same time
      throw thrown
    })
  return address
}

function taken(): never {
  throw new Failure('validation_failed', undefined, [{ pointer: '/email', code: 'mismatch', message: 'Another account has this address.' }])
}

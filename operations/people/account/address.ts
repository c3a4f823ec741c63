import { canonicalEmail } from '../../../runtime/email.ts'
import { Failure } from '../../../runtime/errors.ts'
import type { Say } from '../../../runtime/languages/index.ts'
import { isUniqueViolation, type Db } from '../../../storage/store.ts'
import { type LinkMaking, makeLink } from '../links/index.ts'
import { countMail, type Mailing, queueMail, sayTo, sendNotice } from '../mail/index.ts'

/**
 * Makes this the account's address; it is known to be the person's own, or the machine's owner says so.
 * @returns the address as it is kept
 * @throws Failure `validation_failed` where another account has it
 */
export async function changeAddress(db: Db, accountId: string, email: string): Promise<string> {
  const address = canonicalEmail(email)
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

type Asking = LinkMaking & Mailing & { readonly request: { readonly ip: string; header(name: string): string | undefined } }

/** Mails a link to the new address, and tells the old one. @throws Failure `rate_limited` where the new one gets too many */
export async function askToConfirm(
  services: Asking,
  { accountId, from, to, browser }: { accountId: string; from: string; to: string; browser: (say: Say) => string },
): Promise<void> {
  const { BASE_URL } = services.config
  await countMail(services, to)
  const token = await makeLink(services, { kind: 'email', accountId, email: to })
  const say = await sayTo(services.db, to, from)
  await queueMail(services, {
    to,
    subject: say('Confirm your new e-mail address'),
    text: [
      say('Somebody wants to use this address for their account at {address}. If that is you, confirm it within a day:', {
        address: BASE_URL,
      }),
      `${BASE_URL}/account/email/confirm?${new URLSearchParams({ token })}`,
      say('If it is not you, there is nothing to do.'),
    ],
  })
  await sendNotice(services, { to: from, what: 'Somebody asked to change the e-mail address of your account.', browser })
}

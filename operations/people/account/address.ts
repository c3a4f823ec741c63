import { canonicalEmail } from '../../../runtime/values/email.ts'
import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import { isUniqueViolation, type Db } from '../../../storage/store.ts'
import { type LinkMaking, makeLink } from '../links/index.ts'
import { countMail, type Mailing, queueMail, sayTo, sendNotice } from '../mail/index.ts'
import { common } from '../../../runtime/texts/common.ts'
import { m } from './messages.ts'
import type { Say } from '../../../runtime/texts/say.ts'

/**
 * Changes the address of the account.
 * @param isProved whether the address is known to belong to the person; otherwise the account becomes unverified
 * @returns the address in canonical form
 * @throws Failure `validation_failed` if another account has it
 */
export async function changeAddress(
  { db, now }: { readonly db: Db; readonly now: number },
  { accountId, email, isProved }: { accountId: string; email: string; isProved: boolean },
): Promise<string> {
  const address = canonicalEmail(email)
  const other = await db.selectFrom('accounts').select('id').where('email', '=', address).where('id', '!=', accountId).executeTakeFirst()
  if (other) refuseTaken()
  await db
    .updateTable('accounts')
    .set(({ eb, case: when }) => ({
      email: address,
      unconfirmed_email: null,
      email_verified_at: isProved ? now : null,
      // Where only a provider answers for the account, it may have begun the session that asks.
      mailbox_proved_at: isProved
        ? when()
            .when(eb.or([eb('mailbox_proved_at', 'is not', null), eb('email_verified_at', 'is', null)]))
            .then(now)
            .else(null)
            .end()
        : null,
    }))
    .where('id', '=', accountId)
    .execute()
    .catch((thrown: unknown) => {
      if (isUniqueViolation(thrown)) refuseTaken() // by a concurrent transaction
      throw thrown
    })
  return address
}

interface Freeing {
  readonly db: Db
  readonly emit: Emit
}

/**
 * Takes an address from an account that never proved it, for the account of a person who did. Otherwise an attacker could keep the
 * address occupied. Credentials of the other account end. Its memberships stay and await the person: the workspaces
 * still show the address, but it opens none of them.
 */
export async function freeAddress({ db, emit }: Freeing, { email, accountId }: { email: string; accountId: string }): Promise<void> {
  const other = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', canonicalEmail(email))
    .where('id', '!=', accountId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst()
  if (!other) return
  await emit(account_claimed, { accountId: other.id })
  await db
    .updateTable('accounts')
    .set({ email: `${other.id}@replaced.invalid`, unconfirmed_email: null })
    .where('id', '=', other.id)
    .where('email_verified_at', 'is', null)
    .execute()
}

function refuseTaken(): never {
  throw new Failure('validation_failed', undefined, {
    details: [{ pointer: '/email', code: 'mismatch', message: m.address_of_another_account() }],
  })
}

/** Whether this is the placeholder address of the owner that the first start created. The setup link lets the owner set a real one. */
export const isPlaceholder = (email: string): boolean => email.endsWith('@localhost.localdomain')

type ConfirmationServices = LinkMaking & Mailing & { readonly request: { readonly ip: string; header(name: string): string | undefined } }

interface AddressChange {
  readonly accountId: string
  readonly from: string
  readonly to: string
}

/** Mails a link to the new address. @throws Failure `rate_limited` if it receives too many mails */
export async function mailConfirmation(services: ConfirmationServices, { accountId, from, to }: AddressChange): Promise<void> {
  const { BASE_URL } = services.config
  await countMail(services, to)
  const token = await makeLink(services, { kind: 'email', accountId, email: to })
  const say = await sayTo(services.db, to, from)
  await queueMail(services, {
    to,
    say,
    subject: say(from === to ? common.confirm_your_address : m.confirm_your_new_e_mail_address),
    open: say(common.confirm),
    text: [
      say(m.account_wants_your_address, {
        address: BASE_URL,
      }),
      `${BASE_URL}/account/email/confirm?${new URLSearchParams({ token })}`,
      say(m.if_it_is_not_you_there),
    ],
  })
}

/** Mails a link to the new address, and a notice to the old one if it differs. @throws Failure `rate_limited` if the new one receives too many */
export async function requestConfirmation(
  services: ConfirmationServices,
  { browser, ...asked }: AddressChange & { browser: (say: Say) => string },
): Promise<void> {
  const { from, to } = asked
  await mailConfirmation(services, asked)
  if (from !== to) await sendNotice(services, { to: from, what: m.address_change_asked(), browser })
}

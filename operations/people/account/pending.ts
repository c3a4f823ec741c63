/** Operations on a new address that waits for its confirmation: cancel it, or mail its link again. */
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import type { Db } from '../../../storage/store.ts'
import type { AccountRow } from '../../../storage/tables/index.ts'
import { endLinks } from '../links/index.ts'
import { mailConfirmation } from './address.ts'
import { Account, toAccount } from './records.ts'
import { m } from './messages.ts'

const form = { page: 'GET /account', after: () => '/account' } as const

/** @throws Failure `invalid_state` if no address waits */
async function waiting(db: Db, accountId: string): Promise<AccountRow & { unconfirmed_email: string }> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
  const { unconfirmed_email } = row
  return unconfirmed_email === null ? fail('invalid_state', m.no_address_waits()) : { ...row, unconfirmed_email }
}

export const account_email_resend = operation({
  route: 'POST /account/email/resend',
  summary: 'Mail the link of a new address again',
  done: 'Link mailed again.',
  description: 'Mails the link to the address in `unconfirmed_email`. The previous link stops working.',
  access: 'account',
  ofPerson: true,
  effect: 'update',
  contacts: true,
  input: {},
  output: Account,
  form,
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const row = await waiting(services.db, caller.member.accountId)
    await mailConfirmation(services, { accountId: row.id, from: row.email, to: row.unconfirmed_email })
    return toAccount(row)
  },
})

export const account_email_cancel = operation({
  route: 'DELETE /account/email',
  summary: 'Give up a new e-mail address',
  done: 'New address given up.',
  description: 'Keeps the address in `email`. The link that was mailed to `unconfirmed_email` stops working.',
  access: 'account',
  ofPerson: true,
  effect: 'delete',
  input: {},
  output: Account,
  form,
  examples: [{ input: {} }],
  async run({ caller, db }) {
    const row = await waiting(db, caller.member.accountId)
    await db.updateTable('accounts').set({ unconfirmed_email: null }).where('id', '=', row.id).execute()
    await endLinks(db, { accountId: row.id, which: ['email'] })
    return toAccount({ ...row, unconfirmed_email: null })
  },
})

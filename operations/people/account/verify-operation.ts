import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { canMail } from '../mail/index.ts'
import { browserOf } from '../sessions/index.ts'
import { requestConfirmation } from './address.ts'
import { Account, toAccount } from './records.ts'
import { isVerified } from './verified.ts'
import { m } from './messages.ts'
import type { Say } from '../../../runtime/texts/say.ts'

export const account_email_verify = operation({
  route: 'POST /account/email/verify',
  summary: 'Prove the e-mail address',
  done: 'Link mailed.',
  description:
    'Mails a link to the address of an account that has not proved it; `account_email_confirm` takes the link from a signed-in browser. Ends no sessions or credentials. If the address is already proved, sends no mail.',
  access: 'session',
  ofPerson: true,
  effect: 'update',
  input: {},
  output: Account,
  form: { page: 'GET /account', after: () => '/account' },
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const { db, config, request } = services
    const { accountId, email } = caller.member
    const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
    if (isVerified(account)) return toAccount(account)
    if (!canMail(config)) fail('invalid_state', m.no_mails())
    const browser = (say: Say) => browserOf(request.header('user-agent') ?? '', say)
    await requestConfirmation(services, { accountId, from: email, to: email, browser })
    // An account has one link to one address at a time; request the link of another address again.
    await db.updateTable('accounts').set({ unconfirmed_email: null }).where('id', '=', accountId).execute()
    return toAccount({ ...account, unconfirmed_email: null })
  },
})

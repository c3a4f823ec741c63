import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { endForms } from '../../../runtime/call/kept-forms.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { endSessions } from './start.ts'

export const end_sessions_of_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  await endSessions(db, accountId)
  await endForms(db, accountId)
  await db.deleteFrom('devices').where('account_id', '=', accountId).execute()
})

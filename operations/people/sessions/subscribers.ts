import { account_claimed } from '../../../runtime/claimed.ts'
import { endForms } from '../../../runtime/kept-forms.ts'
import { onHook } from '../../../runtime/subscriber.ts'
import { endSessions } from './start.ts'

export const end_sessions_of_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  await endSessions(db, accountId)
  await endForms(db, accountId)
  await db.deleteFrom('devices').where('account_id', '=', accountId).execute()
})

import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'

export const end_password_of_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  await db.deleteFrom('passwords').where('account_id', '=', accountId).execute()
})

import { account_claimed } from '../../../runtime/claimed.ts'
import { onHook } from '../../../runtime/subscriber.ts'

export const end_password_of_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  await db.deleteFrom('passwords').where('account_id', '=', accountId).execute()
})

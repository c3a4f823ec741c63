import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'

/** Ends sign-ins that wait for a code, and a changed address that waits for its confirmation. */
export const end_links_of_claimed = onHook(account_claimed, async ({ accountId, since }, { db }) => {
  if (since !== undefined) return // links that undo earlier changes stay
  await db.deleteFrom('one_time_links').where('account_id', '=', accountId).execute()
})

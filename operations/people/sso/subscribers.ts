import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'

/** An identity provider that signed somebody in before links the account anew. */
export const unlink_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  await db.deleteFrom('sso_identities').where('account_id', '=', accountId).execute()
})

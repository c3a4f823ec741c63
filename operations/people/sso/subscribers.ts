import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'

/** Unlinks the account: an identity provider that signed a person in before must link it again. */
export const unlink_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  await db.deleteFrom('sso_identities').where('account_id', '=', accountId).execute()
})

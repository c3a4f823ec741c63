import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'

/** Unlinks the account: an identity provider that signed a person in before must link it again. */
export const unlink_claimed = onHook(account_claimed, async ({ accountId, since = 0 }, { db }) => {
  const linked = db.deleteFrom('sso_identities').where('account_id', '=', accountId)
  await linked.where(({ or, eb }) => or([eb('created_at', '>=', since), eb('linked_at', '>=', since)])).execute()
})

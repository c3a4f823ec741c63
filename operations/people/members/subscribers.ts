import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'

/**
 * Makes a claimed account an awaited member of its workspaces. They were joined in the name of the address, and the person who
 * proved to hold it has not joined them yet.
 */
export const await_claimed = onHook(account_claimed, async ({ accountId, since }, { db }) => {
  if (since !== undefined) return // the memberships belong to the person who returns
  const account = await db.selectFrom('accounts').select(['email', 'name']).where('id', '=', accountId).executeTakeFirstOrThrow()
  await db
    .updateTable('members')
    .set({ awaited_email: account.email, awaited_name: account.name })
    .where('account_id', '=', accountId)
    .where('awaited_email', 'is', null)
    .execute()
})

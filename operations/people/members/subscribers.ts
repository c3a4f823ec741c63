import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'

/** The holder of the address has joined none of the workspaces that were joined in their name: they are awaited there. */
export const await_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  const account = await db.selectFrom('accounts').select(['email', 'name']).where('id', '=', accountId).executeTakeFirstOrThrow()
  await db
    .updateTable('members')
    .set({ awaited_email: account.email, awaited_name: account.name })
    .where('account_id', '=', accountId)
    .where('awaited_email', 'is', null)
    .execute()
})

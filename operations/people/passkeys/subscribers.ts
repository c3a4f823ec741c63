import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { noteFactors } from '../account/index.ts'

export const end_passkeys_of_claimed = onHook(account_claimed, async ({ accountId, since = 0 }, { db }) => {
  await db.deleteFrom('passkeys').where('account_id', '=', accountId).where('created_at', '>=', since).execute()
  const left = await db.selectFrom('passkeys').select('id').where('account_id', '=', accountId).execute()
  await noteFactors(db, accountId, { passkeys: left.length })
})

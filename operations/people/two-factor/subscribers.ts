import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { noteFactors } from '../account/index.ts'
import { endTotp } from './totp.ts'

export const end_factor_of_claimed = onHook(account_claimed, async ({ accountId, since = 0 }, { db }) => {
  const older = await db
    .selectFrom('totp')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('enabled_at', '<', since)
    .executeTakeFirst()
  if (older) {
    // An attacker may have made new ones, which ended the person's own.
    await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).where('created_at', '>=', since).execute()
    return
  }
  await endTotp(db, accountId)
  await noteFactors(db, accountId, { twoFactor: false })
})

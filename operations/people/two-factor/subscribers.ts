import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { noteFactors } from '../account/index.ts'
import { endTotp } from './totp.ts'

export const end_factor_of_claimed = onHook(account_claimed, async ({ accountId }, { db }) => {
  await endTotp(db, accountId)
  await noteFactors(db, accountId, { twoFactor: false })
})

import { exampleRecords } from '../../../runtime/table/example.ts'
import { beginTotp } from './totp.ts'

/** The owner has begun a second factor; its first code activates it. */
export const example = exampleRecords(async ({ db, now, id, use, random }) => {
  const { account_id } = await db.selectFrom('members').select('account_id').where('id', '=', id('owner')).executeTakeFirstOrThrow()
  const secret = await beginTotp({ db, use, random }, account_id)
  const { totpOf } = await import('./totp-codes.ts')
  return { totp_code: totpOf(secret).generate({ timestamp: now }) }
})

import type { Db } from '../../../storage/store.ts'
import type { AffiliateRow } from '../../../storage/tables/affiliate.ts'

export const affiliateOf = (db: Db, accountId: string): Promise<AffiliateRow | undefined> =>
  db.selectFrom('affiliates').selectAll().where('account_id', '=', accountId).executeTakeFirst()

/** Locks the affiliate until the transaction ends, so that only one change of its commissions happens at a time. */
export const lockAffiliate = (db: Db, accountId: string): Promise<AffiliateRow | undefined> =>
  db
    .updateTable('affiliates')
    .set(({ ref }) => ({ status: ref('status') }))
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst()

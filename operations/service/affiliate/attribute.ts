/** Attributes a sign-up to the affiliate who referred it. */
import type { Db } from '../../../storage/store.ts'
import type { SignedUp } from '../../people/sign-up/index.ts'

/** Normalizes an address: lower case, without the part after a plus. */
const person = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

/** Records the affiliate of a sign-up. Only approved affiliates count, and affiliates cannot refer themselves. */
export async function attribute(db: Db, { code, via, email, accountId, workspaceId, askedAt }: SignedUp): Promise<void> {
  if (code === null) return
  const affiliate = await db
    .selectFrom('affiliates as f')
    .innerJoin('accounts as a', 'a.id', 'f.account_id')
    .select(['f.account_id', 'a.email'])
    .where('f.code', '=', code)
    .where('f.status', '=', 'approved')
    .executeTakeFirst()
  if (!affiliate || affiliate.account_id === accountId || person(affiliate.email) === person(email)) return
  await db
    .insertInto('affiliate_referrals')
    .values({
      workspace_id: workspaceId,
      affiliate_id: affiliate.account_id,
      account_id: accountId,
      via,
      signed_up_at: askedAt,
      first_paid_at: null,
    })
    .execute()
}

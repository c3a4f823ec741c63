/** Finds a workspace of the affiliate whose account can receive commissions as credit. */
import type { Db } from '../../../storage/store.ts'

export const blocks = ['program', 'no_subscription', 'no_workspace'] as const
export type Block = (typeof blocks)[number]

export type CreditPlace =
  | { readonly workspaceId: string; readonly customerId: string; readonly currency: string }
  | { readonly blocked: Block }

const live: readonly string[] = ['trialing', 'active', 'past_due']

/** Returns the oldest paying workspace that the affiliate owns, or the reason why there is none. */
export async function creditPlaceOf(db: Db, accountId: string): Promise<CreditPlace> {
  const owned = await db
    .selectFrom('members as m')
    .leftJoin('billing_customers as b', 'b.workspace_id', 'm.workspace_id')
    .select(['m.workspace_id', 'b.id as customer_id', 'b.status', 'b.currency', 'b.is_discounted'])
    .where('m.account_id', '=', accountId)
    .where('m.role', '=', 'owner')
    .where('m.active', '=', 1)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute()
  if (owned.length === 0) return { blocked: 'no_workspace' }
  const paying = owned.filter(({ status }) => live.includes(status ?? ''))
  const free = paying.find(({ is_discounted }) => is_discounted === 0)
  if (free?.customer_id && free.currency) return { workspaceId: free.workspace_id, customerId: free.customer_id, currency: free.currency }
  return { blocked: paying.length > 0 ? 'program' : 'no_subscription' }
}

/** The Stripe customer of a workspace. */
import type { Stripe } from 'stripe'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import type { Db, Store } from '../../../storage/store.ts'
import type { BillingCustomerRow } from '../../../storage/tables/billing.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'

export const customerOf = (db: Db, workspaceId: string): Promise<BillingCustomerRow | undefined> =>
  db.selectFrom('billing_customers').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()

/** Returns the id of the customer, and creates it if there is none. Two simultaneous requests create the same customer. */
export async function findOrMakeCustomer(
  { store, stripe, now }: { store: Store; stripe: Stripe; now: number },
  workspace: WorkspaceRow,
  email: string,
): Promise<string> {
  const known = await customerOf(store.read, workspace.id)
  if (known) return known.id
  // A key is refused with another body: what may differ between two requests comes after.
  const { id } = await stripe.customers.create(
    { metadata: { workspace_id: workspace.id } },
    { idempotencyKey: `footfall-customer-${workspace.id}` },
  )
  await stripe.customers.update(id, { email, name: workspace.name })
  const nothing = {
    subscription_id: null,
    amount_cents: null,
    currency: null,
    interval: null,
    trial_ends_at: null,
    period_ends_at: null,
    cancels_at: null,
    unpaid_since: null,
    blocked_from: null,
    leased_until: null,
    read_at: null,
  }
  await store.transaction(trx =>
    trx
      .insertInto('billing_customers')
      .values({
        id,
        workspace_id: workspace.id,
        status: 'none',
        is_discounted: 0,
        due_at: now,
        asked: 0,
        attempt: 0,
        created_at: now,
        ...nothing,
      })
      .onConflict(on => on.doNothing())
      .execute(),
  )
  return (await customerOf(store.read, workspace.id))?.id ?? id
}

/** Schedules another read of the customer. @returns whether the customer is known */
export async function askAgain(db: Db, customerId: string, now: number): Promise<boolean> {
  const found = await db
    .updateTable('billing_customers')
    .set(({ eb }) => ({ due_at: now, attempt: 0, asked: eb('asked', '+', 1) }))
    .where('id', '=', customerId)
    .returning('id')
    .executeTakeFirst()
  if (found) {
    wakeAfter(db, 'billing_read')
    return true
  }
  // A workspace was paid for after it was deleted.
  const ending = await db
    .updateTable('billing_endings')
    .set({ due_at: now })
    .where('id', '=', customerId)
    .returning('id')
    .executeTakeFirst()
  if (ending) wakeAfter(db, 'billing_end')
  return ending !== undefined
}

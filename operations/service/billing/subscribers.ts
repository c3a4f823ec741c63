import { onHook } from '../../../runtime/events/subscriber.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { workspace_deleting } from '../../people/workspaces/index.ts'
import { customerOf } from './customers.ts'

/** Cancels the subscription of a deleted workspace. Its customer stays known, in case a payment page is still open. */
export const end_subscription = onHook(workspace_deleting, async ({ workspace }, { db, now }) => {
  const customer = await customerOf(db, workspace.id)
  if (!customer) return
  await db.insertInto('billing_endings').values({ id: customer.id, due_at: now, attempt: 0, leased_until: null, created_at: now }).execute()
  wakeAfter(db, 'billing_end')
})

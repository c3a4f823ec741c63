import { claimDue } from '../../../runtime/tasks/lease.ts'
import { task, type TaskContext } from '../../../runtime/table/task.ts'
import type { BillingCustomerRow, BillingEndingRow } from '../../../storage/tables/billing.ts'
import { applySnapshot } from './apply.ts'
import { readSnapshot } from './snapshot.ts'
import { faultOf, sellsPlans, stripe } from './stripe.ts'
import { DAY_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

/** Without any event: one may have been lost. */
const readAgainMs = DAY_MS
const atOnce = 4
const later = (attempt: number): number => Math.min(60, 2 ** attempt) * MINUTE_MS

const customers = { table: 'billing_customers', due: 'due_at' } as const
const endings = { table: 'billing_endings', due: 'due_at' } as const

export const billing_read = task({
  name: 'billing_read',
  summary: 'Reads subscriptions and invoices from Stripe after each of its events and once a day',
  every: MINUTE_MS,
  lease: 5 * MINUTE_MS,
  shared: true,
  queue: customers,
  async run(context) {
    if (!sellsPlans(context.config)) return
    const rows = await claimDue(context.store, { ...customers, limit: atOnce, leaseMs: 5 * MINUTE_MS, now: context.now() })
    const again = await Promise.all(rows.map(row => read(row, context)))
    return { more: rows.length === atOnce || again.includes(true) }
  },
})

/** @returns whether another read was requested in the meantime, because this result may be older */
async function read(row: BillingCustomerRow, context: TaskContext): Promise<boolean> {
  const { store, config, log, now, random, use, emitIn } = context
  try {
    const snapshot = await readSnapshot(await use(stripe)(), row.id)
    return await store.transaction(async trx => {
      const at = now()
      // Only the holder of the lease may write, because another worker's result is newer.
      const own = await trx
        .updateTable('billing_customers')
        .set({ read_at: at, leased_until: null, attempt: 0 })
        .where('id', '=', row.id)
        .where('leased_until', '=', row.leased_until)
        .returningAll()
        .executeTakeFirst()
      if (!own) return false
      const isAsked = own.asked !== row.asked
      await trx
        .updateTable('billing_customers')
        .set({ due_at: isAsked ? at : at + readAgainMs })
        .where('id', '=', row.id)
        .execute()
      await applySnapshot(trx, { applying: { config, log, now: at, emit: emitIn(trx, at), random }, row: own, snapshot })
      return isAsked
    })
  } catch (thrown) {
    log.warn({ customer: row.id, ...faultOf(thrown) }, 'a subscription could not be read')
    await store.write
      .updateTable('billing_customers')
      .set({ due_at: now() + later(row.attempt), attempt: row.attempt + 1, leased_until: null })
      .where('id', '=', row.id)
      .where('leased_until', '=', row.leased_until)
      .execute()
    return false
  }
}

export const billing_end = task({
  name: 'billing_end',
  summary: 'Cancels the subscriptions of deleted workspaces',
  every: MINUTE_MS,
  lease: 5 * MINUTE_MS,
  shared: true,
  queue: endings,
  async run(context) {
    if (!sellsPlans(context.config)) return
    const rows = await claimDue(context.store, { ...endings, limit: atOnce, leaseMs: 5 * MINUTE_MS, now: context.now() })
    await Promise.all(rows.map(row => end(row, context)))
    return { more: rows.length === atOnce }
  },
})

const over: readonly string[] = ['canceled', 'incomplete_expired']

async function end(row: BillingEndingRow, { store, log, now, use }: TaskContext): Promise<void> {
  // A payment that Stripe reports meanwhile makes it due again: it may be newer than the subscriptions that were read.
  const settle = ({ due_at, attempt }: { due_at: number | null; attempt: number }) =>
    store.write
      .updateTable('billing_endings')
      .set(({ case: when, ref, val }) => ({
        attempt,
        due_at: when().when('due_at', '=', row.due_at).then(val(due_at)).else(ref('due_at')).end(),
        leased_until: null,
      }))
      .where('id', '=', row.id)
      .where('leased_until', '=', row.leased_until)
      .execute()
  try {
    const client = await use(stripe)()
    // A checkout that is still open could be paid after the workspace is gone.
    const { data: sessions } = await client.checkout.sessions.list({ customer: row.id, status: 'open', limit: 100 })
    for (const { id } of sessions) await client.checkout.sessions.expire(id)
    const { data } = await client.subscriptions.list({ customer: row.id, status: 'all', limit: 100 })
    for (const { id, status } of data) if (!over.includes(status)) await client.subscriptions.cancel(id)
    await settle({ due_at: null, attempt: 0 })
  } catch (thrown) {
    log.warn({ customer: row.id, ...faultOf(thrown) }, 'a subscription could not be cancelled')
    await settle({ due_at: now() + later(row.attempt), attempt: row.attempt + 1 })
  }
}

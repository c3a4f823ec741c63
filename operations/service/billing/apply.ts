/** Stores the current data from Stripe: subscription, plan and invoices in one transaction. */
import { auditCommand } from '../../../runtime/call/audit-command.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import type { Log } from '../../../runtime/observability/log.ts'
import type { Trx } from '../../../storage/store.ts'
import type { BillingCustomerRow, BillingInvoiceRow } from '../../../storage/tables/billing.ts'
import { assignPlan, planOf, plansOf } from '../../people/plans/index.ts'
import { invoice_changed } from './hooks.ts'
import type { InvoiceNow, Snapshot, SubscriptionNow } from './snapshot.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** Time in which a workspace with a failed payment can still create records. */
export const graceMs = 14 * DAY_MS

export interface Applying {
  readonly config: Config
  readonly log: Log
  readonly now: number
  readonly emit: Emit
  random(size: number): Buffer
}

type State = Pick<
  BillingCustomerRow,
  | 'subscription_id'
  | 'status'
  | 'amount_cents'
  | 'currency'
  | 'interval'
  | 'trial_ends_at'
  | 'period_ends_at'
  | 'cancels_at'
  | 'unpaid_since'
  | 'blocked_from'
  | 'is_discounted'
>

const statuses: Readonly<Record<string, BillingCustomerRow['status']>> = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'unpaid', // a trial ended without a means of payment
  canceled: 'canceled',
}

/** @returns the state that follows from a subscription, after the one before */
export function stateOf(subscription: SubscriptionNow | undefined, before: BillingCustomerRow, now: number): State {
  const status = statuses[subscription?.status ?? ''] ?? 'none'
  const owes = status === 'past_due' || status === 'unpaid'
  const since = owes ? (before.unpaid_since ?? now) : null
  const blocked =
    since === null ? null : status === 'past_due' ? since + graceMs : before.status === 'unpaid' ? (before.blocked_from ?? now) : now
  return {
    subscription_id: subscription?.id ?? null,
    status,
    amount_cents: subscription?.amount ?? null,
    currency: subscription?.currency ?? null,
    interval: subscription?.interval ?? null,
    trial_ends_at: subscription?.trialEnd ?? null,
    period_ends_at: subscription?.periodEnd ?? null,
    cancels_at: subscription?.cancelAt ?? null,
    unpaid_since: since,
    blocked_from: blocked,
    is_discounted: Number(subscription?.isDiscounted === true),
  }
}

/** @param row as it was claimed, locked by the caller */
export async function applySnapshot(
  trx: Trx,
  { applying, row, snapshot }: { applying: Applying; row: BillingCustomerRow; snapshot: Snapshot },
): Promise<void> {
  const state = stateOf(snapshot.subscription, row, applying.now)
  await trx.updateTable('billing_customers').set(state).where('id', '=', row.id).execute()
  await applyPlan(trx, { applying, row, state, subscription: snapshot.subscription })
  for (const invoice of snapshot.invoices) await applyInvoice(trx, { applying, row, now: invoice })
}

interface ApplyPlan {
  readonly applying: Applying
  readonly row: BillingCustomerRow
  readonly state: State
  readonly subscription: SubscriptionNow | undefined
}

async function applyPlan(trx: Trx, { applying: { config, log, now, random }, row, state, subscription }: ApplyPlan): Promise<void> {
  const workspaceId = row.workspace_id
  const isLive = state.status !== 'none' && state.status !== 'canceled'
  const wasLive = row.status !== 'none' && row.status !== 'canceled'
  // A workspace that never subscribed keeps the plan that the operator assigned.
  if (!isLive && !wasLive) return
  const { plan: before } = await planOf(trx, config, workspaceId)
  const sold = plansOf(config).find(({ stripePrice }) => stripePrice !== null && stripePrice === subscription?.priceId)
  if (isLive && !sold) log.warn({ workspace: workspaceId, price: subscription?.priceId }, 'a subscription is to a price of no plan')
  if (subscription?.beside.length)
    log.warn({ workspace: workspaceId, subscriptions: subscription.beside }, 'more than one subscription is paid')
  const plan = isLive ? (sold?.id ?? before.id) : null
  await assignPlan(trx, { config, now }, { workspaceId, plan, blockedFrom: isLive ? state.blocked_from : null })
  const after = (await planOf(trx, config, workspaceId)).plan
  if (state.status === row.status && after.id === before.id) return
  await auditCommand(trx, {
    now,
    random,
    actor: 'Stripe',
    via: { surface: 'http', door: 'stripe' },
    operation: 'billing_get',
    workspaceId,
    subjectId: state.subscription_id,
    input: { status: state.status, plan: after.id },
  })
}

async function applyInvoice(
  trx: Trx,
  { applying: { emit }, row: { workspace_id }, now }: { applying: Applying; row: BillingCustomerRow; now: InvoiceNow },
): Promise<void> {
  const row: BillingInvoiceRow = {
    id: now.id,
    workspace_id,
    number: now.number,
    status: now.status,
    currency: now.currency,
    total_cents: now.total,
    paid_cents: now.paid,
    net_cents: now.net,
    reversed_cents: now.reversed,
    created_at: now.createdAt,
    paid_at: now.paidAt,
    url: now.url,
    pdf_url: now.pdfUrl,
  }
  const before = await trx.selectFrom('billing_invoices').selectAll().where('id', '=', row.id).executeTakeFirst()
  const changed = (Object.keys(row) as (keyof BillingInvoiceRow)[]).filter(name => before?.[name] !== row[name])
  if (changed.length === 0) return
  await trx
    .insertInto('billing_invoices')
    .values(row)
    .onConflict(on => on.column('id').doUpdateSet(row))
    .execute()
  if (changed.some(name => name === 'paid_cents' || name === 'net_cents' || name === 'reversed_cents'))
    await emit(invoice_changed, { invoice: row })
}

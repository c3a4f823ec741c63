/** The Stripe customer of each workspace, as last read from Stripe, and its invoices. */
import { text, int, bigint, instant, flag, oneOf, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const billing_customers = table(
  {
    /** Stripe's id of the customer. */
    id: text,
    workspace_id: unique(reference('workspaces')),
    subscription_id: nullable(text),
    status: oneOf('none', 'trialing', 'active', 'past_due', 'unpaid', 'canceled'),
    amount_cents: nullable(bigint),
    currency: nullable(text),
    interval: nullable(text),
    trial_ends_at: nullable(instant),
    period_ends_at: nullable(instant),
    /** When the subscription ends, if it is to end. */
    cancels_at: nullable(instant),
    /** When it was first found to be unpaid. */
    unpaid_since: nullable(instant),
    /** From this time on, the workspace cannot create anything. */
    blocked_from: nullable(instant),
    /** 1 if a coupon or another discount lowers the amount. */
    is_discounted: flag,
    /** When the customer is to be read again, and the number of requests to read it. */
    due_at: instant,
    asked: bigint,
    /** Number of consecutive failed attempts. */
    attempt: int,
    leased_until: nullable(instant),
    read_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['due_at']] },
)
export type BillingCustomerRow = Row<typeof billing_customers>

export const billing_invoices = table(
  {
    /** Stripe's id. */
    id: text,
    workspace_id: reference('workspaces'),
    number: nullable(text),
    status: text,
    currency: text,
    total_cents: bigint,
    paid_cents: bigint,
    /** Amount paid, without tax. */
    net_cents: bigint,
    /** Amount refunded or disputed. */
    reversed_cents: bigint,
    created_at: instant,
    paid_at: nullable(instant),
    url: nullable(text),
    pdf_url: nullable(text),
  },
  { indexes: [['workspace_id', 'created_at']] },
)
export type BillingInvoiceRow = Row<typeof billing_invoices>

/** Stripe's events that were processed, so that each counts once. */
export const billing_events = table(
  {
    id: text,
    type: text,
    received_at: instant,
  },
  { indexes: [['received_at']] },
)
export type BillingEventRow = Row<typeof billing_events>

/** Customers of deleted workspaces, whose subscriptions are to be cancelled. */
export const billing_endings = table(
  {
    /** Stripe's id of the customer. */
    id: text,
    /** Null once all subscriptions are cancelled. */
    due_at: nullable(instant),
    attempt: int,
    leased_until: nullable(instant),
    created_at: instant,
  },
  { indexes: [['due_at']] },
)
export type BillingEndingRow = Row<typeof billing_endings>

/** Stripe's customer of each workspace, as last read. */
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
    /** Set where the subscription is to end then. */
    cancels_at: nullable(instant),
    /** When it was first seen to be unpaid. */
    unpaid_since: nullable(instant),
    /** From then on nothing is created in the workspace. */
    blocked_from: nullable(instant),
    /** A coupon or the like lowers what is paid. */
    is_discounted: flag,
    /** When it is to be read again, and how often that was asked for. */
    due_at: instant,
    asked: bigint,
    /** Failed attempts in a row. */
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

/** Events of Stripe that were taken: each counts once. */
export const billing_events = table(
  {
    id: text,
    type: text,
    received_at: instant,
  },
  { indexes: [['received_at']] },
)
export type BillingEventRow = Row<typeof billing_events>

/** Customers of deleted workspaces: what they subscribed to is cancelled. */
export const billing_endings = table(
  {
    /** Stripe's id of the customer. */
    id: text,
    /** Null once all is cancelled. */
    due_at: nullable(instant),
    attempt: int,
    leased_until: nullable(instant),
    created_at: instant,
  },
  { indexes: [['due_at']] },
)
export type BillingEndingRow = Row<typeof billing_endings>

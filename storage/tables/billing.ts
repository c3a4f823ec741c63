/** Stripe's customer of each workspace, as last read. */

export interface BillingCustomerRow {
  /** Stripe's id of the customer. */
  id: string
  workspace_id: string
  subscription_id: string | null
  status: 'none' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'canceled'
  amount_cents: number | null
  currency: string | null
  interval: string | null
  trial_ends_at: number | null
  period_ends_at: number | null
  /** Set where the subscription is to end then. */
  cancels_at: number | null
  /** When it was first seen to be unpaid. */
  unpaid_since: number | null
  /** From then on nothing is created in the workspace. */
  blocked_from: number | null
  /** A coupon or the like lowers what is paid. */
  is_discounted: number
  /** When it is to be read again, and how often that was asked for. */
  due_at: number
  asked: number
  /** Failed attempts in a row. */
  attempt: number
  leased_until: number | null
  read_at: number | null
  created_at: number
}

export interface BillingInvoiceRow {
  /** Stripe's id. */
  id: string
  workspace_id: string
  number: string | null
  status: string
  currency: string
  total_cents: number
  paid_cents: number
  /** Amount paid, without tax. */
  net_cents: number
  /** Amount refunded or disputed. */
  reversed_cents: number
  created_at: number
  paid_at: number | null
  url: string | null
  pdf_url: string | null
}

/** Events of Stripe that were taken: each counts once. */
export interface BillingEventRow {
  id: string
  type: string
  received_at: number
}

/** Customers of deleted workspaces: what they subscribed to is cancelled. */
export interface BillingEndingRow {
  /** Stripe's id of the customer. */
  id: string
  /** Null once all is cancelled. */
  due_at: number | null
  attempt: number
  leased_until: number | null
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    billing_customers: BillingCustomerRow
    billing_invoices: BillingInvoiceRow
    billing_events: BillingEventRow
    billing_endings: BillingEndingRow
  }
}

import { type Static, Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import type { BillingCustomerRow, BillingInvoiceRow } from '../../../storage/tables/billing.ts'

const statuses = ['none', 'trialing', 'active', 'past_due', 'unpaid', 'canceled'] as const
const time = (description: string) => Nullable(DateTime(), { description })
const cents = (description: string) => Type.Integer({ unit: 'minor_units', description })

export const Billing = record(
  'Billing',
  {
    provider: OneOf(['none', 'stripe'], { description: 'Payment provider; `none` if this installation sells nothing.' }),
    status: OneOf(statuses, { description: 'Status of the subscription; `none` if there is none.' }),
    plan: Type.String({ description: 'Id of the plan of the workspace.' }),
    amount_cents: Nullable(Type.Integer({ unit: 'minor_units' }), { description: 'Price of an interval, in minor units.' }),
    currency: Nullable(Type.String(), { description: 'ISO 4217 currency of the price.' }),
    interval: Nullable(Type.String(), { description: 'Interval of the price: `month` or `year`.' }),
    trial_ends_at: time('End of the trial.'),
    period_ends_at: time('End of the paid period; then it renews.'),
    cancels_at: time('End of a cancelled subscription.'),
    unpaid_since: time('Time since which a payment is missing.'),
    creates_refused_from: time('Time from which nothing can be created in the workspace: 14 days after a failed payment.'),
  },
  'The subscription of a workspace.',
)

export const BillingLink = record(
  'BillingLink',
  { url: Type.String({ description: 'Page of Stripe to open in a browser; good for a short time.' }) },
  'The next page for a person.',
)

export const Invoice = record(
  'Invoice',
  {
    id: Type.String({ description: 'Id at Stripe.' }),
    number: Nullable(Type.String(), { description: 'Number on the invoice.' }),
    status: Type.String({ description: '`open`, `paid`, `void` or `uncollectible`.' }),
    currency: Type.String({ description: 'ISO 4217 currency of its amounts.' }),
    total_cents: cents('Amount with tax.'),
    paid_cents: cents('Paid amount.'),
    reversed_cents: cents('Refunded or disputed amount.'),
    created_at: DateTime({ description: 'Date of the invoice.' }),
    paid_at: time('Time of the payment.'),
    url: Nullable(Type.String(), { description: 'Page with the invoice.' }),
    pdf_url: Nullable(Type.String(), { description: 'The invoice as a PDF.' }),
  },
  'An invoice.',
)

/** A link to the affiliate program, if there is one. */
export const affiliateLink = slot<object>('link to the affiliate program')

export function toBilling(row: BillingCustomerRow | undefined, plan: string, isSold: boolean): Static<typeof Billing> {
  return {
    provider: isSold ? 'stripe' : 'none',
    status: isSold ? (row?.status ?? 'none') : 'none',
    plan,
    amount_cents: row?.amount_cents ?? null,
    currency: row?.currency ?? null,
    interval: row?.interval ?? null,
    trial_ends_at: iso(row?.trial_ends_at ?? null),
    period_ends_at: iso(row?.period_ends_at ?? null),
    cancels_at: iso(row?.cancels_at ?? null),
    unpaid_since: iso(row?.unpaid_since ?? null),
    creates_refused_from: iso(row?.blocked_from ?? null),
  }
}

export function toInvoice(row: BillingInvoiceRow): Static<typeof Invoice> {
  const { workspace_id: _, net_cents: __, created_at, paid_at, ...rest } = row
  return { ...rest, created_at: iso(created_at), paid_at: iso(paid_at) }
}

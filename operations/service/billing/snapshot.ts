/**
 * Reads a customer from Stripe again. Events only say that something changed: they come in no order, twice or
 * never, and what they carry may be older than what was read before.
 */
import type { Stripe } from 'stripe'
import { shareOf } from './money.ts'

export interface SubscriptionNow {
  readonly id: string
  readonly status: Stripe.Subscription.Status
  readonly priceId: string | undefined
  readonly itemId: string | undefined
  readonly amount: number | null
  readonly currency: string | null
  readonly interval: string | null
  /** Epoch ms. */
  readonly trialEnd: number | null
  readonly periodEnd: number | null
  readonly cancelAt: number | null
  readonly isDiscounted: boolean
  /** Number of further paid subscriptions of the customer, which are probably unintended. */
  readonly beside: readonly string[]
}

export interface InvoiceNow {
  readonly id: string
  readonly number: string | null
  readonly status: string
  readonly currency: string
  readonly total: number
  readonly paid: number
  readonly net: number
  readonly reversed: number
  readonly createdAt: number
  readonly paidAt: number | null
  readonly url: string | null
  readonly pdfUrl: string | null
}

export interface Snapshot {
  readonly subscription: SubscriptionNow | undefined
  /** Sent invoices, without drafts. */
  readonly invoices: readonly InvoiceNow[]
}

/** Monthly for 80 years. */
const max = 1_000
const live: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid', 'paused']
/** Whether it continues, paid or not. */
export const isLive = ({ status }: { readonly status: string }): boolean => live.includes(status)
/** Disputes in which the money is, or will be, gone unless they are won. */
const takesMoney: readonly string[] = ['needs_response', 'under_review', 'lost', 'appeal_needs_response', 'appeal_under_review']

const ms = (seconds: number | null | undefined): number | null => (seconds === null || seconds === undefined ? null : seconds * 1000)
export const idOf = (reference: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id

export async function readSnapshot(stripe: Stripe, customer: string): Promise<Snapshot> {
  const [subscriptions, invoices, charges] = [
    await stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
    await stripe.invoices.list({ customer, limit: 100 }).autoPagingToArray({ limit: max }),
    await stripe.charges.list({ customer, limit: 100 }).autoPagingToArray({ limit: max }),
  ]
  const reversed = await reversedByInvoice(stripe, charges)
  return {
    subscription: subscriptionOf(subscriptions.data),
    invoices: invoices.flatMap(invoice => invoiceOf(invoice, reversed)),
  }
}

function subscriptionOf(all: readonly Stripe.Subscription[]): SubscriptionNow | undefined {
  const newest = all.toSorted((a, b) => b.created - a.created)
  const paid = newest.filter(isLive)
  const chosen = paid[0] ?? newest[0]
  if (!chosen) return undefined
  const [item] = chosen.items.data
  return {
    id: chosen.id,
    status: chosen.status,
    priceId: item?.price.id,
    itemId: item?.id,
    amount: item?.price.unit_amount ?? null,
    currency: item ? item.price.currency.toUpperCase() : null,
    interval: item?.price.recurring?.interval ?? null,
    trialEnd: ms(chosen.trial_end),
    periodEnd: ms(item?.current_period_end),
    cancelAt: ms(chosen.cancel_at) ?? (chosen.cancel_at_period_end ? ms(item?.current_period_end) : null),
    isDiscounted: chosen.discounts.length > 0,
    beside: paid.slice(1).map(({ id }) => id),
  }
}

function invoiceOf(invoice: Stripe.Invoice, reversed: ReadonlyMap<string, number>): InvoiceNow[] {
  const { id, status, total, amount_paid: paid } = invoice
  if (id === undefined || status === null || status === 'draft') return []
  return [
    {
      id,
      number: invoice.number,
      status,
      currency: invoice.currency.toUpperCase(),
      total,
      paid,
      net: shareOf(paid, Math.max(0, invoice.total_excluding_tax ?? total), Math.max(0, total)),
      reversed: Math.min(paid, reversed.get(id) ?? 0),
      createdAt: invoice.created * 1000,
      paidAt: ms(invoice.status_transitions.paid_at),
      url: invoice.hosted_invoice_url ?? null,
      pdfUrl: invoice.invoice_pdf ?? null,
    },
  ]
}

/** Amount returned of each invoice: refunds, and disputes that are open or lost. */
async function reversedByInvoice(stripe: Stripe, charges: readonly Stripe.Charge[]): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const charge of charges) {
    const intent = idOf(charge.payment_intent)
    if (intent === undefined || (charge.amount_refunded === 0 && !charge.disputed)) continue
    const disputes = charge.disputed ? (await stripe.disputes.list({ charge: charge.id, limit: 100 })).data : []
    const taken = disputes.filter(({ status }) => takesMoney.includes(status)).reduce((sum, { amount }) => sum + amount, 0)
    const given = Math.min(charge.amount, charge.amount_refunded + taken)
    const payments = await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 1 })
    const invoice = idOf(payments.data[0]?.invoice)
    if (invoice !== undefined) sums.set(invoice, (sums.get(invoice) ?? 0) + given)
  }
  return sums
}

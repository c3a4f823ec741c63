/** Turns payments and refunds of a referred customer into the affiliate's commissions. */
import { makeUuid } from '../../../runtime/values/ids.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import type { SubscriberContext } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import type { AffiliateCommissionRow, AffiliateReferralRow, AffiliateRow } from '../../../storage/tables/affiliate.ts'
import type { BillingInvoiceRow } from '../../../storage/tables/billing.ts'
import { changeOf } from './owed.ts'
import { lockAffiliate } from './affiliate-rows.ts'
import { AFFILIATE_HOLD_DAYS, AFFILIATE_MONTHS, AFFILIATE_PERCENT } from './settings.ts'
import { hasProgram } from './terms.ts'

type Settling = Pick<SubscriberContext, 'db' | 'config' | 'now' | 'random'>

export async function settleInvoice(settling: Settling, invoice: BillingInvoiceRow): Promise<void> {
  const { db, config, now, random } = settling
  if (invoice.paid_cents <= 0 || invoice.paid_at === null) return
  const referral = await db
    .selectFrom('affiliate_referrals')
    .selectAll()
    .where('workspace_id', '=', invoice.workspace_id)
    .executeTakeFirst()
  const affiliate = referral && (await lockAffiliate(db, referral.affiliate_id))
  if (!affiliate) return
  const firstPaidAt = await noteFirst(db, referral, invoice.paid_at)
  const rows = await db.selectFrom('affiliate_commissions').selectAll().where('invoice_id', '=', invoice.id).execute()
  // An earned commission is followed to its end; whether a payment earns a new one depends on the terms.
  if (rows.length === 0 && !(await earns(settling, { affiliate, firstPaidAt, paidAt: invoice.paid_at, workspaceId: invoice.workspace_id })))
    return
  const percent = rows[0]?.percent ?? config.of(AFFILIATE_PERCENT)
  const change = changeOf(
    { paid: invoice.paid_cents, net: invoice.net_cents, reversed: invoice.reversed_cents },
    percent,
    rows.map(({ status, amount_cents, basis_cents }) => ({ status, amount: amount_cents, basis: basis_cents })),
  )
  if (change.kind === 'none') return
  if (change.kind === 'void') {
    await db
      .updateTable('affiliate_commissions')
      .set({ status: 'void' })
      .where('invoice_id', '=', invoice.id)
      .where('status', '=', 'pending')
      .execute()
    return
  }
  const dueAt = rows[0]?.due_at ?? invoice.paid_at + config.of(AFFILIATE_HOLD_DAYS) * DAY_MS
  // While a commission is on hold, its changes are, too. Afterwards they count at once.
  const isHeld = rows.length === 0 || rows.some(({ status }) => status === 'pending') || now < dueAt
  const row: AffiliateCommissionRow = {
    id: makeUuid(random(16)),
    affiliate_id: affiliate.account_id,
    workspace_id: invoice.workspace_id,
    invoice_id: invoice.id,
    kind: change.kind,
    status: isHeld ? 'pending' : 'approved',
    amount_cents: change.amount,
    basis_cents: change.basis,
    currency: invoice.currency,
    percent,
    earned_at: change.kind === 'commission' ? invoice.paid_at : now,
    due_at: dueAt,
    approved_at: isHeld ? null : now,
    paid_at: null,
    payout_id: null,
    created_at: now,
  }
  await db.insertInto('affiliate_commissions').values(row).execute()
}

async function noteFirst(db: Db, { workspace_id, first_paid_at }: AffiliateReferralRow, paidAt: number): Promise<number> {
  if (first_paid_at !== null && first_paid_at <= paidAt) return first_paid_at
  await db.updateTable('affiliate_referrals').set({ first_paid_at: paidAt }).where('workspace_id', '=', workspace_id).execute()
  return paidAt
}

interface Earns {
  readonly affiliate: AffiliateRow
  readonly firstPaidAt: number
  readonly paidAt: number
  readonly workspaceId: string
}

/** Whether an affiliate earns from a payment. Affiliates do not earn from workspaces that they are members of. */
async function earns(
  { db, config }: Settling,
  { affiliate: { account_id, status }, firstPaidAt, paidAt, workspaceId }: Earns,
): Promise<boolean> {
  if (!hasProgram(config) || status !== 'approved' || paidAt >= afterMonths(firstPaidAt, config.of(AFFILIATE_MONTHS))) return false
  const own = await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return own === undefined
}

/** The same day of a later month, or the last one of it (UTC). */
export function afterMonths(at: number, months: number): number {
  const date = new Date(at)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return new Date(at).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(date.getUTCDate(), last))
}

/** Marks credit of an account as used by its next invoice. */
export async function creditUsed({ db, now }: Settling, invoice: BillingInvoiceRow): Promise<void> {
  if (invoice.status !== 'paid') return
  await db
    .updateTable('affiliate_payouts')
    .set({ status: 'paid', paid_at: now })
    .where('workspace_id', '=', invoice.workspace_id)
    .where('status', '=', 'applied')
    .where('credited_at', '<', invoice.created_at)
    .execute()
}

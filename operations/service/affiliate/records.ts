import { type Static, Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { AffiliateCommissionRow, AffiliateRow } from '../../../storage/tables/affiliate.ts'
import { blocks, creditPlaceOf } from './credit.ts'
import { hasProgram, termsOf } from './terms.ts'

export const payoutMethods = ['credit', 'transfer'] as const
export const commissionStatuses = ['pending', 'approved', 'paid', 'void'] as const
const time = (description: string) => Nullable(DateTime(), { description })
const cents = (description: string) => Type.Integer({ unit: 'minor_units', description })
const currency = Type.String({ description: 'ISO 4217 currency.' })
const PayoutMethod = OneOf(payoutMethods)

const Balance = record(
  'AffiliateBalance',
  { currency, pending_cents: cents('On hold.'), approved_cents: cents('Payable.'), paid_cents: cents('Paid out.') },
  'Earnings in a currency.',
)
const Payout = record(
  'AffiliatePayout',
  {
    amount_cents: cents('Amount.'),
    currency,
    payout_method: OneOf(payoutMethods, { description: 'How.' }),
    status: OneOf(['applied', 'paid'], { description: '`applied`: account credit that waits for the next renewal.' }),
    applied_at: time('Time at which the account received the credit.'),
    paid_at: time('Time at which it was paid, or the credit was used.'),
  },
  'A payout.',
)
const Terms = record(
  'AffiliateTerms',
  {
    percent: Type.Integer({ unit: 'percent', description: 'Share of payments without tax; 0 if there is no program.' }),
    months: Type.Integer({ unit: 'count', description: 'Months from the first payment of a customer in which it is earned.' }),
    hold_days: Type.Integer({ unit: 'days', description: 'Days from the payment until the commission can be paid out.' }),
    transfer_threshold_cents: cents('Minimum amount of a bank transfer.'),
  },
  'Terms of the program.',
)

export const Affiliate = record(
  'Affiliate',
  {
    status: OneOf(['none', 'pending', 'approved', 'rejected', 'suspended'], { description: '`none`: not applied.' }),
    code: Nullable(Type.String(), { description: 'Referral code.' }),
    referral_url: Nullable(Type.String(), { description: 'Link with the code; approved affiliates only.' }),
    payout_method: Nullable(PayoutMethod, { description: '`credit` on the account, or `transfer` to a bank.' }),
    rejection_reason: Nullable(Type.String(), { description: 'Reason for which the last application was rejected.' }),
    applied_at: time('Time of the application.'),
    approved_at: time('Time of the approval.'),
    credit_blocked: Nullable(OneOf(blocks), {
      description: 'Reason for which account credit waits. `program`: the workspace has a discount; null if nothing prevents it.',
    }),
    signups: Type.Integer({ unit: 'count', description: 'Accounts created through the link or code.' }),
    customers: Type.Integer({ unit: 'count', description: 'Referred workspaces that have paid.' }),
    balances: Type.Array(Balance, { description: 'By currency.' }),
    payouts: Type.Array(Payout, { description: 'The latest 20.' }),
    terms: Terms,
  },
  'An affiliate, with referrals and earnings.',
)

export const Commission = record(
  'AffiliateCommission',
  {
    id: Type.String({ format: 'uuid', description: 'Id.' }),
    kind: OneOf(['commission', 'clawback', 'reversal'], {
      description: '`clawback`: after a refund or dispute; `reversal`: of a clawback.',
    }),
    status: OneOf(commissionStatuses, { description: '`pending`: on hold; `approved`: payable.' }),
    amount_cents: cents('The share; negative for a clawback.'),
    basis_cents: cents('Payment without tax on which the share is based.'),
    currency,
    earned_at: DateTime({ description: 'Time of the payment or refund.' }),
    approved_at: time('Time at which it became payable.'),
    paid_at: time('Time of the payout.'),
  },
  'The earnings from one payment, or their clawback.',
)

export const toCommission = (row: AffiliateCommissionRow): Static<typeof Commission> => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  amount_cents: row.amount_cents,
  basis_cents: row.basis_cents,
  currency: row.currency,
  earned_at: iso(row.earned_at),
  approved_at: iso(row.approved_at),
  paid_at: iso(row.paid_at),
})

/** The record of an account; if there is no program, the record of an account that has not applied. */
export async function toAffiliate(db: Db, config: Config, row: AffiliateRow | undefined): Promise<Static<typeof Affiliate>> {
  const terms = termsOf(config)
  if (!row || !hasProgram(config)) {
    const nothing = { code: null, referral_url: null, payout_method: null, rejection_reason: null, applied_at: null, approved_at: null }
    return { status: 'none', ...nothing, credit_blocked: null, signups: 0, customers: 0, balances: [], payouts: [], terms }
  }
  const place = row.payout_method === 'credit' ? await creditPlaceOf(db, row.account_id) : undefined
  return {
    status: row.status,
    code: row.code,
    referral_url: row.status === 'approved' ? `${config.BASE_URL}/r/${row.code}` : null,
    payout_method: row.payout_method,
    rejection_reason: row.status === 'rejected' ? row.rejection_reason : null,
    applied_at: iso(row.applied_at),
    approved_at: iso(row.approved_at),
    credit_blocked: place && 'blocked' in place ? place.blocked : null,
    ...(await referred(db, row.account_id)),
    balances: await balancesOf(db, row.account_id),
    payouts: await payoutsOf(db, row.account_id),
    terms,
  }
}

/** @param via only through the box */
export async function referred(db: Db, affiliateId: string, via?: 'box'): Promise<{ signups: number; customers: number }> {
  let query = db
    .selectFrom('affiliate_referrals')
    .select(({ fn }) => [fn.countAll<number>().as('signups'), fn.count<number>('first_paid_at').as('customers')])
    .where('affiliate_id', '=', affiliateId)
  if (via) query = query.where('via', '=', via)
  return (await query.executeTakeFirst()) ?? { signups: 0, customers: 0 }
}

export async function balancesOf(db: Db, affiliateId: string): Promise<Static<typeof Balance>[]> {
  const rows = await db
    .selectFrom('affiliate_commissions')
    .select(({ fn }) => ['currency', 'status', fn.sum<number>('amount_cents').as('cents')])
    .where('affiliate_id', '=', affiliateId)
    .where('status', '!=', 'void')
    .groupBy(['currency', 'status'])
    .orderBy('currency')
    .execute()
  const sum = (code: string, status: string): number => rows.find(row => row.currency === code && row.status === status)?.cents ?? 0
  return [...new Set(rows.map(row => row.currency))].map(code => ({
    currency: code,
    pending_cents: sum(code, 'pending'),
    approved_cents: sum(code, 'approved'),
    paid_cents: sum(code, 'paid'),
  }))
}

async function payoutsOf(db: Db, affiliateId: string): Promise<Static<typeof Payout>[]> {
  const all = db.selectFrom('affiliate_payouts').selectAll().where('affiliate_id', '=', affiliateId)
  const rows = await all.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(20).execute()
  return rows.map(({ amount_cents, currency, payout_method, status, credited_at, paid_at }) => ({
    amount_cents,
    currency,
    payout_method,
    status,
    applied_at: iso(credited_at),
    paid_at: iso(paid_at),
  }))
}

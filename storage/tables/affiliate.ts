/** Affiliates who recommend the service, the workspaces that they referred, and their commissions and payouts. */
import { text, int, bigint, instant, oneOf, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const affiliates = table(
  {
    account_id: reference('accounts'),
    status: oneOf('pending', 'approved', 'rejected', 'suspended'),
    code: unique(text),
    payout_method: oneOf('credit', 'transfer'),
    website: nullable(text),
    message: nullable(text),
    rejection_reason: nullable(text),
    applied_at: instant,
    /** Time of the operator's last decision. */
    decided_at: nullable(instant),
    approved_at: nullable(instant),
  },
  { key: ['account_id'] },
)
export type AffiliateRow = Row<typeof affiliates>

/** A workspace whose creator came with an affiliate's code. The row outlives the workspace, because the commission was earned. */
export const affiliate_referrals = table(
  {
    workspace_id: text,
    affiliate_id: reference('affiliates.account_id'),
    account_id: text,
    via: oneOf('link', 'box'),
    signed_up_at: instant,
    first_paid_at: nullable(instant),
  },
  { key: ['workspace_id'], indexes: [['affiliate_id']] },
)
export type AffiliateReferralRow = Row<typeof affiliate_referrals>

export const affiliate_commissions = table(
  {
    id: text,
    affiliate_id: reference('affiliates.account_id'),
    workspace_id: text,
    invoice_id: text,
    kind: oneOf('commission', 'clawback', 'reversal'),
    status: oneOf('pending', 'approved', 'paid', 'void'),
    amount_cents: bigint,
    basis_cents: bigint,
    currency: text,
    /** Percent of the basis, by the terms at the time of the first payment. */
    percent: int,
    earned_at: instant,
    /** End of the hold. */
    due_at: instant,
    approved_at: nullable(instant),
    paid_at: nullable(instant),
    payout_id: nullable(text),
    created_at: instant,
  },
  { indexes: [['affiliate_id', 'created_at'], ['invoice_id'], ['status', 'due_at']] },
)
export type AffiliateCommissionRow = Row<typeof affiliate_commissions>

export const affiliate_payouts = table(
  {
    id: text,
    affiliate_id: reference('affiliates.account_id'),
    amount_cents: bigint,
    currency: text,
    payout_method: oneOf('credit', 'transfer'),
    status: oneOf('applied', 'paid'),
    /** The account that receives the credit. */
    workspace_id: nullable(text),
    /** When Stripe accepted the credit; null until then. */
    credited_at: nullable(instant),
    created_at: instant,
    paid_at: nullable(instant),
  },
  { indexes: [['affiliate_id', 'created_at']] },
)
export type AffiliatePayoutRow = Row<typeof affiliate_payouts>

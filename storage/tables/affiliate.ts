/** People who recommend the service, whom they led here, and what they earn by it. */

export interface AffiliateRow {
  account_id: string
  status: 'pending' | 'approved' | 'rejected' | 'suspended'
  code: string
  payout_method: 'credit' | 'transfer'
  website: string | null
  message: string | null
  rejection_reason: string | null
  applied_at: number
  /** When the operator last decided. */
  decided_at: number | null
  approved_at: number | null
}

/** A workspace that somebody made who came by a code. It stays when the workspace goes: it was earned. */
export interface AffiliateReferralRow {
  workspace_id: string
  affiliate_id: string
  account_id: string
  via: 'link' | 'box'
  signed_up_at: number
  first_paid_at: number | null
}

export interface AffiliateCommissionRow {
  id: string
  affiliate_id: string
  workspace_id: string
  invoice_id: string
  kind: 'commission' | 'clawback' | 'reversal'
  status: 'pending' | 'approved' | 'paid' | 'void'
  amount_cents: number
  basis_cents: number
  currency: string
  /** Percent of the basis, by the terms at the time of the first payment. */
  percent: number
  earned_at: number
  /** When the hold ends. */
  due_at: number
  approved_at: number | null
  paid_at: number | null
  payout_id: string | null
  created_at: number
}

export interface AffiliatePayoutRow {
  id: string
  affiliate_id: string
  amount_cents: number
  currency: string
  payout_method: 'credit' | 'transfer'
  status: 'applied' | 'paid'
  /** The account that receives the credit. */
  workspace_id: string | null
  /** When Stripe took the credit; null: it is still to be told. */
  credited_at: number | null
  created_at: number
  paid_at: number | null
}

declare module './index.ts' {
  interface Tables {
    affiliates: AffiliateRow
    affiliate_referrals: AffiliateReferralRow
    affiliate_commissions: AffiliateCommissionRow
    affiliate_payouts: AffiliatePayoutRow
  }
}

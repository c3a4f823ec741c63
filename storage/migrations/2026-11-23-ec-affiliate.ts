/** The affiliate program: who is in it, whom they led here, commissions and payouts. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofAffiliate = ['text', 'references affiliates(account_id) on delete cascade'] as const

export const affiliate: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'affiliates',
    {
      account_id: ['text', 'references accounts(id) on delete cascade'],
      status: 'text',
      code: ['text', 'unique'],
      payout_method: 'text',
      website: 'text?',
      message: 'text?',
      rejection_reason: 'text?',
      applied_at: 'bigint',
      decided_at: 'bigint?',
      approved_at: 'bigint?',
    },
    { key: 'account_id' },
  )
  await createTable(
    db,
    dialect,
    'affiliate_referrals',
    { workspace_id: 'text', affiliate_id: ofAffiliate, account_id: 'text', via: 'text', signed_up_at: 'bigint', first_paid_at: 'bigint?' },
    { key: 'workspace_id' },
  )
  await createIndex(db, 'affiliate_referrals', 'affiliate_id')
  await createTable(
    db,
    dialect,
    'affiliate_payouts',
    {
      id: 'text',
      affiliate_id: ofAffiliate,
      amount_cents: 'bigint',
      currency: 'text',
      payout_method: 'text',
      status: 'text',
      workspace_id: 'text?',
      credited_at: 'bigint?',
      created_at: 'bigint',
      paid_at: 'bigint?',
    },
    { key: 'id' },
  )
  await createIndex(db, 'affiliate_payouts', 'affiliate_id, created_at')
  await createTable(
    db,
    dialect,
    'affiliate_commissions',
    {
      id: 'text',
      affiliate_id: ofAffiliate,
      workspace_id: 'text',
      invoice_id: 'text',
      kind: 'text',
      status: 'text',
      amount_cents: 'bigint',
      basis_cents: 'bigint',
      currency: 'text',
      percent: 'int',
      earned_at: 'bigint',
      due_at: 'bigint',
      approved_at: 'bigint?',
      paid_at: 'bigint?',
      payout_id: 'text?',
      created_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'affiliate_commissions', 'affiliate_id, created_at')
  await createIndex(db, 'affiliate_commissions', 'invoice_id')
  await createIndex(db, 'affiliate_commissions', 'status, due_at')
}

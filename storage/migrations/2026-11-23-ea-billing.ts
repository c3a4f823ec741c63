/** Subscriptions and invoices of workspaces, as Stripe has them. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const workspace = 'references workspaces(id) on delete cascade'

export const billing: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'billing_customers',
    {
      id: 'text',
      workspace_id: ['text', `unique ${workspace}`],
      subscription_id: 'text?',
      status: 'text',
      amount_cents: 'bigint?',
      currency: 'text?',
      interval: 'text?',
      trial_ends_at: 'bigint?',
      period_ends_at: 'bigint?',
      cancels_at: 'bigint?',
      unpaid_since: 'bigint?',
      blocked_from: 'bigint?',
      is_discounted: 'int',
      due_at: 'bigint',
      asked: 'bigint',
      attempt: 'int',
      leased_until: 'bigint?',
      read_at: 'bigint?',
      created_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'billing_customers', 'due_at')
  await createTable(
    db,
    dialect,
    'billing_invoices',
    {
      id: 'text',
      workspace_id: ['text', workspace],
      number: 'text?',
      status: 'text',
      currency: 'text',
      total_cents: 'bigint',
      paid_cents: 'bigint',
      net_cents: 'bigint',
      reversed_cents: 'bigint',
      created_at: 'bigint',
      paid_at: 'bigint?',
      url: 'text?',
      pdf_url: 'text?',
    },
    { key: 'id' },
  )
  await createIndex(db, 'billing_invoices', 'workspace_id, created_at')
  await createTable(db, dialect, 'billing_events', { id: 'text', type: 'text', received_at: 'bigint' }, { key: 'id' })
  await createIndex(db, 'billing_events', 'received_at')
  await createTable(
    db,
    dialect,
    'billing_endings',
    { id: 'text', due_at: 'bigint?', attempt: 'int', leased_until: 'bigint?', created_at: 'bigint' },
    { key: 'id' },
  )
  await createIndex(db, 'billing_endings', 'due_at')
}

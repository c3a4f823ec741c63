/** Feedback about the service. */
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const feedback: Migration = (db, dialect) =>
  createTable(
    db,
    dialect,
    'feedback',
    {
      id: 'text',
      account_id: ['text?', 'references accounts(id) on delete set null'],
      kind: 'text',
      message: 'text',
      created_at: 'bigint',
    },
    { key: 'id' },
  )

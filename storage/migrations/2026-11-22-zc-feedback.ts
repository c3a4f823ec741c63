/** What people said of the service. */
import { createTable } from './create-table.ts'
import type { Migration } from './index.ts'

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

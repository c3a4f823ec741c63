/** People who asked for an account. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const signUp: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'sign_ups',
    {
      id: 'text',
      email: ['text', 'unique'],
      name: 'text?',
      hash: ['text', 'unique'],
      code: 'text?',
      via: 'text?',
      created_at: 'bigint',
      expires_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'sign_ups', 'code')
}

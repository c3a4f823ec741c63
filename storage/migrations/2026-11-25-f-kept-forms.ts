/** Entries of forms that could not be taken without signing in: encrypted, for one account, for an hour. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const keptForms: Migration = async (db, dialect) => {
  await createTable(db, dialect, 'kept_forms', { id: 'text', account_id: 'text', sealed: 'text', created_at: 'bigint' }, { key: 'id' })
  await createIndex(db, 'kept_forms', 'account_id')
}

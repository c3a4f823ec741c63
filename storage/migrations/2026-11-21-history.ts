/** Counts of new texts a day, and the progress of imported files. */
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const history: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'new_texts',
    {
      site_id: 'int',
      day: 'int',
      dim: 'int',
      count: 'int',
    },
    { key: 'site_id, day, dim', kind: 'keyed' },
  )
  await createTable(
    db,
    dialect,
    'hit_imports',
    {
      site_id: 'int',
      fingerprint: 'text',
      options: 'text',
      records: 'int',
      hits: 'int',
      refused: 'int',
      moneyless: 'int',
      started_at: 'bigint',
      updated_at: 'bigint',
      finished_at: 'bigint?',
    },
    { key: 'site_id, fingerprint', kind: 'keyed' },
  )
  await createTable(
    db,
    dialect,
    'hit_import_refusals',
    {
      site_id: 'int',
      fingerprint: 'text',
      line: 'int',
      reason: 'text',
    },
    { key: 'site_id, fingerprint, line', kind: 'keyed' },
  )
}

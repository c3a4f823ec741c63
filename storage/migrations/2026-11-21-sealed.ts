/** Closed days stored as columns and sums, beside their rows (docs/analytics.md §5). */
import { sql } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const sealed: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'segments',
    {
      site_id: 'int',
      day: 'int',
      rev: 'int',
      format: 'int',
      starts_at: 'bigint',
      ends_at: 'bigint',
      shape: 'text',
    },
    { key: 'site_id, day' },
  )
  for (const table of ['segment_cols', 'segment_sums']) {
    await createTable(
      db,
      dialect,
      table,
      { site_id: 'int', col: 'int', day: 'int', data: 'blob' },
      {
        key: 'site_id, col, day',
      },
    )
    // The blobs are compressed already.
    if (dialect.name === 'postgres') {
      await sql.raw(`alter table ${table} alter column data set storage external`).execute(db)
    }
  }
  await sql`create index site_days_unsealed on site_days (ends_at) where sealed_rev <> rev`.execute(db)
}

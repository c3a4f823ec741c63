/**
 * Closed days in ClickHouse (docs/clickhouse.md): `site_days.moved` is the copy that has the rows of a day which are no
 * longer here, `segments.copy` the one that has its columns; 0 for none. `clickhouse_copies` has every copy there is.
 */
import { sql } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const clickhouse: Migration = async (db, dialect) => {
  // Other processes may store hits meanwhile: those wait for this lock, so it is not waited for long but tried again.
  if (dialect.name === 'postgres') await sql`set local lock_timeout = '3s'`.execute(db)
  for (const column of ['site_days add column moved', 'segments add column copy']) {
    await sql.raw(`alter table ${column} ${dialect.types.bigint} not null default 0`).execute(db)
  }
  await sql`create index site_days_moved on site_days (site_id, day) where moved <> 0`.execute(db)
  await createTable(
    db,
    dialect,
    'clickhouse_copies',
    {
      site_id: 'int',
      day: 'int',
      copy: 'bigint',
      drop_at: 'bigint?',
      keep_until: 'bigint',
      emptied: 'int',
      visits: 'int',
      hits: 'int',
      first_at: 'bigint',
      last_at: 'bigint',
      ended_at: 'bigint',
    },
    { key: 'site_id, day, copy' },
  )
  await sql`create index clickhouse_copies_drop_at on clickhouse_copies (drop_at) where drop_at is not null`.execute(db)
  await sql`create index clickhouse_copies_full on clickhouse_copies (site_id, day) where emptied = 0 and drop_at is null`.execute(db)
}

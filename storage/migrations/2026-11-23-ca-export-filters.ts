/** Exports of a part of a site's data: the conditions as they were given, and as they were when it was made. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const exportFilters: Migration = async (db, dialect) => {
  for (const column of ['filters', 'segment_id', 'scope']) {
    await sql.raw(`alter table exports add column ${column} ${dialect.types.text}`).execute(db)
  }
}

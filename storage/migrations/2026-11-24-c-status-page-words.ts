/** The language and the time zone that a status page tells in. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const statusPageWords: Migration = async (db, dialect) => {
  await sql.raw(`alter table status_pages add column language ${dialect.types.text} not null default 'en'`).execute(db)
  await sql.raw(`alter table status_pages add column timezone ${dialect.types.text} not null default 'UTC'`).execute(db)
}

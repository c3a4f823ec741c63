/** When each visit last changed: a day that is in memory is brought up to date from those visits alone. */
import { sql } from 'kysely'
import type { Migration } from './index.ts'

export const visitRev: Migration = async (db, dialect) => {
  await sql.raw(`alter table visits add column rev ${dialect.types.int} not null default 0`).execute(db)
}

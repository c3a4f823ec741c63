/** The `rev` of the latest change of each visit: a day in memory is updated from the changed visits alone. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const visitRev: Migration = async (db, dialect) => {
  await sql.raw(`alter table visits add column rev ${dialect.types.int} not null default 0`).execute(db)
}

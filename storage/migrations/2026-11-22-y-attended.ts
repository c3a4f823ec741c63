/** When the last engagement of a visit came: how long the visit lasts after one of its events is deleted. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const attended: Migration = async (db, dialect) => {
  await sql.raw(`alter table visits add column attended_at ${dialect.types.bigint} not null default 0`).execute(db)
}

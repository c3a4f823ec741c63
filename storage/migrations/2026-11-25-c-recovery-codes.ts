/** When recovery codes were made. Those of before have none: they are shorter, so that pages advise new ones. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const recoveryCodes: Migration = async (db, { types }) => {
  await sql.raw(`alter table recovery_codes add column created_at ${types.bigint}`).execute(db)
}

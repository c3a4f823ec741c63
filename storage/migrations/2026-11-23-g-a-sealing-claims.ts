/** Until when a worker has claimed a day that it seals, epoch ms: any number of workers seal, each its own days. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const sealingClaims: Migration = async (db, dialect) => {
  // Other processes may store hits meanwhile: those wait for this lock, so it is not waited for long but tried again.
  if (dialect.name === 'postgres') await sql`set local lock_timeout = '3s'`.execute(db)
  await sql.raw(`alter table site_days add column sealing_until ${dialect.types.bigint} not null default 0`).execute(db)
}

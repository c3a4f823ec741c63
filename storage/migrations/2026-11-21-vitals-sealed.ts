/** Sealed days include vitals and clicks (format 2): days sealed without them are due for sealing again. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const vitalsSealed: Migration = async db => {
  await sql`update site_days set sealed_rev = -1 where exists (
    select 1 from segments where segments.site_id = site_days.site_id and segments.day = site_days.day)`.execute(db)
}

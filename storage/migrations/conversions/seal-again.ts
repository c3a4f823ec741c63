import { type Kysely, sql } from 'kysely'

/** Makes all sealed days due for sealing again, in the current format. Until then, reports read their rows. */
export const sealAgain = (db: Kysely<unknown>): Promise<unknown> =>
  sql`update site_days set sealed_rev = -1 where exists (
    select 1 from segments where segments.site_id = site_days.site_id and segments.day = site_days.day)`.execute(db)

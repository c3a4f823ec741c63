import { sql } from 'kysely'

/** The condition of days of `site_days d` to pack: closed and sealed, with rows in the tables and without a copy, unless it is to wait. */
export const toPack = ({ now, graceMs }: { now: number; graceMs: number }) => sql`
  d.moved = 0 and d.ends_at <= ${now - graceMs} and d.sealed_rev = d.rev
  and not exists (
    select 1 from clickhouse_copies c where c.site_id = d.site_id and c.day = d.day
      and ((c.drop_at is null and c.copy > 0) or (c.copy in (0, -1 - d.rev) and (c.drop_at is null or c.drop_at > ${now}))))
  and exists (select 1 from visits v where v.site_id = d.site_id and v.day = d.day)`

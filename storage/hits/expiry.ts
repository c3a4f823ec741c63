/** Deletes visits after the retention period, a few in each transaction, and always whole visits. */
import { sql } from 'kysely'
import type { Store } from '../store.ts'

/** Days before `day` that still have data, oldest first. */
export async function expiredDays(store: Store, site: number, day: number): Promise<number[]> {
  const rows = await store.read
    .selectFrom('site_days')
    .select('day')
    .where('site_id', '=', site)
    .where('day', '<', day)
    .where(sql<boolean>`(${holds('visits')} or ${holds('vitals')} or ${holds('clicks')})`)
    .orderBy('day')
    .execute()
  return rows.map(row => row.day)
}

const holds = (table: 'visits' | 'vitals' | 'clicks') => sql`exists (
  select 1 from ${sql.table(table)} as t where t.site_id = site_days.site_id and t.day = site_days.day)`

/**
 * Deletes up to `limit` visits of a day and their rows, and increases the day's `rev` for all who cache it. Call until
 * done.
 * @returns whether the day is empty
 */
export async function expireVisits(store: Store, site: number, day: number, limit: number): Promise<boolean> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    const visits = await trx
      .selectFrom('visits')
      .select('visit_id')
      .where('site_id', '=', site)
      .where('day', '=', day)
      .orderBy('visit_id')
      .limit(limit)
      .execute()
    const isLast = visits.length < limit
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : (visits.at(-1)?.visit_id ?? 0)
    for (const table of ['hit_props', 'vitals', 'clicks', 'hits', 'visits'] as const) {
      await trx.deleteFrom(table).where('site_id', '=', site).where('day', '=', day).where('visit_id', '<=', upTo).execute()
    }
    await trx
      .updateTable('site_days')
      .set(({ eb }) => ({ rev: eb('rev', '+', 1) }))
      .where('site_id', '=', site)
      .where('day', '=', day)
      .execute()
    return isLast
  })
}

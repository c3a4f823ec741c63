import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Store } from '../../../storage/store.ts'

/**
 * Asserts that every visit matches its hits, and that no hit or property lacks a visit.
 * @param attention whether engagements may have extended visits
 */
export async function visitsAddUp({ read }: Store, site: number, { attention = false } = {}): Promise<void> {
  const isOff = sql.raw(attention ? '<' : '<>')
  const { rows: wrong } = await sql`
    select v.* from visits v left join (
      select day, visit_id, min(at) as first_at, max(at) as last_at, sum(revenue) as revenue,
        sum(case when event = 0 then 1 else 0 end) as pageviews, sum(case when event = 0 then 0 else 1 end) as events,
        max(case when event <> 0 then interactive else 0 end) as interactive,
        min(case when event = 0 then at end) as entry_at, max(case when event = 0 then at end) as exit_at
      from hits where site_id = ${site} group by day, visit_id
    ) h on h.day = v.day and h.visit_id = v.visit_id
    where v.site_id = ${site} and (h.visit_id is null or v.started_at <> h.first_at or v.duration ${isOff} h.last_at - h.first_at
      or v.pageviews <> h.pageviews or v.events <> h.events or v.revenue <> h.revenue
      or v.bounce <> (case when h.pageviews < 2 and h.interactive = 0 then 1 else 0 end)
      or (h.pageviews > 0 and (v.started_at + v.entry_after <> h.entry_at or v.started_at + v.exit_after <> h.exit_at)))`.execute(read)
  assert.deepEqual(wrong, [])
  const { rows: lost } = await sql`
    select h.* from hits h left join visits v on v.site_id = h.site_id and v.day = h.day and v.visit_id = h.visit_id
    where h.site_id = ${site} and v.visit_id is null`.execute(read)
  assert.deepEqual(lost, [])
  const { rows: loose } = await sql`
    select p.* from hit_props p left join hits h on h.site_id = p.site_id and h.day = p.day and h.visit_id = p.visit_id
      and h.seq = p.seq and h.event = p.event
    where p.site_id = ${site} and h.visit_id is null`.execute(read)
  assert.deepEqual(loose, [])
}

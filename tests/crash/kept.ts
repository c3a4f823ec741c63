/** Conditions that hits must meet if they were sent during a failure. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Store } from '../../storage/store.ts'

/**
 * Every acknowledged hit is stored once, in whole visits. Other hits may be stored.
 * @param sent pages, all under /p/
 */
export async function kept(store: Store, sent: ReadonlySet<string>, acknowledged: ReadonlySet<string>): Promise<void> {
  const rows = await store.read
    .selectFrom('hits as h')
    .innerJoin('dict as d', join => join.onRef('d.site_id', '=', 'h.site_id').onRef('d.id', '=', 'h.page'))
    .select('d.value as page')
    .where('d.value', 'like', '/p/%')
    .execute()
  const stored = rows.map(row => row.page)
  const found = new Set(stored)
  assert.equal(found.size, stored.length, 'none twice')
  assert.deepEqual(
    [...acknowledged].filter(page => !found.has(page)),
    [],
    'none lost',
  )
  assert.deepEqual(
    stored.filter(page => !sent.has(page)),
    [],
    'none made up',
  )

  const { rows: wrong } = await sql`
    select v.visit_id from visits v join (
      select site_id, day, visit_id, min(at) as first_at, max(at) as last_at,
        sum(case when event = 0 then 1 else 0 end) as pageviews, sum(case when event = 0 then 0 else 1 end) as events
      from hits group by site_id, day, visit_id
    ) h on h.site_id = v.site_id and h.day = v.day and h.visit_id = v.visit_id
    where v.started_at <> h.first_at or v.duration <> h.last_at - h.first_at or v.pageviews <> h.pageviews or v.events <> h.events`.execute(
    store.read,
  )
  assert.deepEqual(wrong, [], 'visits add up to their hits')
  const {
    rows: [counts],
  } = await sql<{ visits: number; with_hits: number }>`
    select (select count(*) from visits) as visits, (select count(*) from (select distinct site_id, day, visit_id from hits) x) as with_hits`.execute(
    store.read,
  )
  assert.equal(counts?.visits, counts?.with_hits, 'no visit without hits, no hit without visit')
}

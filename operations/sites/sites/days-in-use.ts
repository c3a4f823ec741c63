/** Work of other areas that goes through the stored days of a site. */
import { sql } from 'kysely'
import { fail } from '../../../runtime/table/errors.ts'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { RESUMED_WITHIN_MS } from '../../../storage/hits/retention.ts'
import type { Db } from '../../../storage/store.ts'
import { m } from './messages.ts'
import type { LiveSite } from './records.ts'

/** Whether some goes through them one after another, so that visits must stay on their days. */
export async function areDaysInUse(db: Db, { id, number }: LiveSite, now: number): Promise<boolean> {
  const isOpen = sql`status in (${sql.join([...jobsOpen])})`
  const { rows } = await sql`
    select 1 from exports where site_id = ${id} and ${isOpen}
    union all select 1 from imports where site_id = ${id} and (${isOpen} or removing = 1)
    union all select 1 from channel_applications where site_id = ${id} and ${isOpen}
    union all select 1 from event_deletions where site_id = ${id} and finished_at is null
    union all select 1 from visit_erasures where site_id = ${id} and finished_at is null
    union all select 1 from site_merges where (site_id = ${id} or into_site_id = ${id}) and finished_at is null
    union all select 1 from person_deletions where site_id = ${number} and finished_at is null
    union all select 1 from hit_imports where site_id = ${number} and finished_at is null and updated_at > ${now - RESUMED_WITHIN_MS}
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Refuses a deletion that goes through the days of a site while visits of another one move into it, which would come after it, or its own
 * move away. Call with the site locked. A merge whose other site was deleted moves none.
 * @throws Failure `invalid_state`
 */
export async function refuseWhileMerging(db: Db, { id }: LiveSite): Promise<void> {
  const row = await db
    .selectFrom('site_merges as merge')
    .innerJoin('sites as emptied', 'emptied.id', 'merge.site_id')
    .innerJoin('sites as into', 'into.id', 'merge.into_site_id')
    .select('merge.id')
    .where('merge.finished_at', 'is', null)
    .where('emptied.deleted_at', 'is', null)
    .where('into.deleted_at', 'is', null)
    .where(({ or, eb }) => or([eb('emptied.id', '=', id), eb('into.id', '=', id)]))
    .executeTakeFirst()
  if (row) fail('invalid_state', m.is_merging())
}

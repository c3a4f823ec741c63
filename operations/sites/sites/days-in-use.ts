/** Work of other areas that goes through the stored days of a site. */
import { sql } from 'kysely'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { RESUMED_WITHIN_MS } from '../../../storage/hits/retention.ts'
import type { Db } from '../../../storage/store.ts'
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

/** Cuts the stored days of sites whose time zone was changed, in the background (docs/analytics.md §5). */
import { sql } from 'kysely'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { RESUMED_WITHIN_MS } from '../../../storage/hits/retention.ts'
import { LONGEST_DAY_MS } from '../../../storage/hits/days.ts'
import type { Db } from '../../../storage/store.ts'
import { day_divided } from './hooks.ts'
import { isLive, type LiveSite } from './records.ts'

/** Reports that began under the earlier zone end within this time, ms. */
const CALM_MS = 60_000

/** @returns whether it was interrupted */
export async function recutSites(context: TaskContext): Promise<boolean> {
  const { store, now, signal, log, progress } = context
  const changed = store.read.selectFrom('sites').selectAll().where('old_days_before', 'is not', null).where('deleted_at', 'is', null)
  const sites = await changed
    .where('old_days_before', '<=', now() + LONGEST_DAY_MS - CALM_MS)
    .orderBy('number')
    .execute()
  for (const site of sites) {
    if (signal.aborted) return true
    const { old_days_before: before } = site
    if (!isLive(site) || before === null) continue
    const { recutSite } = await import('../../../storage/hits/recut-site.ts') // only after a change of a time zone
    const isDone = await recutSite(store, {
      site: site.number,
      zone: site.timezone,
      before,
      now: now(),
      signal,
      progress,
      mayCut: async trx => (await unchanged(trx, site)) && !(await isRead(trx, site, now())),
      divided: (trx, day) => context.emitIn(trx, now())(day_divided, day),
      async reached(at) {
        if (at !== site.old_days_from) await ofSite(store.write, site).set({ old_days_from: at }).execute()
      },
      finished: async trx => {
        await ofSite(trx, site).set({ old_days_before: null, old_days_from: null }).execute()
      },
    })
    if (isDone) log.info({ site: site.id }, 'all days are cut in the time zone of the site')
  }
  return signal.aborted
}

/** The site, unless its time zone was changed again. */
const ofSite = (db: Db, { id, timezone, old_days_before }: LiveSite) =>
  db.updateTable('sites').where('id', '=', id).where('timezone', '=', timezone).where('old_days_before', '=', old_days_before)

async function unchanged(db: Db, { id, timezone, old_days_before }: LiveSite): Promise<boolean> {
  const site = db.selectFrom('sites').select('id').where('id', '=', id).where('timezone', '=', timezone)
  return (await site.where('old_days_before', '=', old_days_before).executeTakeFirst()) !== undefined
}

/** Whether other work goes through the stored days of the site one after another, so that visits must stay on their days. */
async function isRead(db: Db, { id, number }: LiveSite, now: number): Promise<boolean> {
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

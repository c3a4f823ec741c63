/** Cuts the stored days of sites whose time zone was changed, in the background (docs/analytics.md §5). */
import type { TaskContext } from '../../../runtime/table/task.ts'
import { MAX_DAY_MS } from '../../../storage/hits/days.ts'
import type { Db } from '../../../storage/store.ts'
import { areDaysInUse } from './days-in-use.ts'
import { day_divided } from './hooks.ts'
import { isLive, type LiveSite } from './records.ts'

/** Reports that began under the earlier zone end within this time, ms. */
const CALM_MS = 60_000

/** @returns whether it was interrupted */
export async function recutSites(context: TaskContext): Promise<boolean> {
  const { store, now, signal, log, progress } = context
  const changed = store.read.selectFrom('sites').selectAll().where('old_days_before', 'is not', null).where('deleted_at', 'is', null)
  const sites = await changed
    .where('old_days_before', '<=', now() + MAX_DAY_MS - CALM_MS)
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
      mayCut: async trx => (await unchanged(trx, site)) && !(await areDaysInUse(trx, site, now())),
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

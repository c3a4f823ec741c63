import { task } from '../../../runtime/table/task.ts'
import { expiredDays, expireVisits } from '../../../storage/hits/expiry.ts'
import { inRanges, type Timed } from '../../../storage/moved-days/ranges.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'
import { keptDays, keptDaysOf, type Keeping } from '../../people/plans/index.ts'
import { RETENTION_DAYS } from './settings.ts'
import { forgetTexts, noteTextsOf, sitesWithErasedTexts } from '../../../storage/hits/forget-texts.ts'
import { forgetVisitors } from '../../../storage/hits/retention.ts'
import { scrubCopies } from '../../../storage/hits/scrub-copies.ts'
import type { Db, Store } from '../../../storage/store.ts'
import type { SiteDay } from '../../../storage/values/site-day.ts'

export const hits_expire = task({
  name: 'hits_expire',
  summary:
    'Deletes visits and hits that are older than `RETENTION_DAYS`, or older than the plan keeps; once a week, also texts that only they had',
  every: HOUR_MS,
  lease: 2 * MINUTE_MS,
  async run({ store, config, now, signal, progress }) {
    const keeping = () => ({ config, now: now(), ofInstallation: config.of(RETENTION_DAYS) })
    const keptOf = await keptDays(store.read, keeping())
    const sites = await store.read
      .selectFrom('sites')
      .select(['number', 'timezone', 'workspace_id'])
      .where('domain', 'is not', null)
      .where('deleted_at', 'is', null)
      .execute()
    let days = 0
    for (const { number, timezone, workspace_id } of sites) {
      const kept = keptOf(workspace_id)
      if (kept === 0) continue
      for (const day of await expiredDays(store, number, localDay(timezone, now()).day - kept)) {
        const isAllowed = (db: Db) => isExpired(db, { site: number, day }, keeping())
        if (!(await isAllowed(store.read))) break
        await noteTextsOf(store, { site: number, day })
        const expireSome = (limit: number, timed: Timed) => expireVisits(store, { site: number, day, limit, timed, isAllowed })
        if (!(await inRanges(store, expireSome, signal))) return { more: true }
        progress(++days, null)
      }
    }
    return { more: !(await forgetTextsOnce(store, { now: now(), signal })) }
  },
})

/** A long history is deleted for hours, in which its workspace may get another plan, or the site another workspace. */
async function isExpired(db: Db, { site, day }: SiteDay, keeping: Keeping): Promise<boolean> {
  const own = db.selectFrom('sites').select(['workspace_id', 'timezone']).where('number', '=', site).where('deleted_at', 'is', null)
  const found = await own.executeTakeFirst()
  const kept = found ? await keptDaysOf(db, keeping, found.workspace_id) : 0
  return found !== undefined && kept > 0 && day < localDay(found.timezone, keeping.now).day - kept
}

/** The search for texts that no hit has any more reads all days of a site, so it runs once a week. */
const SEARCH_EVERY_DAYS = 7

/** @returns false if it was interrupted */
async function forgetTextsOnce(store: Store, { now, signal }: { now: number; signal: AbortSignal }): Promise<boolean> {
  if (localDay('UTC', now).day % SEARCH_EVERY_DAYS !== 0) return true
  const sites = await sitesWithErasedTexts(store)
  for (const site of sites) if (!(await forgetTexts(store, site, { signal }))) return false
  if (sites.length > 0) await scrubCopies(store)
  return true
}

export const visitors_forget = task({
  name: 'visitors_forget',
  summary: 'Destroys the salts and hashes of visitors 48 hours after their day',
  every: 5 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run({ store, now, signal, progress }) {
    const days = await forgetVisitors(store, now(), signal)
    progress(days, days)
  },
})

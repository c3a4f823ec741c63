import { task } from '../../../runtime/table/task.ts'
import { expiredDays, expireVisits } from '../../../storage/hits/expiry.ts'
import { inRanges } from '../../../storage/moved-days/ranges.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { keptDays } from '../../people/plans/index.ts'
import { RETENTION_DAYS } from './settings.ts'
import { forgetVisitors } from '../../../storage/hits/retention.ts'

const minutes = 60_000

export const hits_expire = task({
  name: 'hits_expire',
  summary: 'Deletes visits and hits that are older than `RETENTION_DAYS`, or older than the plan keeps',
  every: 60 * minutes,
  lease: 2 * minutes,
  async run({ store, config, now, signal, progress }) {
    const keptOf = await keptDays(store.read, { config, now: now(), ofInstallation: config.of(RETENTION_DAYS) })
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
        if (!(await inRanges(store, (rows, timed) => expireVisits(store, { site: number, day, limit: rows, timed }), signal)))
          return { more: true }
        progress(++days, null)
      }
    }
  },
})

export const visitors_forget = task({
  name: 'visitors_forget',
  summary: 'Destroys the salts and hashes of visitors 48 hours after their day',
  every: 5 * minutes,
  lease: 2 * minutes,
  async run({ store, now, signal, progress }) {
    const days = await forgetVisitors(store, now(), signal)
    progress(days, days)
  },
})

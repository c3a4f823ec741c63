import { setImmediate } from 'node:timers/promises'
import { task } from '../../../runtime/task.ts'
import { expiredDays, expireVisits } from '../../../storage/hits/expiry.ts'
import { localDay } from '../../../storage/zones.ts'
import { RETENTION_DAYS } from './settings.ts'
import { forgetVisitors } from '../../../storage/hits/retention.ts'

const minutes = 60_000
/** Visits deleted in one transaction: few enough that hits do not wait long. */
const chunk = 500

export const hits_expire = task({
  name: 'hits_expire',
  summary: 'Deletes visits and hits that are older than RETENTION_DAYS, piece by piece',
  every: 60 * minutes,
  lease: 2 * minutes,
  async run({ store, config, now, signal, progress }) {
    if (config.of(RETENTION_DAYS) === 0) return
    const sites = await store.read.selectFrom('sites').select(['number', 'timezone']).where('deleted_at', 'is', null).execute()
    let days = 0
    for (const { number, timezone } of sites) {
      for (const day of await expiredDays(store, number, localDay(timezone, now()).day - config.of(RETENTION_DAYS))) {
        let isGone: boolean
        do {
          if (signal.aborted) return { more: true }
          isGone = await expireVisits(store, number, day, chunk)
          await setImmediate()
        } while (!isGone)
        progress(++days, null)
      }
    }
  },
})

export const visitors_forget = task({
  name: 'visitors_forget',
  summary: 'Destroys salts and visitors’ hashes 48 hours after their day closed',
  every: 5 * minutes,
  lease: 2 * minutes,
  async run({ store, now, signal, progress }) {
    const days = await forgetVisitors(store, now(), signal)
    progress(days, days)
  },
})

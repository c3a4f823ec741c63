import { setImmediate } from 'node:timers/promises'
import { task } from '../../../runtime/task.ts'
import { forgetVisitors } from '../../../storage/hits/retention.ts'
import { expire, expiring } from './expire.ts'
import { purgeSites } from './purge.ts'

const minutes = 60_000
/** Rows deleted at a time: few enough that nobody waits long behind them. */
const chunk = 1_000

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

export const sites_purge = task({
  name: 'sites_purge',
  summary: 'Deletes the hits of deleted sites, piece by piece',
  every: 5 * minutes,
  lease: 2 * minutes,
  run: async context => ({ more: await purgeSites(context, chunk) }),
})

export const rows_expire = task({
  name: 'rows_expire',
  summary: 'Deletes rows that are of no use any more',
  every: 60 * minutes,
  lease: 2 * minutes,
  async run({ store, now, signal, progress }) {
    let rows = 0
    for (const table of expiring) {
      let deleted: number
      do {
        if (signal.aborted) return { more: true }
        deleted = await expire(store, table, now(), chunk)
        progress(rows += deleted, null)
        await setImmediate()
      } while (deleted === chunk)
    }
  },
})

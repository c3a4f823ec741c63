import { setImmediate } from 'node:timers/promises'
import { task } from '../../../runtime/task.ts'
import { expire } from './expire.ts'

const minutes = 60_000
/** Rows deleted in one transaction: few enough that other writers do not wait long. */
const chunk = 1_000

export const rows_expire = task({
  name: 'rows_expire',
  summary: 'Deletes rows that are of no use any more',
  every: 60 * minutes,
  lease: 2 * minutes,
  async run({ store, table: { expiring }, now, signal, progress }) {
    let rows = 0
    for (const table of expiring) {
      let deleted: number
      do {
        if (signal.aborted) return { more: true }
        deleted = await expire(store, table, now(), chunk)
        progress((rows += deleted), null)
        await setImmediate()
      } while (deleted === chunk)
    }
  },
})

/** Removes deleted sites: their hits in chunks, then the tombstone that reserved their number. */
import type { TaskContext } from '../../../runtime/table/task.ts'
import { inRanges } from '../../../storage/moved-days/ranges.ts'
import { purgeSite } from '../../../storage/hits/retention.ts'

/** Time after which no process still uses a lookup from before the deletion, ms. */
const settled = 60_000

/** @returns whether it was interrupted */
export async function purgeSites({ store, log, now, signal, progress }: TaskContext): Promise<boolean> {
  const sites = await store.read
    .selectFrom('sites')
    .select(['id', 'number'])
    .where('deleted_at', '<=', now() - settled)
    .orderBy('number')
    .execute()
  let rows = 0
  for (const { id, number } of sites) {
    const isGone = await inRanges(
      store,
      async (limit, timed) => {
        const isLast = await purgeSite(store, { site: number, limit, timed })
        progress((rows += limit), null)
        return isLast
      },
      signal,
    )
    if (!isGone) return true
    // New numbers follow the highest one, so keep that tombstone; otherwise, a new site could get the number of this one.
    const { numDeletedRows } = await store.write
      .deleteFrom('sites')
      .where('id', '=', id)
      .where('number', '<', ({ selectFrom }) => selectFrom('sites').select(({ fn }) => fn.max('number').as('number')))
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) log.info({ site: id }, 'purged a deleted site')
  }
  return false
}

/** Removes deleted sites: their hits in chunks, then their records, and at last what is left of a deleted workspace. */
import type { TaskContext } from '../../../runtime/table/task.ts'
import { purgeWorkspace } from '../../../storage/hits/purge-workspace.ts'
import { scrubCopies } from '../../../storage/hits/scrub-copies.ts'
import { scrubbing } from '../../../storage/hits/scrubbing.ts'
import { purgeSite } from '../../../storage/hits/retention.ts'
import { inRanges } from '../../../storage/moved-days/ranges.ts'
import type { Store } from '../../../storage/store.ts'

/** Time after which no process still uses a lookup from before the deletion, ms. */
const settled = 60_000

/** The workspace of the row that only reserves a number. */
const NO_WORKSPACE = ''

/** @returns whether it was interrupted */
export async function purgeSites({ store, log, now, signal, progress }: TaskContext): Promise<boolean> {
  const sites = await store.read
    .selectFrom('sites')
    .select(['id', 'number', 'workspace_id'])
    .where('deleted_at', '<=', now() - settled)
    .where('workspace_id', '!=', NO_WORKSPACE)
    .orderBy('number')
    .execute()
  if (sites.length === 0) return false
  let rows = 0
  for (const { number, workspace_id: workspace } of sites) {
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
    if (!(await isWorkspace(store, workspace)) && !(await purgeWorkspace(store, workspace, signal))) return true
  }
  await scrubCopies(store) // as long as their rows are there, a run that fails is tried again
  for (const { id, number } of sites) {
    await removeRow(store, { id, number, now: now() })
    log.info({ site: id }, 'purged a deleted site')
  }
  await scrubCopies(store)
  return false
}

const isWorkspace = async ({ read }: Store, id: string): Promise<boolean> =>
  (await read.selectFrom('workspaces').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/**
 * Deletes the row of a site, and with it all records that refer to it. New numbers follow the highest one, so an empty row keeps
 * that. Otherwise, a new site could get the number of this one.
 */
async function removeRow(store: Store, { id, number, now }: { id: string; number: number; now: number }): Promise<void> {
  await store.transaction(async trx => {
    const { highest } = await trx
      .selectFrom('sites')
      .select(({ fn }) => fn.max('number').as('highest'))
      .executeTakeFirstOrThrow()
    await scrubbing(store, trx, async () => {
      await trx.deleteFrom('sites').where('id', '=', id).execute()
      await trx.deleteFrom('sites').where('workspace_id', '=', NO_WORKSPACE).where('number', '<', highest).execute()
    })
    if (number !== highest) return
    const empty = { id: `number ${number}`, number, workspace_id: NO_WORKSPACE, name: '', timezone: 'UTC', currency: '' }
    await trx
      .insertInto('sites')
      .values({ ...empty, public: 0, week_start: 1, created_at: now, deleted_at: now })
      .execute()
  })
}

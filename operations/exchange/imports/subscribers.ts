import { sql } from 'kysely'
import { onHook } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import type { ImportDayRow } from '../../../storage/tables/index.ts'
import { workspace_deleting } from '../../people/workspaces/index.ts'
import { value_erased } from '../erasures/index.ts'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { discardHiddenSites } from '../../../storage/transfer/write-rows.ts'
import { day_divided, site_merging } from '../../sites/sites/index.ts'
import { moveImportDays, timesOfBoth } from './merged-days.ts'
import { planOf } from './workspace/plan.ts'
import { workspaceKind } from './workspace/records.ts'

/**
 * Visits of imports move to other days after a change of the time zone. An import can still be undone if all of the days have hits
 * of it only (`days-of-hits.ts`).
 */
export const follow_visits = onHook(day_divided, async ({ site, day, rev, into }, { db }) => {
  const own = await daysIn(db, site, day)
  const isPure = (row: ImportDayRow | undefined, rev: number): boolean => row?.alone === 1 && row.rev === rev
  for (const row of own) {
    const isOwn = isPure(row, rev)
    if (isOwn) await put(db, { ...row, rev: rev + 1 })
    for (const target of into) {
      const known = (await daysIn(db, site, target.day)).find(({ import_id }) => import_id === row.import_id)
      const alone = isOwn && (target.rev === 0 || isPure(known, target.rev)) ? 1 : 0
      const before = known ?? row
      await put(db, { ...before, day: target.day, rev: target.rev + 1, alone, ...timesOfBoth(before, row) })
    }
  }
})

/**
 * Imports follow the site into which theirs is merged. Hits of an import are then among others, so that it cannot be undone; its days
 * become days of the other site, so that another import of them is still noticed.
 */
export const follow_site = onHook(site_merging, async ({ site, into }, { db }) => {
  const own = db.selectFrom('imports').select('id').where('site_id', '=', site.id)
  await db.updateTable('import_days').set({ alone: 0 }).where('import_id', 'in', own).execute()
  if (site.timezone !== into.timezone) await moveImportDays(db, { site: site.id, number: site.number, zone: into.timezone })
  const tables = ['hit_import_days', 'hit_import_refusals', 'hit_imports'] as const
  // Of a file that both have, the progress of one is enough to refuse it.
  for (const name of tables)
    await sql`
      delete from ${sql.table(name)} where site_id = ${site.number} and fingerprint in (
        select fingerprint from hit_imports where site_id = ${into.number})`.execute(db)
  for (const name of tables) await db.updateTable(name).set({ site_id: into.number }).where('site_id', '=', site.number).execute()
  await db.updateTable('imports').set({ site_id: into.id }).where('site_id', '=', site.id).execute()
})

/** Lines that an import has refused are not among the hits, but are listed with their text. */
export const forget_refused_lines = onHook(value_erased, async ({ site, spellings }, { db }) => {
  const { forgetRefusedLines } = await import('./forget-refused.ts')
  await forgetRefusedLines(db, site.id, spellings)
})

/** An import into a deleted workspace ends, and what it has stored so far is deleted like the other sites. */
export const end_workspace_imports = onHook(workspace_deleting, async ({ workspace }, { db, now }) => {
  const ended = await db
    .updateTable('imports')
    .set({ status: 'cancelled', finished_at: now, updated_at: now })
    .where('workspace_id', '=', workspace.id)
    .where('kind', '=', workspaceKind)
    .where('status', 'in', jobsOpen)
    .returningAll()
    .execute()
  for (const row of ended) await discardHiddenSites(db, { workspaceId: workspace.id, ids: planOf(row).sites, now })
})

const daysIn = (db: Db, site: number, day: number): Promise<ImportDayRow[]> =>
  db
    .selectFrom('import_days')
    .innerJoin('imports', 'imports.id', 'import_days.import_id')
    .innerJoin('sites', 'sites.id', 'imports.site_id')
    .selectAll('import_days')
    .where('sites.number', '=', site)
    .where('import_days.day', '=', day)
    .execute()

async function put(db: Db, row: ImportDayRow): Promise<void> {
  await db
    .insertInto('import_days')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['import_id', 'day']).doUpdateSet({ rev: row.rev, alone: row.alone, first_at: row.first_at, last_at: row.last_at }),
    )
    .execute()
}

import { onHook } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import type { ImportDayRow } from '../../../storage/tables/index.ts'
import { day_divided, site_merging } from '../../sites/sites/index.ts'

/**
 * Visits of imports move to other days after a change of the time zone. An import can still be undone if all of the days have hits
 * of it only (`undo.ts`).
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
      const [first_at, last_at] = [min(before.first_at, row.first_at), max(before.last_at, row.last_at)]
      await put(db, { ...before, day: target.day, rev: target.rev + 1, alone, first_at, last_at })
    }
  }
})

/** Imported totals follow the site into which theirs is merged. Imported hits become hits like any other, so that they cannot be undone. */
export const follow_site = onHook(site_merging, async ({ site, into }, { db }) => {
  const own = db.selectFrom('imports').select('id').where('site_id', '=', site.id)
  await db.deleteFrom('import_days').where('import_id', 'in', own).execute()
  await db.updateTable('imports').set({ site_id: into.id }).where('site_id', '=', site.id).execute()
})

/** Null is unknown. */
const min = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.min(a, b))
const max = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.max(a, b))

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

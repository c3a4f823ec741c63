/**
 * The days of which an import has all hits. Hits are deleted only with their days: every change of a day increases its `rev`, and the
 * import stores the `rev` after its own change.
 */
import { expireVisits } from '../../../storage/hits/expiry.ts'
import { forgetTexts, noteTextsOf } from '../../../storage/hits/forget-texts.ts'
import { scrubCopies } from '../../../storage/hits/scrub-copies.ts'
import { inRanges } from '../../../storage/moved-days/ranges.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'

/** Notes the days that a piece of hits changed, in its transaction. */
export async function noteDays(
  trx: Trx,
  { importId, site, days }: { importId: string; site: number; days: readonly number[] },
): Promise<void> {
  for (let i = 0; i < days.length; i += 500) {
    const some = days.slice(i, i + 500)
    const now = await trx
      .selectFrom('site_days')
      .select(['day', 'rev', 'next_visitor'])
      .where('site_id', '=', site)
      .where('day', 'in', some)
      .execute()
    const before = await trx.selectFrom('import_days').selectAll().where('import_id', '=', importId).where('day', 'in', some).execute()
    const known = new Map(before.map(row => [row.day, row]))
    const rows = now.map(({ day, rev, next_visitor }) => {
      const last = known.get(day)
      // Each piece increases `rev` by one. A day whose first revision is a piece was empty before the import.
      const isAlone = last ? last.alone === 1 && rev === last.rev + 1 : rev === 1
      return {
        import_id: importId,
        day,
        rev,
        visitors: next_visitor,
        alone: isAlone ? 1 : 0,
        first_at: last?.first_at ?? null,
        last_at: last?.last_at ?? null,
      }
    })
    if (rows.length === 0) continue
    await trx
      .insertInto('import_days')
      .values(rows)
      .onConflict(conflict =>
        conflict.columns(['import_id', 'day']).doUpdateSet(({ ref }) => ({
          rev: ref('excluded.rev'),
          visitors: ref('excluded.visitors'),
          alone: ref('excluded.alone'),
        })),
      )
      .execute()
  }
}

/** Deletes the hits of a deleted import, day by day; days that changed since then stay. Can be called again after a crash. */
export async function removeHits(
  store: Store,
  { row, site, signal }: { row: Pick<ImportRow, 'id'>; site: number; signal: AbortSignal },
): Promise<boolean> {
  const days = await store.read.selectFrom('import_days').selectAll().where('import_id', '=', row.id).orderBy('day').execute()
  for (const { day } of days) {
    if (!(await removeDay(store, { importId: row.id, site, day, signal }))) return false
  }
  if (!(await forgetTexts(store, site, { signal }))) return false
  await store.write.deleteFrom('imports').where('id', '=', row.id).execute()
  await scrubCopies(store)
  return true
}

/**
 * Deletes the hits of a day that only this import has, and ends as soon as the day changes otherwise. Two runs may do this at once.
 * @returns false if `signal` ended it before
 */
export async function removeDay(
  store: Store,
  { importId, site, day, signal }: { importId: string; site: number; day: number; signal: AbortSignal },
): Promise<boolean> {
  await noteTextsOf(store, { site, day })
  const isAllowed = (trx: Trx) => expectsChange(trx, { importId, site, day })
  return inRanges(store, (limit, timed) => expireVisits(store, { site, day, limit, timed, isAllowed }), signal)
}

/** Notes the `rev` that a deletion leaves, in its transaction. @returns false if something else has changed the day */
async function expectsChange(trx: Trx, { importId, site, day }: { importId: string; site: number; day: number }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('import_days')
    .from('site_days')
    .set(({ eb, ref }) => ({ rev: eb(ref('site_days.rev'), '+', 1) }))
    .where('import_days.import_id', '=', importId)
    .where('import_days.day', '=', day)
    .where('site_days.site_id', '=', site)
    .whereRef('site_days.day', '=', 'import_days.day')
    .whereRef('site_days.rev', '=', 'import_days.rev')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Which imports can be undone, and the deletion of their totals. */
import { sql } from 'kysely'
import { familyNames } from '../../../storage/tables/imported-families.ts'
import type { Db } from '../../../storage/store.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'

/** Returns the imports whose data is deleted with them. */
export async function undoableOf(db: Db, rows: readonly ImportRow[]): Promise<ReadonlySet<string>> {
  const ended = rows.filter(row => row.rows_taken > 0 && row.dry_run === 0 && ['completed', 'cancelled', 'failed'].includes(row.status))
  const hits = ended.filter(row => row.kind === 'hits').map(row => row.id)
  const mixed = new Set(hits.length === 0 ? [] : await daysWithMore(db, hits))
  return new Set(ended.map(row => row.id).filter(id => !mixed.has(id)))
}

async function daysWithMore(db: Db, imports: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('import_days')
    .innerJoin('imports', 'imports.id', 'import_days.import_id')
    .innerJoin('sites', 'sites.id', 'imports.site_id')
    .leftJoin('site_days', join => join.onRef('site_days.site_id', '=', 'sites.number').onRef('site_days.day', '=', 'import_days.day'))
    .select('import_days.import_id')
    .distinct()
    .where('import_days.import_id', 'in', imports)
    .where('import_days.rev', '>', 0) // days of the file that have no hits yet
    .where(({ eb, or, ref }) => or([eb('import_days.alone', '=', 0), eb('site_days.rev', '<>', ref('import_days.rev'))]))
    .execute()
  return rows.map(row => row.import_id)
}

/** Deletes the totals of an import. */
export async function removeTotals(trx: Db, importId: string): Promise<void> {
  for (const family of familyNames) await sql`delete from ${sql.table(`imported_${family}`)} where import_id = ${importId}`.execute(trx)
}

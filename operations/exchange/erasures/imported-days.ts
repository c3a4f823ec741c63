/** Days of an erasure with imported totals, which have no visits to erase. */
import type { Db } from '../../../storage/store.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { ErasureSelection } from './records.ts'

export async function importedDaysIn(db: Db, { id }: LiveSite, { from_day, to_day }: ErasureSelection): Promise<number> {
  const found = await db
    .selectFrom('imported_visitors')
    .innerJoin('imports', 'imports.id', 'imported_visitors.import_id')
    .select(({ fn }) => fn.count<number>('imported_visitors.day').distinct().as('days'))
    .where('imports.site_id', '=', id)
    .where('imported_visitors.day', '>=', from_day)
    .where('imported_visitors.day', '<=', to_day)
    .executeTakeFirstOrThrow()
  return found.days
}

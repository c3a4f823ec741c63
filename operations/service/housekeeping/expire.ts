/** Deletes expired rows. */
import { sql } from 'kysely'
import type { Expiring } from '../../../runtime/table/expiring.ts'
import type { Store } from '../../../storage/store.ts'

/** Deletes up to `limit` expired rows. @returns the number deleted */
export async function expire(
  store: Store,
  { table: { table, key, from, afterMs }, now, limit }: { table: Expiring; now: number; limit: number },
): Promise<number> {
  const names = sql.join(key.map(name => sql.ref(name)))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${names}) in
      (select ${names} from ${sql.table(table)} where ${sql.ref(from)} < ${now - afterMs} limit ${limit})
  `.execute(store.write)
  return Number(numAffectedRows)
}

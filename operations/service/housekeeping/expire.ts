/** Rows that are of no use after a while. */
import { sql } from 'kysely'
import type { Expiring } from '../../../runtime/expiring.ts'
import type { Store } from '../../../storage/store.ts'

/** Deletes up to `limit` rows that have expired. @returns how many there were */
export async function expire(store: Store, { table, key, from, afterMs }: Expiring, now: number, limit: number): Promise<number> {
  const names = sql.join(key.map(name => sql.ref(name)))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${names}) in
      (select ${names} from ${sql.table(table)} where ${sql.ref(from)} < ${now - afterMs} limit ${limit})
  `.execute(store.write)
  return Number(numAffectedRows)
}

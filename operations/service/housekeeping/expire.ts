/** Rows that are of no use after a while. */
import { sql } from 'kysely'
import { idempotencyHours } from '../../../runtime/idempotency.ts'
import type { Store } from '../../../storage/store.ts'
import type { Tables } from '../../../storage/tables/index.ts'

const HOUR = 3_600_000

type Expiring = {
  [T in keyof Tables]: {
    readonly table: T
    readonly key: readonly (keyof Tables[T] & string)[]
    /** Counted from the time in this column, epoch ms. */
    readonly from: keyof Tables[T] & string
    readonly afterMs: number
  }
}[keyof Tables]

/** A row here is all it takes for a table to be kept short. */
export const expiring: readonly Expiring[] = [
  {
    table: 'idempotency_keys', key: ['token_id', 'operation', 'key'],
    from: 'created_at', afterMs: idempotencyHours * HOUR,
  },
  { table: 'event_deletions', key: ['site_id', 'event'], from: 'finished_at', afterMs: 90 * 24 * HOUR },
  { table: 'events', key: ['id'], from: 'created_at', afterMs: 90 * 24 * HOUR },
  { table: 'webhook_deliveries', key: ['id'], from: 'created_at', afterMs: 30 * 24 * HOUR },
]

/** Deletes up to `limit` rows that have expired. @returns how many there were */
export async function expire(
  store: Store, { table, key, from, afterMs }: Expiring, now: number, limit: number,
): Promise<number> {
  const names = sql.join(key.map(name => sql.ref(name)))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${names}) in
      (select ${names} from ${sql.table(table)} where ${sql.ref(from)} < ${now - afterMs} limit ${limit})
  `.execute(store.write)
  return Number(numAffectedRows)
}

/**
 * Space of tables of Postgres that have hardly any rows left. A vacuum lets new rows use the space of deleted ones, but gives only
 * the end of a table back to the file system, and nothing of its indexes. Writing the few rows that are left to a new file gives back all.
 * `cluster` does that as `vacuum full` does, and may run in a transaction, whose limits end it where it would take long.
 */
import { sql } from 'kysely'
import type { Store } from '../store.ts'

export interface Shrinking {
  /** Smaller tables stay as they are, bytes. */
  readonly minBytes?: number
  /** Tables with more rows stay: nothing else uses a table while it is written. */
  readonly maxRows?: number
}

const MIN_BYTES = 8_000_000
const MAX_ROWS = 200_000
/** A row with its index entries takes fewer bytes, and a table is written if at least three quarters of it are free. */
const BYTES_A_ROW = 500
const MIN_GAIN = 4
/** Time to wait for what uses the table, and to write it. */
const LIMITS = ["set local lock_timeout = '1s'", "set local statement_timeout = '3s'"]

/** Errors of a statement that took too long. */
const CANCELED = '57014'
const LOCKED = 'locked'

/**
 * Writes such tables to new files, each in a transaction of at most some seconds.
 * @returns the tables that were written, and those that were in use or took too long
 */
export async function shrinkTables(
  store: Pick<Store, 'read' | 'transaction'>,
  names: readonly string[],
  { minBytes = MIN_BYTES, maxRows = MAX_ROWS }: Shrinking = {},
): Promise<{ written: string[]; busy: string[] }> {
  // Neither number is enough: one is lost with the statistics of a crashed server, the other is as old as the last vacuum.
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
    cross join lateral (select greatest(coalesce(s.n_live_tup, 0), c.reltuples) as rows, pg_total_relation_size(c.oid) as bytes) found
    where c.relname in (${sql.join(names)}) and pg_table_is_visible(c.oid) and c.relkind = 'r' and c.reltuples >= 0
      and bytes >= ${minBytes} and rows <= ${maxRows} and bytes >= ${MIN_GAIN * BYTES_A_ROW} * rows`.execute(store.read)
  const [written, busy]: [string[], string[]] = [[], []]
  for (const { name } of rows) {
    try {
      await store.transaction(async trx => {
        for (const limit of LIMITS) await sql.raw(limit).execute(trx)
        await sql.raw(`cluster ${name} using ${name}_pkey`).execute(trx)
      })
      written.push(name)
    } catch (error) {
      if (!isBusy(error)) throw error
      busy.push(name)
    }
  }
  return { written, busy }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === CANCELED) || ('reason' in error && error.reason === LOCKED))

/**
 * Queues of due work: rows with a due time that workers claim for a limited time. The worker owns the row until the
 * lease ends; rows of a killed process then become claimable again.
 */
import { type Selectable, sql } from 'kysely'
import { bigint, type Columns, int, statement, text } from '../../storage/sql/row-statements.ts'
import type { Store, Trx } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables/index.ts'
import type { AnyQueue, DueTable, Queue } from '../table/task.ts'

export interface Claim<T extends DueTable> extends Queue<T> {
  readonly limit: number
  readonly leaseMs: number
  readonly now: number
}

/**
 * Claims the rows that have been due longest; no row goes to two callers, in whatever process. Settle a row in one
 * update that also sets `leased_until` to null and the next due time, `where id = … and leased_until =
 * row.leased_until`: it updates nothing if the lease has ended and another worker has the row.
 * @returns the rows as they are now, with `leased_until` set; if fewer than `limit`, no more are due
 */
export async function claimDue<T extends DueTable>(
  store: Store,
  { table, due, limit, leaseMs, now }: Claim<T>,
): Promise<Selectable<Tables[T]>[]> {
  const from = sql.table(table)
  const isDue = dueAt(due, now)
  // Usually nothing is due: then take no lock.
  const {
    rows: [any],
  } = await sql`/* lease.any-due */ select 1 from ${from} where ${isDue} limit 1`.execute(store.read)
  if (!any) return []
  const { rows } = await sql<Selectable<Tables[T]>>`
    /* lease.claim */ with picked as materialized (
      select id from ${from} where ${isDue} order by ${sql.ref(due)} limit ${limit}
      ${sql.raw(store.dialect.rowLock.skipLocked)}
    )
    update ${from} set leased_until = ${now + leaseMs}
    where id in (select id from picked) returning *`.execute(store.write)
  return rows
}

/**
 * Whether the claim of a row lasts for at least this long. Call it right before an action that cannot be undone, such as a
 * mail: if the process was suspended, or waited long for the database, another worker may have the row.
 */
export const holds = ({ leased_until }: { readonly leased_until: number | null }, now: number, ms: number): boolean =>
  (leased_until ?? 0) - now >= ms

/** A part of a queue, and the number of rows wanted from it. */
export interface Lane {
  readonly name: string
  readonly places: number
}

/**
 * Like `claimDue`, in a transaction, with a limit for each lane: rows waiting in a full lane delay no other lane.
 * @param lane the column with a row's lane; it needs an index together with the due column
 */
export function laneClaim<T extends DueTable>(store: Store, { table, due }: Queue<T>, lane: keyof Tables[T] & string) {
  type Given = Lane & { readonly now: number; readonly until: number }
  const columns: Columns<Given> = {
    lane: text(of => of.name),
    places: int(of => of.places),
    now: bigint(of => of.now),
    until: bigint(of => of.until),
  }
  const picked = store.dialect.rows.forEach(
    given => `
    select id from ${table} where ${lane} = ${given('lane')} and ${due} <= ${given('now')}
    and (leased_until is null or leased_until <= ${given('now')}) order by ${due} limit ${given('places')}
    ${store.dialect.rowLock.skipLocked}`,
  )
  const claim = statement<Given, Selectable<Tables[T]>>(store, {
    name: `lease.claim-${table}`,
    columns,
    body: `, picked as materialized (${picked})
    update ${table} set leased_until = (select max(until) from given) where id in (select id from picked) returning *`,
  })
  return (trx: Trx, lanes: readonly Lane[], { now, leaseMs }: { readonly now: number; readonly leaseMs: number }) =>
    claim(lanes.map(of => ({ ...of, now, until: now + leaseMs })))(trx)
}

/** The number of due rows without a lease, and the earliest due time, epoch ms; null if there are none. */
export async function depthOf({ read }: Store, { table, due }: AnyQueue, now: number): Promise<{ rows: number; since: number | null }> {
  const {
    rows: [depth],
  } = await sql<{ rows: number; since: number | null }>`
    /* lease.depth */ select count(*) as rows, min(${sql.ref(due)}) as since
    from ${sql.table(table)} where ${dueAt(due, now)}`.execute(read)
  return depth ?? { rows: 0, since: null }
}

const dueAt = (due: string, now: number) => sql`${sql.ref(due)} <= ${now} and (leased_until is null or leased_until <= ${now})`

/**
 * Due work: rows with a time at which they are due, claimed for a while. Who claims a row owns it until the lease
 * ends; a killed process's rows come back by themselves, then.
 */
import { type Selectable, sql } from 'kysely'
import { bigint, type Columns, int, statement, text } from '../storage/hits/statements.ts'
import type { Store, Trx } from '../storage/store.ts'
import type { Tables } from '../storage/tables/index.ts'

/** Tables that can be claimed from: an `id`, and who has the row until when. */
export type DueTable = {
  [T in keyof Tables]: Selectable<Tables[T]> extends { id: string; leased_until: number | null } ? T : never
}[keyof Tables]

export interface Queue<T extends DueTable> {
  readonly table: T
  /** The column that says when a row is due, epoch ms; null is never. It wants an index. */
  readonly due: keyof Tables[T] & string
}

export type AnyQueue = { [T in DueTable]: Queue<T> }[DueTable]

export interface Claim<T extends DueTable> extends Queue<T> {
  readonly limit: number
  readonly leaseMs: number
  readonly now: number
}

/**
 * Claims the rows that are due longest. No two callers are given the same row, whatever process they are in.
 * Settle a row in one update that also sets `leased_until` null and the next due time, `where id = … and
 * leased_until = row.leased_until`: it meets nothing where the lease ended meanwhile and another has the row.
 * @returns the rows as they are now, `leased_until` set; fewer than `limit`: no more are due
 */
export async function claimDue<T extends DueTable>(
  store: Store,
  { table, due, limit, leaseMs, now }: Claim<T>,
): Promise<Selectable<Tables[T]>[]> {
  const from = sql.table(table)
  const isDue = dueAt(due, now)
  // Most looks find nothing: those take no lock.
  const {
    rows: [any],
  } = await sql`select 1 from ${from} where ${isDue} limit 1`.execute(store.read)
  if (!any) return []
  const { rows } = await sql<Selectable<Tables[T]>>`
    with picked as materialized (
      select id from ${from} where ${isDue} order by ${sql.ref(due)} limit ${limit}
      ${sql.raw(store.dialect.holding.free)}
    )
    update ${from} set leased_until = ${now + leaseMs}
    where id in (select id from picked) returning *`.execute(store.write)
  return rows
}

/** A part of a queue and how many of its rows are wanted. */
export interface Lane {
  readonly name: string
  readonly places: number
}

/**
 * As `claimDue`, in a transaction, of each lane so many: where a lane is full, what waits in it keeps no other back.
 * @param lane the column that names a row's lane; it wants an index together with the due one
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
    ${store.dialect.holding.free}`,
  )
  const claim = statement<Given, Selectable<Tables[T]>>(
    store,
    columns,
    `, picked as materialized (${picked})
    update ${table} set leased_until = (select max(until) from given) where id in (select id from picked) returning *`,
  )
  return (trx: Trx, lanes: readonly Lane[], { now, leaseMs }: { readonly now: number; readonly leaseMs: number }) =>
    claim(lanes.map(of => ({ ...of, now, until: now + leaseMs })))(trx)
}

/** How much is due and not in anyone's hands, and since when, epoch ms; null where nothing is. */
export async function depthOf({ read }: Store, { table, due }: AnyQueue, now: number): Promise<{ rows: number; since: number | null }> {
  const {
    rows: [depth],
  } = await sql<{ rows: number; since: number | null }>`
    select count(*) as rows, min(${sql.ref(due)}) as since
    from ${sql.table(table)} where ${dueAt(due, now)}`.execute(read)
  return depth ?? { rows: 0, since: null }
}

const dueAt = (due: string, now: number) => sql`${sql.ref(due)} <= ${now} and (leased_until is null or leased_until <= ${now})`

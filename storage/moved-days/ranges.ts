/**
 * Deletes many rows by adjacent ranges of a table's key, without searching for rows. Each range is small enough for a short
 * transaction, and a pause follows it, so that hits hardly wait.
 */
import { setTimeout } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Store, Trx } from '../store.ts'
import type { Tables } from '../tables/index.ts'

/**
 * The time of a transaction, in ms, beyond which the next one is smaller. SQLite deletes in the event loop and has one
 * writer. On Postgres only hits of the same site wait, and the round trip to the server is part of the time.
 */
export const targetMs = ({ isShared }: Pick<Store, 'isShared'>): number => (isShared ? 80 : 20)
/** Rows of the smallest and of the largest transaction. */
const [MIN_ROWS, MAX_ROWS] = [1_000, 50_000]
/**
 * Longest pause between two transactions, in ms. A shorter transaction is followed by a pause of its own length. Work that waits
 * for the lock or the event loop runs meanwhile.
 */
const MAX_PAUSE_MS = 20

/** Measures the part of a transaction between its locks and its commit, which may take long themselves. */
export type Timed = <T>(work: () => Promise<T>) => Promise<T>
export const untimed: Timed = work => work()

/**
 * Runs transactions, each with the number of rows that it may delete, until one reports that it was the last.
 * @returns false if `signal` ended it before
 */
export async function inRanges(
  store: Pick<Store, 'isShared'>,
  run: (rows: number, timed: Timed) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<boolean> {
  let took = 0
  const timed: Timed = async work => {
    const began = performance.now()
    const done = await work()
    took = performance.now() - began
    return done
  }
  for (let rows = MIN_ROWS; !signal?.aborted; ) {
    if (await run(rows, timed)) return true
    await setTimeout(Math.min(took, MAX_PAUSE_MS))
    // Part of the time does not depend on the rows, so they follow it in steps.
    if (took < targetMs(store) / 2) rows = Math.min(MAX_ROWS, rows * 2)
    else if (took > targetMs(store)) rows = Math.max(MIN_ROWS, rows / 2)
  }
  return false
}

export interface Range {
  readonly table: keyof Tables
  /** Values that all rows share: the beginning of the table's key. */
  readonly where: RawBuilder<unknown>
  /** The rest of the key. */
  readonly key: readonly string[]
}

export type Key = readonly (string | number)[]

const startingAt = ({ where, key }: Range, begin: Key): RawBuilder<unknown> =>
  sql`${where} and (${sql.join(key.map(name => sql.ref(name)))}) >= (${sql.join(begin)})`

/** Where the first rows of a range begin and end. */
export interface First {
  /** The key of the first row; undefined if there is none. */
  readonly begin: Key | undefined
  /** The key of the first row after the range; undefined if there is none. */
  readonly end: Key | undefined
}

/**
 * Finds the first `rows` rows of a range. On Postgres, a search reads deleted rows until a vacuum removes them, so a deletion begins
 * at the first remaining row.
 */
export async function firstOf(trx: Trx, range: Range, rows: number): Promise<First> {
  const { table, where, key } = range
  const keys = sql.join(key.map(name => sql.ref(name)))
  const keyOf = async (of: RawBuilder<unknown>, offset: number) => {
    const { rows: found } = await sql<Readonly<Record<string, string | number>>>`
      select ${keys} from ${sql.table(table)} where ${of} order by ${keys} limit 1 offset ${offset}`.execute(trx)
    const [row] = found
    return row && key.map(name => row[name] ?? 0)
  }
  const begin = await keyOf(where, 0)
  return { begin, end: begin && (await keyOf(startingAt(range, begin), rows)) }
}

/** Deletes rows from the beginning of a range. @returns the number of deleted rows */
export async function deleteFirst(trx: Trx, range: Range, rows: number): Promise<number> {
  const { table, key } = range
  const { begin, end } = await firstOf(trx, range, rows)
  if (!begin) return 0
  const before = end ? sql`and (${sql.join(key.map(name => sql.ref(name)))}) < (${sql.join(end)})` : sql``
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${startingAt(range, begin)} ${before}`.execute(trx)
  return Number(numAffectedRows)
}

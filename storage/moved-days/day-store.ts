/**
 * Where copies of sealed days are. A copy has everything that the rows of its day have, and never changes. Its number says which
 * store has it. Code that must know the store has a table with an entry for each of `StoreName`.
 */
import type { RawBuilder, SqlBool } from 'kysely'
import type { Copy } from '../cluster/cluster.ts'
import type { CopyOf } from '../cluster/day-blocks.ts'
import type { DayRows } from '../cluster/day-rows.ts'
import type { Db, Trx } from '../store.ts'
import type { Copied, CopyNote } from './copy-notes.ts'
import { grouped } from '../values/grouped.ts'
import type { SiteDay } from '../values/site-day.ts'

/** `packed`: in the database itself. */
export type StoreName = 'packed' | 'clickhouse'

export interface DayStore {
  readonly name: StoreName
  /**
   * Makes a copy of the rows of a day.
   * @returns the blocks that the database is to store in the transaction in which the day begins to use the copy; none if the
   * copy is complete elsewhere
   * @throws StorageUnavailable `cluster`
   * @throws Error if the rows do not belong together, or if another copy was stored than was written
   */
  put(of: CopyOf, rows: DayRows): Promise<readonly Uint8Array[]>
  /** Notes that a day counts on a copy, in the transaction that seals the day. @returns false if the copy is being dropped */
  use(trx: Trx, of: SiteDay, note: CopyNote, now: number): Promise<boolean>
  /** Whether a copy still has as many visits and hits as are noted: it may have been lost, or damaged. */
  isWhole(db: Db, of: SiteDay & Pick<Copied, 'copy' | 'visits' | 'hits'>): Promise<boolean>
  /**
   * The rows of a copy, in parts of whole visits by their ids, each with its hits by time.
   * @throws StorageUnavailable `cluster`, also if only a part of them is there
   */
  parts(db: Db, site: number, copy: Copy): AsyncIterable<DayRows>
  /** The error if a copy of a day does not have all of its rows. */
  incomplete(day: number): Error
  /** The condition that a copy has the rows that its day, a row of `site_days`, has now. */
  isCurrent(copy: number): RawBuilder<SqlBool>
}

/** The number of a packed copy, from the `rev` of the day: another process packs the same rows under the same number. */
export const packedCopy = (rev: number): number => -1 - rev

/** @param copy its number; never 0 */
export const storeNameOf = (copy: number): StoreName => (copy < 0 ? 'packed' : 'clickhouse')

/** Days with a copy, by the store that has it. */
export function byStore<Of>(days: readonly Of[], copyOf: (day: Of) => number): [StoreName, Of[]][] {
  return [...grouped(days, day => storeNameOf(copyOf(day)))]
}

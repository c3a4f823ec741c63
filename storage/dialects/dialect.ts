/** What differs between the engines, and nowhere else. */
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../tables/index.ts'

export type DialectName = 'sqlite' | 'postgres'

export type Value = string | number | null

/**
 * Constant SQL that is run with any number of rows, often: its plan is kept. It must do the same whether it is run over
 * all rows at once or over one after the other, as SQLite does.
 */
export interface RowSql {
  /** Its text begins with this. */
  readonly mark: string
  /** Stands where `values …` may stand, for rows of these columns. */
  table(types: readonly ('text' | 'int' | 'bigint' | 'real')[]): string
  /** What a query answers for each of the rows in `given`; it names their columns by what it is handed. */
  forEach(query: (column: (name: string) => string) => string): string
  /** What it is run with. */
  parameters(rows: readonly (readonly Value[])[]): readonly unknown[]
}

export interface Dialect {
  readonly name: DialectName
  /** Column types by meaning. */
  readonly types: Readonly<Record<'text' | 'int' | 'bigint' | 'real' | 'blob' | 'serial', string>>
  /** Ends a `create table`: `rowid` keeps SQLite's row ids (tables of blobs), `keyed` clusters by primary key. */
  readonly tableEnd: Readonly<Record<'keyed' | 'rowid', string>>
  readonly rows: RowSql
  /**
   * Ends a select whose rows are held until the transaction ends: `all` waits for those that others hold, `free` leaves
   * them out. Rows that refer to them can be written meanwhile.
   */
  readonly holding: Readonly<Record<'all' | 'free', string>>
  /**
   * Holds these sites' hit tables for the rest of the transaction against other processes.
   * @returns those of them that are deleted: they are tombstones until their hits are gone
   */
  lockSites(trx: Transaction<Tables>, sites: readonly number[]): Promise<readonly number[]>
}

export interface Connections {
  /** Sees what is committed; never waits for the writer. */
  readonly read: Kysely<Tables>
  readonly write: Kysely<Tables>
  readonly dialect: Dialect
  close(): Promise<void>
}

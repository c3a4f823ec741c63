/** All differences between the database engines. */
import type { BatchMark } from '../values/storage-unavailable.ts'
import type { Kysely, Transaction } from 'kysely'
import type { SqlType } from '../schema/column.ts'
import type { Tables } from '../tables/index.ts'
import type { Space } from './sqlite-space.ts'

export type DialectName = 'sqlite' | 'postgres'

export type Value = string | number | null

/** Type of a column of rows that are bound. */
export type ColumnType = 'text' | 'int' | 'bigint' | 'real'

/**
 * Constant SQL that is often run over a varying number of rows, so that its plan is reused. Its effect must be the same
 * whether it runs over all rows at once or, as in SQLite, row by row.
 */
export interface RowSql {
  /** Begins the comment of such statements, which their name and the end of the comment follow. */
  readonly mark: string
  /** Replaces `values …` for rows of these columns. @param bound number of parameters before them; 0 by default */
  table(types: readonly ColumnType[], bound?: number): string
  /** One statement that runs all of these, which return nothing and see nothing of each other; undefined if that gains nothing. */
  readonly joined?: (statements: readonly string[]) => string
  /** Runs a query for each row of `given`; `column` gives the SQL of a column of that row. */
  forEach(query: (column: (name: string) => string) => string): string
  /** Converts the rows to bound parameters. */
  parameters(rows: readonly (readonly Value[])[], types: readonly ColumnType[]): readonly unknown[]
}

export interface Dialect {
  readonly name: DialectName
  /** Column types by purpose. */
  readonly types: Readonly<Record<SqlType, string>>
  /** Ends a `create table`: `rowid` keeps SQLite's row ids (tables of blobs), `keyed` clusters by primary key. */
  readonly tableEnd: Readonly<Record<'keyed' | 'rowid', string>>
  /** SQL after a table was made that keeps its blobs as they are, since they are compressed already; '' for none. */
  blobStorage(table: string, column: string): string
  /** Selects the names of the tables that statements find without a schema. */
  readonly tableNames: string
  readonly rows: RowSql
  /**
   * Suffix of a select that locks its rows until the transaction ends: `wait` waits for rows that others have locked,
   * `skipLocked` skips them. Rows that refer to the locked ones can still be written, except with `exclusive`, which is for rows
   * that are about to be deleted. Any number of transactions may have the `shared` one at a time, and none can change the row meanwhile.
   */
  readonly rowLock: Readonly<Record<'wait' | 'skipLocked' | 'exclusive' | 'shared', string>>
  /**
   * Locks these sites' hit tables against other processes until the transaction ends.
   * @param mark is written in the same statement; SQLite ignores it, because there a transaction that fails is never committed
   */
  lockSites(trx: Transaction<Tables>, sites: readonly number[], mark?: BatchMark): Promise<Locked>
  /** Runs a transaction whose commit does not wait for the disk; a later commit that waits makes both durable. */
  unflushed<T>(db: Kysely<Tables>, run: (trx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** As in `Locked`. */
  epoch(db: Kysely<Tables>): Promise<string>
  /** The calls of `lockSites` that wait now: what they will return may be older than a commit that they waited for. */
  waitingLocks(db: Kysely<Tables>): Promise<readonly string[]>
}

export interface Locked {
  /** Deleted sites among them, as long as their rows exist. */
  readonly deleted: readonly number[]
  /** `sites.texts_forgotten`, by site; 0 for others. */
  readonly forgotten: ReadonlyMap<number, number>
  /** Changes with a failover, after which earlier commits may be lost and their ids used again. */
  readonly epoch: string
}

/** State of a locked site that differs from other sites. */
export interface SiteState {
  readonly number: number
  readonly deleted: number
  readonly texts_forgotten: number
}

export const lockedIn = (states: readonly SiteState[], epoch: string): Locked => ({
  deleted: states.filter(({ deleted }) => deleted === 1).map(({ number }) => number),
  forgotten: new Map(states.map(({ number, texts_forgotten }) => [number, texts_forgotten])),
  epoch,
})

/** The file of an SQLite database. */
export interface FileSpace {
  space(): Space
  /** Returns free pages to the file system, at most the given number. @returns false if the database is being written to; try later */
  giveBack(pages: number): boolean
}

export interface Connections {
  /** Reads committed data; never waits for the writer. */
  readonly read: Kysely<Tables>
  readonly write: Kysely<Tables>
  readonly dialect: Dialect
  /** How many transactions of hits may be open at a time. */
  readonly writers: number
  /** Whether several processes may serve from this database. */
  readonly isShared: boolean
  /** Undefined for a server, which manages its space itself, and for a read-only store. */
  readonly file?: FileSpace | undefined
  close(): Promise<void>
}

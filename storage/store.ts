/** Opens the database of a URL. Code of higher floors uses a `Store` and does not depend on its engine. */
import type { Cluster, ClusterSettings } from './cluster/cluster.ts'
import { clusterAt } from './cluster/cluster-at.ts'
import type { Connections } from './dialects/dialect.ts'
import { openPostgres } from './dialects/postgres.ts'
import type { QueryListener } from './dialects/query-listener.ts'
import { openSqlite } from './dialects/sqlite.ts'
import type { Pause } from './dialects/sqlite-driver.ts'
import type { Trx } from './tables/db.ts'

export { type Db, isTransaction, type Trx } from './tables/db.ts'

export interface Store extends Connections {
  /** The URL, for worker threads that open their own connections. */
  readonly url: string
  /** Sealed days outside the database (docs/clickhouse.md); undefined if all are in it. */
  readonly cluster: Cluster | undefined
  /** @throws StorageUnavailable; with `locked` or `full`, nothing is stored */
  transaction<T>(run: (trx: Trx) => Promise<T>, options?: TransactionOptions): Promise<T>
}

export interface TransactionOptions {
  /**
   * Whether a power cut may undo the transaction as long as none without this option follows it; the end of a process does not. For work
   * that continues from what it has stored. It saves waiting for the disk.
   */
  readonly mayBeLost?: boolean
}

export interface StoreOptions {
  readonly readonly?: boolean
  /** Postgres: the most connections. */
  readonly connections?: number
  /** SQLite: time in ms that a call waits for locks of other processes before it fails as unavailable. Defaults to 5,000. */
  readonly patienceMs?: number
  /** SQLite: waits between two attempts to get a lock. Defaults to a timer; tests bring their own. */
  readonly pause?: Pause | undefined
  /** SQLite: interval in ms at which the log is written into the database, for copies of only that file. Defaults to 60,000. */
  readonly checkpointMs?: number
  /** Called after each query of this process's connections, for traces. */
  readonly onQuery?: QueryListener | undefined
  /** Postgres: while it returns a reason, no connection is given: calls fail as unavailable, for this reason. */
  readonly closedFor?: (() => string | undefined) | undefined
  /** Postgres: the ClickHouse cluster that stores sealed days. */
  readonly cluster?: ClusterSettings | undefined
}

/**
 * @param url `file:path` or `postgres://…`
 * @throws Error naming the accepted forms
 */
export function openStore(url: string, options: StoreOptions = {}): Store {
  const connections = connect(url, options)
  const cluster = options.cluster && clusterAt(options.cluster)
  return Object.freeze({
    ...connections,
    url,
    cluster,
    async close() {
      await cluster?.close()
      await connections.close()
    },
    transaction: <T>(run: (trx: Trx) => Promise<T>, { mayBeLost = false }: TransactionOptions = {}) =>
      mayBeLost ? connections.dialect.unflushed(connections.write, run) : connections.write.transaction().execute(run),
  })
}

function connect(url: string, options: StoreOptions): Connections {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, options)
  const file = fileOf(url)
  if (file !== undefined) return openSqlite(file, options)
  throw new Error('DATABASE_URL must start with "file:" or "postgres://"')
}

/** The file of an SQLite URL; undefined for others. */
export function fileOf(url: string): string | undefined {
  return url.startsWith('file:') ? decoded(url.replace(/^file:(\/\/(?=\/))?/, '')) : undefined
}

function decoded(name: string): string {
  try {
    return decodeURI(name)
  } catch {
    return name // a file may have a % in its name
  }
}

/** True if an insert or update referred to a missing row, on either engine. */
export function isForeignKeyViolation(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}

/** True if an insert or update violated a unique index, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

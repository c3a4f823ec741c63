/**
 * Kysely's driver for one SQLite connection, waiting for the locks of other processes without blocking this one.
 *
 * An import beside the service, a backup tool or an open shell may hold the write lock for seconds. SQLite's own busy
 * handler sleeps in the thread that asks: no hit, no read and no health check would be answered meanwhile. So the
 * connection has no busy timeout, and what fails with SQLITE_BUSY is run again from a timer.
 *
 * What is run again, and why nothing is done twice:
 * - `begin`: nothing has happened yet. It is IMMEDIATE, so whoever has begun holds the write lock until the end.
 * - `commit`: "the transaction remains active and the COMMIT can be retried later" (sqlite.org/lang_transaction.html).
 *   In WAL mode the lock is held by then, so this is rare.
 * - a statement outside of a transaction: one that fails is undone whole. Readers get SQLITE_BUSY too, while another
 *   process recovers the log or has the file to itself (sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode).
 * Nothing else: inside a transaction a busy statement (SQLITE_BUSY_SNAPSHOT, say) fails the whole, which is rolled back;
 * a statement over rows is one run for each row, of which some may be done already.
 *
 * Calls wait for the connection in the order they came. Each has a patience, counted from its arrival on a clock that
 * runs only while the connection waits for another process: a long transaction of our own uses up nobody's. As all have
 * the same, the one whose turn it is runs out first, and those behind it at their own times: after one last attempt each.
 * Another process that commits without a break leaves gaps, and with the patience its hold on us ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { asUnavailable, isBusy } from './sqlite-errors.ts'

export interface SqliteConnection {
  /** Of the database. */
  readonly file: string
  /** Called again for each attempt. */
  prepare(sql: string): SqliteStatement
  /** Whether what failed as busy, outside of a transaction, may be run again. */
  isWhole(sql: string): boolean
  inTransaction(): boolean
  close(): void
}

/** Between two attempts, ms: twice as long each time, up to the longest. */
const shortestPause = 1
const longestPause = 20

/** @param patienceMs how long a call waits for other processes, all in all, until it fails with `StorageUnavailable` */
export function sqliteDialect(connection: SqliteConnection, patienceMs: number): Dialect {
  return Object.freeze<Dialect>({
    createDriver: () => driverOf(connection, patienceMs),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: db => new SqliteIntrospector(db),
  })
}

/**
 * Tells Kysely's migrator what SQLite can do: all pending migrations are one transaction. One that ran into a lock or a
 * full disk half-way would otherwise leave tables that the next start trips over.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

interface Waiting {
  readonly deadline: number
  resolve(connection: DatabaseConnection): void
}

function driverOf(sqlite: SqliteConnection, patienceMs: number): Driver {
  /** The clock of patience: ms that this connection has waited for other processes. */
  let waited = 0
  /** On that clock, of the call that has the connection. */
  let deadline = 0
  let isTaken = false
  const queue: Waiting[] = []

  function run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = sqlite.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as Row[] } // the query says what its rows are
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  const mayRunAgain = (sql: string): boolean => (sqlite.inTransaction() ? sql === 'commit' : sqlite.isWhole(sql))

  async function runAgain<Row>(query: CompiledQuery, first: unknown): Promise<QueryResult<Row>> {
    if (!isBusy(first) || waited >= deadline || !mayRunAgain(query.sql)) throw asUnavailable(first, sqlite.file)
    for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
      const since = performance.now()
      await sleep(pause)
      waited += performance.now() - since
      try {
        return run<Row>(query)
      } catch (error) {
        if (!isBusy(error) || waited >= deadline) throw asUnavailable(error, sqlite.file)
      }
    }
  }

  const connection: DatabaseConnection = {
    executeQuery<Row>(query: CompiledQuery) {
      try {
        return Promise.resolve(run<Row>(query))
      } catch (error) {
        return runAgain<Row>(query, error)
      }
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery) {
      try {
        for (const row of sqlite.prepare(sql).iterate(parameters)) yield { rows: [row as Row] }
      } catch (error) {
        throw asUnavailable(error, sqlite.file)
      }
    },
  }
  const execute = async (sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }

  return Object.freeze<Driver>({
    async init() {},
    async acquireConnection() {
      const mine = waited + patienceMs
      if (isTaken)
        return new Promise(resolve => {
          queue.push({ deadline: mine, resolve })
        })
      isTaken = true
      deadline = mine
      return connection
    },
    async releaseConnection() {
      const next = queue.shift()
      isTaken = next !== undefined
      if (!next) return
      deadline = next.deadline
      next.resolve(connection)
    },
    beginTransaction: () => execute('begin'),
    commitTransaction: () => execute('commit'),
    async rollbackTransaction() {
      // A full disk, say, has ended it already; then the error to show is that one.
      if (sqlite.inTransaction()) await execute('rollback')
    },
    async destroy() {
      sqlite.close()
    },
  })
}

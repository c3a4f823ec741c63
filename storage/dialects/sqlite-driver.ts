/**
 * Kysely's driver for one SQLite connection, which waits for locks of other processes without blocking this one.
 *
 * An import next to the service, a backup tool or an open shell may hold the write lock for seconds. SQLite's own busy
 * handler sleeps in the calling thread: no hit, read or health check would be answered meanwhile. So the connection has
 * no busy timeout, and a statement that fails with SQLITE_BUSY is retried by a timer.
 *
 * These are retried, without doing anything twice:
 * - `begin`: nothing has happened yet. It is IMMEDIATE, so the transaction has the write lock from its begin on.
 * - `commit`: "the transaction remains active and the COMMIT can be retried later" (sqlite.org/lang_transaction.html).
 * In WAL mode the lock is already taken by then, so this is rare.
 * - a statement outside a transaction: a failed one is undone completely. Readers get SQLITE_BUSY too, while another
 * process recovers the log or has an exclusive lock
 * (sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode).
 * Nothing else is: inside a transaction a busy statement (such as SQLITE_BUSY_SNAPSHOT) fails the transaction, which is
 * rolled back; a statement over rows runs once for each row, and some of these may be committed.
 *
 * Calls get the connection in order of arrival. Each has the same patience, counted from its arrival by a clock that
 * runs only while the connection waits for another process, so that our own long transactions use up none of it. The
 * first call in the queue therefore times out first, and those behind it at their own times, after one last attempt
 * each. A process that commits continuously leaves gaps between its commits, in which these attempts can succeed.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
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
import { isTurnOver } from '../system/event-loop.ts'
import { asUnavailable, isBusy } from './sqlite-errors.ts'

export interface SqliteConnection {
  /** Path of the database. */
  readonly file: string
  /** Called for each attempt. */
  prepare(sql: string): SqliteStatement
  /** Whether the statement may be retried outside a transaction. */
  isWhole(sql: string): boolean
  inTransaction(): boolean
  /** Whether other work of the process gets turns of the event loop during a long transaction. */
  readonly givesTurns: boolean
  close(): void
}

/** Rows of a statement that runs for each of them, between two looks at the clock. */
const rowsAtOnce = 64

/** Between two attempts, ms: doubled each time, up to the longest. */
const minPause = 1
const maxPause = 20

/** Waits about as many ms. @returns how many it were */
export type Pause = (ms: number) => Promise<number>

const pauseByClock: Pause = async ms => {
  const since = performance.now()
  await sleep(ms)
  return performance.now() - since
}

/**
 * @param patienceMs total time that a call waits for other processes before it fails with `StorageUnavailable`
 * @param pause waits between two attempts
 */
export function sqliteDialect(connection: SqliteConnection, patienceMs: number, pause: Pause = pauseByClock): Dialect {
  return Object.freeze<Dialect>({
    createDriver: () => driverOf(connection, patienceMs, pause),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: db => new SqliteIntrospector(db),
  })
}

/**
 * Reports to Kysely's migrator that SQLite can run all pending migrations in one transaction. Otherwise one that failed
 * half-way, on a lock or a full disk, would leave tables that make the next start fail.
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

function driverOf(sqlite: SqliteConnection, patienceMs: number, pause: Pause): Driver {
  /** The clock of patience: ms for which this connection has waited for other processes. */
  let waited = 0
  /** Time on that clock at which the current call gives up. */
  let deadline = 0
  let isTaken = false
  const queue: Waiting[] = []

  function run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = sqlite.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as Row[] } // the query's type has the type of its rows
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /**
   * SQLite answers at once, so all of a transaction runs in one turn of the event loop if nothing else does: half a second
   * for a full batch of hits. The transaction keeps the connection, so no other write can come in between, and readers see
   * what is committed.
   */
  const mustYield = (): boolean => isTurnOver() && sqlite.givesTurns && sqlite.inTransaction()

  async function inTurns<Row>({ parameters, ...query }: CompiledQuery): Promise<QueryResult<Row>> {
    const rows: Row[] = []
    let changes = 0n
    for (let from = 0; from < Math.max(parameters.length, 1); from += rowsAtOnce) {
      if (mustYield()) await nextTurn()
      const done = attempt<Row>({ ...query, parameters: parameters.slice(from, from + rowsAtOnce) })
      const { rows: some, numAffectedRows = 0n } = done instanceof Promise ? await done : done
      for (const row of some) rows.push(row)
      changes += numAffectedRows
    }
    return { rows, numAffectedRows: changes }
  }

  function attempt<Row>(query: CompiledQuery): QueryResult<Row> | Promise<QueryResult<Row>> {
    try {
      return run<Row>(query)
    } catch (error) {
      return runAgain<Row>(query, error)
    }
  }

  const mayRunAgain = (sql: string): boolean => (sqlite.inTransaction() ? sql === 'commit' : sqlite.isWhole(sql))

  async function runAgain<Row>(query: CompiledQuery, first: unknown): Promise<QueryResult<Row>> {
    if (!isBusy(first) || waited >= deadline || !mayRunAgain(query.sql)) throw asUnavailable(first, sqlite.file)
    for (let ms = minPause; ; ms = Math.min(ms * 2, maxPause)) {
      waited += await pause(ms)
      try {
        return run<Row>(query)
      } catch (error) {
        if (!isBusy(error) || waited >= deadline) throw asUnavailable(error, sqlite.file)
      }
    }
  }

  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery) {
      const isLong = !sqlite.isWhole(query.sql) && query.parameters.length > rowsAtOnce && sqlite.inTransaction()
      if (isLong) return inTurns<Row>(query)
      if (mustYield()) await nextTurn()
      return attempt<Row>(query)
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
      // An error such as a full disk may have ended it already; that error is the one to show.
      if (sqlite.inTransaction()) await execute('rollback')
    },
    async destroy() {
      sqlite.close()
    },
  })
}

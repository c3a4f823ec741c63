/** SQLite: one file in WAL mode, one connection for writing and one for reading. */
import fs from 'node:fs'
import path from 'node:path'
import { CompiledQuery, Kysely, type SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from '../tables/index.ts'
import { giveToOwner, makeFolder } from '../system/file-permissions.ts'
import { DatabaseChanged, type Known, type Snapshots, type Versions, useSnapshots, useVersions } from '../snapshots/snapshots.ts'
import { logTo, type QueryListener } from './query-listener.ts'
import { type Connections, type Dialect, lockedIn, type SiteState } from './dialect.ts'
import { type Pause, sqliteDialect } from './sqlite-driver.ts'
import { isBusy } from './sqlite-errors.ts'
import { openFile, type SqliteFile } from './sqlite-library.ts'
import { giveBackPages, makeShrinkable, spaceOf } from './sqlite-space.ts'

const statesOfSites = `/* sqlite.states-of-sites */
  select number, deleted_at is not null as deleted, texts_forgotten from sites
  where number in (select value from json_each(?)) and (deleted_at is not null or texts_forgotten > 0)`

export const sqlite: Dialect = {
  name: 'sqlite',
  types: { text: 'text', int: 'integer', bigint: 'integer', real: 'real', blob: 'blob', serial: 'integer' },
  tableEnd: { keyed: 'strict, without rowid', rowid: 'strict' },
  blobStorage: () => '',
  tableNames: "select name from sqlite_master where type = 'table'",
  rows: {
    mark: '/* rows ',
    table: types => `values (${types.map(() => '?').join(', ')})`,
    forEach: query => query(name => `(select ${name} from given)`), // a single row at a time: forEachRow
    parameters: rows => rows, // each row is bound on its own: forEachRow
  },
  rowLock: { wait: '', skipLocked: '', exclusive: '', shared: '' }, // with one writing connection, the transaction locks the whole file
  async lockSites(trx, sites) {
    // locked already, as above
    return lockedIn((await trx.executeQuery<SiteState>(CompiledQuery.raw(statesOfSites, [JSON.stringify(sites)]))).rows, '')
  },
  // Cannot change in a transaction (sqlite.org/pragma.html#pragma_synchronous), and belongs to the connection.
  unflushed: (db, run) =>
    db.connection().execute(async own => {
      await own.executeQuery(CompiledQuery.raw('pragma synchronous = normal'))
      try {
        return await own.transaction().execute(run)
      } finally {
        await own.executeQuery(CompiledQuery.raw('pragma synchronous = full'))
      }
    }),
  epoch: async () => '',
  waitingLocks: async () => [],
}

interface SqliteOptions {
  readonly readonly?: boolean
  readonly patienceMs?: number
  readonly pause?: Pause | undefined
  readonly checkpointMs?: number
  readonly onQuery?: QueryListener | undefined
}

/**
 * @param options.patienceMs how long a call waits for locks of other processes before it fails
 * @param options.pause waits between two attempts; tests bring their own
 * @param options.checkpointMs how often the log is written into the database, even if it is short: some programs copy only the database
 */
export function openSqlite(file: string, options: SqliteOptions = {}): Connections {
  const { readonly = false, patienceMs = 5_000, pause, checkpointMs = 60_000, onQuery } = options
  if (!readonly) makeFolder(path.dirname(file))
  if (!readonly) makePrivate(file)
  const write = readonly ? undefined : connect(file, { patienceMs, pause, onQuery })
  let snapshots: ReadSnapshots | undefined
  // A read-only store belongs to a report thread, which may block: it runs one query at a time and takes no hits.
  const read = connect(file, { patienceMs, pause, onQuery, readonly: true, blocking: readonly, ready: () => snapshots?.hold() })
  if (write) useVersions(read.db, versionTeller(read.database, write))
  else useSnapshots(read.db, (snapshots = snapshotsOf(read.database)))
  const checkpoints = write && setInterval(checkpoint, checkpointMs, write.database).unref()
  return Object.freeze({
    read: read.db,
    write: (write ?? read).db,
    dialect: sqlite,
    writers: 1,
    isShared: false,
    file: write && { space: () => spaceOf(read.database), giveBack: (pages: number) => giveBackPages(write.database, pages) },
    async close() {
      clearInterval(checkpoints)
      for (const each of [read, write]) {
        await each?.db.destroy()
        each?.database.close() // Kysely destroys no driver that ran no query
      }
    },
  })
}

/** Passive: waits for no reader or writer, and blocks none. Does nothing if the log is empty. */
function checkpoint(database: SqliteFile): void {
  if (database.inTransaction) return
  try {
    database.pragma('wal_checkpoint(PASSIVE)')
  } catch {} // such as a full disk: the log keeps its content, and writes report the reason
}

/**
 * Creates a new file as readable by its owner only; SQLite gives its `-wal` and `-shm` the same mode. An existing file
 * keeps its mode.
 */
function makePrivate(file: string): void {
  try {
    fs.closeSync(fs.openSync(file, 'ax', 0o600)) // only a new one: closing an existing file would drop SQLite's locks on it
    giveToOwner(file)
  } catch {} // it exists or cannot be created: SQLite reports the reason
}

interface Connection {
  readonly db: Kysely<Tables>
  readonly database: SqliteFile
  /** Number of attempts at statements so far. */
  begun(): number
}

interface ConnectionOptions {
  readonly patienceMs: number
  readonly pause: Pause | undefined
  readonly readonly?: boolean
  /** Whether SQLite itself waits for locks, which blocks the thread. */
  readonly blocking?: boolean
  readonly onQuery: QueryListener | undefined
  /** Called before each query. */
  ready?(): void
}

function connect(file: string, { patienceMs, pause, readonly = false, blocking = false, onQuery, ready }: ConnectionOptions): Connection {
  const database = openFile(file, { readonly, timeout: patienceMs }) // at the start, blocking is harmless
  if (!readonly) {
    makeShrinkable(database)
    database.pragma('page_size = 4096') // hits touch many pages, which go into the log as a whole: with 8192 they cost a tenth more
    database.pragma('journal_mode = WAL')
    database.pragma('wal_autocheckpoint = 4000')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('temp_store = MEMORY')
    database.pragma('secure_delete = FAST') // no remains of texts in pages that are written anyway, where a later deletion cannot find them
  }
  database.pragma('cache_size = -4000') // the operating system caches the file's pages, too
  if (!blocking) database.pragma('busy_timeout = 0')

  // Kysely prepares every query again, which costs more than running a small one: so statements are cached.
  const statements = new LRUCache<string, SqliteStatement>({ max: 500 })
  let begun = 0
  const prepare = (sql: string): SqliteStatement => {
    begun++
    ready?.()
    const known = statements.get(sql)
    if (known) return known
    const plain = database.prepare(immediate(sql)) as unknown as SqliteStatement // for Kysely's own methods of the same meaning
    const statement = sql.startsWith(sqlite.rows.mark) ? forEachRow(plain) : plain
    statements.set(sql, statement)
    return statement
  }
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(
      {
        file,
        prepare,
        isWhole: sql => !sql.startsWith(sqlite.rows.mark),
        inTransaction: () => database.inTransaction,
        givesTurns: !blocking,
        close: () => database.close(),
      },
      blocking ? 0 : patienceMs,
      pause,
    ),
    ...logTo(onQuery),
  })
  return { db, database, begun: () => begun }
}

/**
 * Runs a statement once for each row, so outside a transaction part of it may be committed. Binding a row costs a third
 * of extracting it from JSON.
 */
function forEachRow(statement: SqliteStatement): SqliteStatement {
  const all = (rows: readonly unknown[]): unknown[] => {
    const answers: unknown[] = []
    for (const row of rows) for (const answer of statement.all(inArray(row))) answers.push(answer)
    return answers
  }
  return {
    reader: statement.reader,
    all,
    run(rows) {
      let changes = 0
      for (const row of rows) changes += Number(statement.run(inArray(row)).changes)
      return { changes, lastInsertRowid: 0 }
    },
    iterate: rows => all(rows).values(),
  }
}

const inArray = (row: unknown): unknown[] => (Array.isArray(row) ? row : [row])

/**
 * Transactions begin IMMEDIATE: a deferred one that later writes fails at once, without waiting, if another process
 * (such as the `token` command) wrote in the meantime (sqlite.org/lang_transaction.html).
 */
function immediate(sql: string): string {
  return sql === 'begin' ? 'begin immediate' : sql
}

/**
 * `data_version` changes with every commit of another connection (sqlite.org/pragma.html#pragma_data_version). Reading
 * it takes file locks, as a query does, so it is read once in each turn of the event loop; our own writer's changes
 * within the turn are counted. A statement that waits for a lock may succeed in a later turn, after that turn's version
 * was read: so every attempt counts, not only the first.
 */
function versionTeller(reader: SqliteFile, writer: Connection): Versions {
  const dataVersion = reader.prepare('pragma data_version').pluck()
  let asked: unknown
  let unanswered = 0

  /** If it cannot be read, another process has the file: discard what was cached so far. */
  function ask(): unknown {
    try {
      return dataVersion.get()
    } catch (error) {
      if (!isBusy(error)) throw error
      return `unknown ${++unanswered}`
    }
  }

  return {
    now() {
      if (asked === undefined) {
        asked = ask()
        setImmediate(() => {
          asked = undefined
        })
      }
      return `${asked} ${writer.begun()}`
    },
    inTransaction: () => dataVersion.get(),
  }
}

interface ReadSnapshots extends Snapshots {
  /** Called before each query. */
  hold(): void
}

/**
 * Beginning a transaction takes twice as long as reading `data_version`, so it begins with the first query. Until then,
 * cached results of that version are what a query would read.
 */
function snapshotsOf(reader: SqliteFile): ReadSnapshots {
  const [begin, commit] = [reader.prepare('begin'), reader.prepare('commit')]
  const dataVersion = reader.prepare('pragma data_version').pluck()
  /** The assumed version; undefined between snapshots. */
  let assumed: unknown
  let version: unknown
  let held = false
  const known: Known = { version: undefined } // of all sites: a commit about any of them changes it
  return {
    known: () => known,
    begin: () => (version = assumed = dataVersion.get()),
    hold() {
      if (assumed === undefined) return
      if (!held) {
        begin.run()
        held = true
        version = dataVersion.get()
      }
      if (version !== assumed) throw new DatabaseChanged()
    },
    version: () => (assumed = version),
    end() {
      assumed = version = undefined
      if (!held) return
      held = false
      commit.run()
    },
  }
}

/** SQLite: one file, WAL, one writing connection and one for reading. */
import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, sql, type SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from '../tables/index.ts'
import { DatabaseChanged, type Snapshots, type Versions, useSnapshots, useVersions } from '../version.ts'
import type { Connections, Dialect } from './dialect.ts'
import { sqliteDialect } from './sqlite-driver.ts'
import { isBusy } from './sqlite-errors.ts'

export const sqlite: Dialect = {
  name: 'sqlite',
  types: { text: 'text', int: 'integer', bigint: 'integer', real: 'real', blob: 'blob', serial: 'integer' },
  tableEnd: { keyed: 'strict, without rowid', rowid: 'strict' },
  rows: {
    mark: '/* rows */ ',
    table: types => `values (${types.map(() => '?').join(', ')})`,
    forEach: query => query(name => `(select ${name} from given)`), // there is one: forEachRow
    parameters: rows => rows, // run for each: forEachRow
  },
  holding: { all: '', free: '' }, // one writing connection: the transaction holds the whole file
  async lockSites(trx, sites) {
    // One writing connection: the transaction holds the whole file.
    const { rows } = await sql<{ number: number }>`
      select number from sites
      where number in (select value from json_each(${JSON.stringify(sites)})) and deleted_at is not null`.execute(trx)
    return rows.map(({ number }) => number)
  },
}

/** @param options.patienceMs how long a call waits for the locks of other processes before it fails */
export function openSqlite(file: string, { readonly = false, patienceMs = 5_000 } = {}): Connections {
  if (!readonly) fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
  if (!readonly) makePrivate(file)
  const write = readonly ? undefined : connect(file, { patienceMs })
  let snapshots: ReadSnapshots | undefined
  // Alone it is a report thread's, which may block: it does one thing after the other, and none of them is a hit.
  const read = connect(file, { patienceMs, readonly: true, blocking: readonly, ready: () => snapshots?.hold() })
  if (write) useVersions(read.db, versionTeller(read.database, write))
  else useSnapshots(read.db, (snapshots = snapshotsOf(read.database)))
  return Object.freeze({
    read: read.db,
    write: (write ?? read).db,
    dialect: sqlite,
    async close() {
      await read.db.destroy()
      await write?.db.destroy()
    },
  })
}

/** A new file is its owner's alone; SQLite gives its `-wal` and `-shm` the same mode. One that is there keeps its own. */
function makePrivate(file: string): void {
  try {
    fs.closeSync(fs.openSync(file, 'ax', 0o600)) // never one that is there: to close it would drop SQLite's locks on it
  } catch {} // it is there, or cannot be: SQLite says why
}

interface Connection {
  readonly db: Kysely<Tables>
  readonly database: Database.Database
  /** Attempts at statements begun so far. */
  begun(): number
}

interface ConnectionOptions {
  readonly patienceMs: number
  readonly readonly?: boolean
  /** Whether it waits for locks in SQLite, and the thread with it. */
  readonly blocking?: boolean
  /** Is called before each query. */
  ready?(): void
}

function connect(file: string, { patienceMs, readonly = false, blocking = false, ready }: ConnectionOptions): Connection {
  const database = new Database(file, { readonly, timeout: patienceMs }) // at the start there is nothing else to do
  if (!readonly) {
    database.pragma('page_size = 4096') // hits land on many pages, and each goes into the log whole: 8192 costs a tenth
    database.pragma('journal_mode = WAL')
    database.pragma('wal_autocheckpoint = 4000')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('temp_store = MEMORY')
  }
  database.pragma('cache_size = -4000') // the operating system keeps the file's pages as well
  if (!blocking) database.pragma('busy_timeout = 0')

  // Kysely prepares each query again; preparing costs more than running a small one, so statements are kept.
  const statements = new LRUCache<string, SqliteStatement>({ max: 500 })
  let begun = 0
  const prepare = (sql: string): SqliteStatement => {
    begun++
    ready?.()
    const known = statements.get(sql)
    if (known) return known
    const plain = database.prepare(immediate(sql)) as unknown as SqliteStatement // Kysely's own words for the same thing
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
        close: () => database.close(),
      },
      blocking ? 0 : patienceMs,
    ),
  })
  return { db, database, begun: () => begun }
}

/** Each row is a run of its own, so outside of a transaction some may be kept. To bind one costs a third of what taking it out of JSON does. */
function forEachRow(statement: SqliteStatement): SqliteStatement {
  const each = <T>(rows: readonly unknown[], run: (row: unknown[]) => T): T[] => rows.map(row => run(Array.isArray(row) ? row : [row]))
  return {
    reader: statement.reader,
    all: rows => each(rows, row => statement.all(row)).flat(),
    run(rows) {
      const changes = each(rows, row => Number(statement.run(row).changes))
      return { changes: changes.reduce((sum, n) => sum + n, 0), lastInsertRowid: 0 }
    },
    iterate: rows =>
      each(rows, row => [...statement.iterate(row)])
        .flat()
        .values(),
  }
}

/**
 * Transactions begin IMMEDIATE: a deferred one that turns into a writer fails at once, without waiting, when
 * another process (the `token` command, say) wrote meanwhile (sqlite.org/lang_transaction.html).
 */
function immediate(sql: string): string {
  return sql === 'begin' ? 'begin immediate' : sql
}

/**
 * `data_version` moves with every commit of another connection (sqlite.org/pragma.html#pragma_data_version). To ask for
 * it takes locks on the file, as a query does, so it is asked once a turn of the event loop; what our own writer does
 * within the turn is known without asking. A statement that waits for a lock may succeed in any later turn, after that
 * turn's version was asked: so every attempt counts, not only the first.
 */
function versionTeller(reader: Database.Database, writer: Connection): Versions {
  const dataVersion = reader.prepare('pragma data_version').pluck()
  let asked: unknown
  let unanswered = 0

  /** Where it cannot be told, another process is at the file: what was remembered so far does not count. */
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
  /** Before each query. */
  hold(): void
}

/**
 * A transaction takes twice as long as to ask for `data_version`, so one begins with the first query: until then what is
 * remembered of that version is what would be read.
 */
function snapshotsOf(reader: Database.Database): ReadSnapshots {
  const [begin, commit] = [reader.prepare('begin'), reader.prepare('commit')]
  const dataVersion = reader.prepare('pragma data_version').pluck()
  /** Undefined between snapshots. */
  let assumed: unknown
  let version: unknown
  let held = false
  return {
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

/** Finds out whether a database has changed since the last read, so that results can be cached. */
import type { Awaitable } from '../values/awaitable.ts'
import type { Db } from '../tables/db.ts'

/** Identifies the state of a database or a snapshot. */
export interface State {
  /** The key of caches, which end with this object. */
  readonly of: object
  /** Constant as long as nothing is committed in the tables that it `covers`. */
  readonly version: unknown
  /** Queries the version, if `version` is undefined. The result is not older than the handle of this state. */
  readonly asked?: () => Promise<unknown>
  /** Undefined for all tables. */
  readonly covers?: ReadonlySet<string> | undefined
  /** Changes with a failover, after which earlier commits may be lost and their numbers used again. */
  readonly epoch?: unknown
  /** Set if the version is only assumed. Await it before reading; it rejects if the version is a different one. */
  readonly confirmed?: Promise<void>
}

/** Versions: values that are constant as long as nothing is committed. */
export interface Versions {
  /** The current version, approximately. */
  now(): unknown
  /** The version of the open transaction. */
  inTransaction(): unknown
}

/** The query for the version of a database that has to be asked. */
export interface Question {
  readonly covers: ReadonlySet<string>
  ask(): Promise<unknown>
}

/** The last known version of a site, or of everything. */
export interface Known {
  version: unknown
}

/** Successive snapshots on a connection of their own; reads within one are consistent. */
export interface Snapshots {
  readonly covers?: ReadonlySet<string>
  /** The version that a snapshot of these sites is compared with. */
  known(sites: readonly number[]): Known
  /** @returns the version if known at once; undefined if it may be the previous one */
  begin(sites: readonly number[], known: Known): unknown
  /** As `State` says. */
  epoch?(): unknown
  /** The version of the snapshot, or a promise of it. If it is not the assumed one, queries fail until this was called. */
  version(): unknown
  end(): void
}

const versionsOf = new WeakMap<Db, Versions>()
const readers = new WeakMap<Db, SnapshotReader>()
const states = new WeakMap<Db, State>()
const questions = new WeakMap<Db, () => State>()

/** Registers the versions of an engine that knows them at a lower cost than a query has. */
export function useVersions(db: Db, versions: Versions): void {
  versionsOf.set(db, versions)
}

/** Registers the query for the version of a database. One query runs at a time, and serves all callers that came before it began. */
export function useQuestion(db: Db, { covers, ask }: Question): void {
  const of = {}
  let sent: Promise<unknown> = Promise.resolve()
  let next: Promise<unknown> | undefined
  const send = () => {
    next = undefined
    return (sent = ask())
  }
  questions.set(db, () => {
    let answer: Promise<unknown> | undefined
    return { of, covers, version: undefined, asked: () => (answer ??= next ??= sent.then(send, send)) }
  })
}

/**
 * Returns a handle for the reads of one call, which see at least what was committed before the call. If the version of the
 * database has to be queried, the call queries it once.
 */
export function asOfNow(db: Db): Db {
  const question = questions.get(db)
  if (!question) return db
  const handle = db.withoutPlugins()
  states.set(handle, question())
  return handle
}

/** Registers snapshots of a connection that only reads. */
export function useSnapshots(db: Db, snapshots: Snapshots): void {
  readers.set(db, snapshotReader(db, snapshots))
}

/**
 * Runs `read` on one snapshot of the database. Cached results of the same version are reused.
 * @param sites of the rows that are read, so that commits of other sites do not change the version
 * @param read may run twice: the first time assuming that nothing has changed
 */
export function inSnapshot<T>(db: Db, sites: readonly number[], read: (db: Db) => Awaitable<T>): Promise<T> {
  const reader = readers.get(db)
  if (reader) return reader(sites, async () => read(db))
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async trx => {
      const versions = versionsOf.get(db)
      if (versions) states.set(trx, { of: versions, version: versions.inTransaction() })
      return read(trx)
    })
}

/** Returns the state of a handle; undefined if nothing may be answered from memory. */
export function stateOf(db: Db): State | undefined {
  const versions = versionsOf.get(db)
  return versions ? { of: db, version: versions.now() } : states.get(db)
}

/**
 * Confirms an assumed version. Await it before reading, and before work that a changed version would waste.
 * @throws DatabaseChanged if the version is not the assumed one
 */
export async function confirmVersion(db: Db): Promise<void> {
  await states.get(db)?.confirmed
}

/** Returns the epoch of a handle (`State.epoch`), which is constant without failover. */
export const epochOf = (db: Db): unknown => states.get(db)?.epoch

/** Thrown if the version is not the assumed one, so that reading starts again. */
export class DatabaseChanged extends Error {
  constructor() {
    super('the database has changed')
  }
}

type SnapshotReader = <T>(sites: readonly number[], read: () => Promise<T>) => Promise<T>

/**
 * Takes one snapshot after another. Reading starts with cached results of an assumed version, which is usually right: the
 * previous version if the database takes long to answer, or one that may change until the first query.
 */
function snapshotReader(db: Db, snapshots: Snapshots): SnapshotReader {
  const { covers } = snapshots
  let last: Promise<unknown> = Promise.resolve()

  async function reading<T>(sites: readonly number[], read: () => Promise<T>): Promise<T> {
    const known = snapshots.known(sites)
    const assumed = snapshots.begin(sites, known) ?? known.version
    const stateAt = (version: unknown): State => ({ of: known, version, covers, epoch: snapshots.epoch?.() })
    try {
      states.set(db, Object.assign(stateAt(assumed), { confirmed: confirmationOf(snapshots.version(), assumed) }))
      const early = await read().then(
        found => () => found,
        fault => () => {
          throw fault
        },
      )
      const version = (known.version = await snapshots.version())
      if (version === assumed) return early()
      states.set(db, stateAt(version))
      return await read()
    } finally {
      states.delete(db)
      snapshots.end()
    }
  }

  function confirmationOf(answer: unknown, assumed: unknown): Promise<void> | undefined {
    if (!(answer instanceof Promise)) return undefined
    const confirmed = answer.then(now => {
      if (now !== assumed) throw new DatabaseChanged()
    })
    confirmed.catch(() => {}) // it may never be awaited
    return confirmed
  }

  return (sites, read) => {
    const next = last.then(() => reading(sites, read))
    last = next.catch(() => {})
    return next
  }
}

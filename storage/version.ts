/** Tells whether a database has changed since the last read. */
import type { Db } from './store.ts'

/** Identifies the state of a database or a snapshot. */
export interface State {
  /** Caches are keyed by this object, and go with it. */
  readonly of: object
  /** Constant as long as nothing is committed. */
  readonly version: unknown
  /** Set if the version is only assumed: await this before reading; it rejects if the version is another. */
  readonly confirmed?: Promise<void>
}

/** Versions: values that are constant as long as nothing is committed. */
export interface Versions {
  /** The current version, approximately. */
  now(): unknown
  /** The version of the open transaction. */
  inTransaction(): unknown
}

/** Successive snapshots on a connection of their own; reads within one are consistent. */
export interface Snapshots {
  /** @returns the version if known at once; undefined if it may be the previous one */
  begin(): unknown
  /** The version of the snapshot, or a promise of it. If it is not the assumed one, queries fail until this was called. */
  version(): unknown
  end(): void
}

const versionsOf = new WeakMap<Db, Versions>()
const readers = new WeakMap<Db, SnapshotReader>()
const states = new WeakMap<Db, State>()

/** Registers the versions of an engine that can tell them more cheaply than it runs a query. */
export function useVersions(db: Db, versions: Versions): void {
  versionsOf.set(db, versions)
}

/** Registers snapshots of a connection that only reads. */
export function useSnapshots(db: Db, snapshots: Snapshots): void {
  readers.set(db, snapshotReader(db, snapshots))
}

/**
 * Everything that `read` reads comes from one snapshot of the database. Cached results of the same version are reused.
 * @param read may run twice: the first time assuming that nothing has changed
 */
export function inSnapshot<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  const reader = readers.get(db)
  if (reader) return reader(() => read(db))
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(trx => {
      const versions = versionsOf.get(db)
      if (versions) states.set(trx, { of: versions, version: versions.inTransaction() })
      return read(trx)
    })
}

/** Undefined if only the database itself can tell. */
export function stateOf(db: Db): State | undefined {
  const versions = versionsOf.get(db)
  return versions ? { of: db, version: versions.now() } : states.get(db)
}

/**
 * Await before reading anything, and before work that a changed version would waste.
 * @throws DatabaseChanged if the version is not the assumed one
 */
export async function confirmVersion(db: Db): Promise<void> {
  await states.get(db)?.confirmed
}

/** The version is not the assumed one: start reading again. */
export class DatabaseChanged extends Error {
  constructor() {
    super('the database has changed')
  }
}

type SnapshotReader = <T>(read: () => Promise<T>) => Promise<T>

/**
 * One snapshot after another. Reading starts with cached results of an assumed version, which is usually right: the
 * previous one if the database takes long to tell, or one that may change until the first query.
 */
function snapshotReader(db: Db, snapshots: Snapshots): SnapshotReader {
  let last: Promise<unknown> = Promise.resolve()
  let version: unknown

  async function reading<T>(read: () => Promise<T>): Promise<T> {
    const assumed = snapshots.begin() ?? version
    try {
      states.set(db, { of: db, version: assumed, confirmed: confirmationOf(snapshots.version(), assumed) })
      const early = await read().then(
        found => () => found,
        fault => () => {
          throw fault
        },
      )
      version = await snapshots.version()
      if (version === assumed) return early()
      states.set(db, { of: db, version })
      return await read()
    } finally {
      states.delete(db)
      snapshots.end()
    }
  }

  function confirmationOf(said: unknown, assumed: unknown): Promise<void> | undefined {
    if (!(said instanceof Promise)) return undefined
    const confirmed = said.then(now => {
      if (now !== assumed) throw new DatabaseChanged()
    })
    confirmed.catch(() => {}) // it may never be awaited
    return confirmed
  }

  return read => {
    const next = last.then(() => reading(read))
    last = next.catch(() => {})
    return next
  }
}

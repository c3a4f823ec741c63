/** Tells whether a database has changed since it was last asked. */
import type { Db } from './store.ts'

/** What a database, or a snapshot of it, is known by. */
export interface State {
  /** What is remembered of one of these is forgotten with it. */
  readonly of: object
  /** Stays the same while nothing is committed. */
  readonly version: unknown
  /** Where the version is only assumed so far: until this resolves nothing may be read; rejects where it is another. */
  readonly confirmed?: Promise<void>
}

/** Versions: values that stay the same while nothing is committed. */
export interface Versions {
  /** As of about now. */
  now(): unknown
  /** Of the transaction that is open. */
  inTransaction(): unknown
}

/** Snapshots over a connection of their own, one after the other: what is read in one is consistent. */
export interface Snapshots {
  /** @returns the version, as far as it is known at once; undefined where it may be the one before */
  begin(): unknown
  /** The version of what is read, or a promise of it. Where it is not the one that was assumed, queries fail until this was asked. */
  version(): unknown
  end(): void
}

const versionsOf = new WeakMap<Db, Versions>()
const readers = new WeakMap<Db, SnapshotReader>()
const states = new WeakMap<Db, State>()

/** For the engine that can say so more cheaply than it answers a query. */
export function useVersions(db: Db, versions: Versions): void {
  versionsOf.set(db, versions)
}

/** Where one connection reads, and nobody writes over it. */
export function useSnapshots(db: Db, snapshots: Snapshots): void {
  readers.set(db, snapshotReader(db, snapshots))
}

/**
 * All that `read` reads comes from one snapshot of the database. What earlier ones read of the same version is reused.
 * @param read may be run twice: the first time on the assumption that nothing has changed since it was last known
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

/** Undefined where only the database itself can tell. */
export function stateOf(db: Db): State | undefined {
  const versions = versionsOf.get(db)
  return versions ? { of: db, version: versions.now() } : states.get(db)
}

/**
 * To be awaited before anything is read, and before work that would be wasted if the version is another.
 * @throws DatabaseChanged where it is another than was assumed
 */
export async function confirmVersion(db: Db): Promise<void> {
  await states.get(db)?.confirmed
}

/** Since the version that was assumed: reading begins again. */
export class DatabaseChanged extends Error {
  constructor() {
    super('the database has changed')
  }
}

type SnapshotReader = <T>(read: () => Promise<T>) => Promise<T>

/**
 * One snapshot after the other. Reading begins with what is remembered of an assumed version, which most often is right:
 * the one before, where the database takes a while to tell, or one that could change until the first query.
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
    confirmed.catch(() => {}) // perhaps nobody awaits it
    return confirmed
  }

  return read => {
    const next = last.then(() => reading(read))
    last = next.catch(() => {})
    return next
  }
}

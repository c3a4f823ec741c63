/** Tells whether a database has changed since it was last asked. */
import type { Db } from './store.ts'

/** What a database, or a moment of it, can be known by. */
export interface State {
  /** What is remembered of one of these is forgotten with it. */
  readonly of: object
  /** Stays the same while nothing is committed. */
  readonly version: unknown
  /** Where the version is taken for granted so far: until this resolves nothing may be read; rejects where it is another. */
  readonly confirmed?: Promise<void>
}

/** Versions: values that stay the same while nothing is committed. */
export interface Versions {
  /** As of about now. */
  now(): unknown
  /** Of the transaction that is open. */
  inTransaction(): unknown
}

/** Over a connection of its own, one after the other; what is read in one is as it is at one moment. */
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
export function useVersions(db: Db, teller: Versions): void {
  versionsOf.set(db, teller)
}

/** Where one connection reads, and nobody writes over it. */
export function useSnapshots(db: Db, moments: Snapshots): void {
  readers.set(db, snapshotReader(db, moments))
}

/**
 * Everything that is read of a database in it is as it is at one moment; it need not ask what others like it were told.
 * @param read may be run twice: the first time on the assumption that nothing has changed since it was last known
 */
export function inSnapshot<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  const holder = readers.get(db)
  if (holder) return holder(() => read(db))
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(trx => {
    const teller = versionsOf.get(db)
    if (teller) states.set(trx, { of: teller, version: teller.inTransaction() })
    return read(trx)
  })
}

/** Undefined where only the database itself can tell. */
export function stateOf(db: Db): State | undefined {
  const teller = versionsOf.get(db)
  return teller ? { of: db, version: teller.now() } : states.get(db)
}

/**
 * To be waited for before anything is read, and before work that is not to be done in vain.
 * @throws where the database is no longer what it was taken for
 */
export async function confirmVersion(db: Db): Promise<void> {
  await states.get(db)?.confirmed
}

/** Since what was remembered of it: what is read begins anew. */
export class DatabaseChanged extends Error {
  constructor() {
    super('the database has changed')
  }
}

type SnapshotReader = <T>(read: () => Promise<T>) => Promise<T>

/**
 * One moment after the other. Reading begins with what is remembered of an assumed version, which most often holds: it
 * is the one before where the database takes a while to tell, or one that could change until the first query.
 */
function snapshotReader(db: Db, moments: Snapshots): SnapshotReader {
  let last: Promise<unknown> = Promise.resolve()
  let version: unknown

  async function reading<T>(read: () => Promise<T>): Promise<T> {
    const assumed = moments.begin() ?? version
    try {
      states.set(db, { of: db, version: assumed, confirmed: confirmationOf(moments.version(), assumed) })
      const early = await read().then(found => () => found, fault => () => { throw fault })
      version = await moments.version()
      if (version === assumed) return early()
      states.set(db, { of: db, version })
      return await read()
    } finally {
      states.delete(db)
      moments.end()
    }
  }

  function confirmationOf(said: unknown, assumed: unknown): Promise<void> | undefined {
    if (!(said instanceof Promise)) return undefined
    const certain = said.then(now => { if (now !== assumed) throw new DatabaseChanged() })
    certain.catch(() => {}) // it may be that nobody waits for it
    return certain
  }

  return read => {
    const next = last.then(() => reading(read))
    last = next.catch(() => {})
    return next
  }
}

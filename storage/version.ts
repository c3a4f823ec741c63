/** Tells whether a database has changed since it was last asked. */
import type { Db } from './store.ts'

/** What a database, or a moment of it, can be known by. */
export interface State {
  /** What is remembered of one of these is forgotten with it. */
  readonly of: object
  /** Stays the same while nothing is committed. */
  readonly version: unknown
}

/** Versions: values that stay the same while nothing is committed. */
export interface Teller {
  /** As of about now. */
  now(): unknown
  /** Of the transaction that is open. */
  inTransaction(): unknown
}

/** What is read over a connection of its own between these two is as it is at one moment. */
export interface Moments {
  /** @returns the version of what is seen from now on */
  begin(): Promise<unknown>
  end(): void
}

const tellers = new WeakMap<Db, Teller>()
const holders = new WeakMap<Db, Holder>()
const states = new WeakMap<Db, State>()

/** For the engine that can say so more cheaply than it answers a query. */
export function tellVersion(db: Db, teller: Teller): void {
  tellers.set(db, teller)
}

/** Where one connection reads, and nobody writes over it. */
export function tellMoments(db: Db, moments: Moments): void {
  holders.set(db, holderOf(db, moments))
}

/** Everything that is read of a database in it is as it is at one moment; it need not ask what others like it were told. */
export function atOneMoment<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  const holder = holders.get(db)
  if (holder) return holder(() => read(db))
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(trx => {
    const teller = tellers.get(db)
    if (teller) states.set(trx, { of: teller, version: teller.inTransaction() })
    return read(trx)
  })
}

/** Undefined where only the database itself can tell. */
export function stateOf(db: Db): State | undefined {
  const teller = tellers.get(db)
  return teller ? { of: db, version: teller.now() } : states.get(db)
}

type Holder = <T>(read: () => Promise<T>) => Promise<T>

/** One moment after the other. */
function holderOf(db: Db, { begin, end }: Moments): Holder {
  let last: Promise<unknown> = Promise.resolve()
  return read => {
    const next = last.then(async () => {
      states.set(db, { of: db, version: await begin() })
      try {
        return await read()
      } finally {
        states.delete(db)
        end()
      }
    })
    last = next.catch(() => {})
    return next
  }
}

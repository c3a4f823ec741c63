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
  /** Where there is one connection and nobody writes: has everything stand still meanwhile, one after the other. */
  hold?<T>(read: () => Promise<T>): Promise<T>
}

/** `transactions` stands for all those that only read. */
const tellers = new WeakMap<Db, Teller & { readonly transactions: object }>()
const moments = new WeakMap<Db, State>()

/** For the engine that can say so more cheaply than it answers a query, and has one connection for reading. */
export function tellVersion(db: Db, teller: Teller): void {
  tellers.set(db, { ...teller, transactions: {} })
}

/** Everything that is read of a database in it is as it is at one moment; it need not ask what others like it were told. */
export function atOneMoment<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  const teller = tellers.get(db)
  if (teller?.hold) return teller.hold(() => read(db))
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(trx => {
    if (teller) moments.set(trx, { of: teller.transactions, version: teller.inTransaction() })
    return read(trx)
  })
}

/** Undefined where only the database itself can tell. */
export function stateOf(db: Db): State | undefined {
  const teller = tellers.get(db)
  return teller ? { of: db, version: teller.now() } : moments.get(db)
}

/** Tells whether a database has changed since it was last asked. */
import type { Db, Trx } from './store.ts'

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

/** `transactions` stands for all those that only read. */
const tellers = new WeakMap<Db, Teller & { readonly transactions: object }>()
const moments = new WeakMap<Db, State>()

/** For the engine that can say so more cheaply than it answers a query, and has one connection for reading. */
export function tellVersion(db: Db, teller: Teller): void {
  tellers.set(db, { ...teller, transactions: {} })
}

/** To be called as a transaction of `db` begins that only reads: it need not ask what others like it were told. */
export function onlyReads(trx: Trx, db: Db): void {
  const teller = tellers.get(db)
  if (teller) moments.set(trx, { of: teller.transactions, version: teller.inTransaction() })
}

/** Undefined where only the database itself can tell. */
export function stateOf(db: Db): State | undefined {
  const teller = tellers.get(db)
  return teller ? { of: db, version: teller.now() } : moments.get(db)
}

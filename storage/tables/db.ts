import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './index.ts'

/** A database handle for reading: the store's reader, or an open transaction. */
export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>
/** Writes receive their transaction; code that requires one checks with this. */
export const isTransaction = (db: Db): db is Trx => db.isTransaction

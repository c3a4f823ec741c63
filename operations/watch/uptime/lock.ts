/** Locks checks against probers and other writers until the transaction ends. */
import { sql } from 'kysely'
import type { Dialect } from '../../../storage/dialects/dialect.ts'
import type { Db } from '../../../storage/store.ts'

/** Locks the selected checks, always in the same order, which rules out deadlocks; alerts on them are locked after. */
export function lockChecks(db: Db, dialect: Dialect) {
  return db.selectFrom('uptime_checks').orderBy('number').modifyEnd(sql.raw(dialect.rowLock.wait))
}

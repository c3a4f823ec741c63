/** Checks held against probers and other writers until the transaction ends. */
import { sql } from 'kysely'
import type { Dialect } from '../../../storage/dialects/dialect.ts'
import type { Db } from '../../../storage/store.ts'

/** A select of several, held in one order everywhere, so that nobody waits in a circle; alerts on them come after. */
export function holdSeveral(db: Db, dialect: Dialect) {
  return db.selectFrom('uptime_checks').orderBy('number').modifyEnd(sql.raw(dialect.holding.all))
}

/** Checks held against probers and other writers until the transaction ends. */
import { sql } from 'kysely'
import { fail } from '../../../runtime/errors.ts'
import type { Dialect } from '../../../storage/dialects/dialect.ts'
import type { Db } from '../../../storage/store.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'

/**
 * The check as it is now.
 * @throws Failure `not_found` where it was deleted meanwhile
 */
export async function hold(db: Db, id: string): Promise<UptimeCheckRow> {
  const row = await db.updateTable('uptime_checks').set(({ ref }) => ({ kind: ref('kind') })).where('id', '=', id)
    .returningAll().executeTakeFirst()
  return row ?? fail('not_found')
}

/** A select of several, held in one order everywhere, so that nobody waits in a circle; alerts on them come after. */
export function holdSeveral(db: Db, dialect: Dialect) {
  return db.selectFrom('uptime_checks').orderBy('number').modifyEnd(sql.raw(dialect.holding.all))
}

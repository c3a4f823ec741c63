/** Checks that sealed texts can be opened: a database that was restored without its key is reported at the start. */
import { sql } from 'kysely'
import { keyFileOf } from '../storage/instance-key.ts'
import type { Store } from '../storage/store.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { keyNames } from './secret-box.ts'
import type { Table } from './table.ts'

/** Logs, once, how much of each area was sealed under a key that is not here, and what to do. */
export async function checkSealed(
  { store, config, log, random }: { store: Store; config: Config; log: Log; random(size: number): Buffer },
  { areas }: Pick<Table, 'areas'>,
): Promise<void> {
  const names = await keyNames(store, config, random)
  const lost: string[] = []
  for (const { name, sealed = [] } of areas) {
    for (const { table, column } of sealed) {
      const count = await sealedUnderOthers(store, table, column, names)
      if (count > 0) lost.push(`${name}: ${count}`)
    }
  }
  if (lost.length === 0) return
  const file = keyFileOf(store)
  const place = file === undefined ? 'SECRET_KEY' : `${file}, which belongs into the backup of the database, or SECRET_KEY`
  log.error(
    { lost },
    `secrets in this database were sealed under a key that is not here, and are empty: bring it back (${place}), or set them again`,
  )
}

/** A sealed text is the name of the key (eight characters), a dot, and the rest; the column may hold JSON around it. */
async function sealedUnderOthers({ read }: Store, table: string, column: string, names: readonly string[]): Promise<number> {
  const text = sql.ref(column)
  const known = sql.join(names.length > 0 ? names : [''])
  const {
    rows: [found],
  } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}
    where substr(${text}, 9, 1) = '.' and substr(${text}, 1, 1) <> '[' and substr(${text}, 1, 8) not in (${known})`.execute(read)
  return found?.count ?? 0
}

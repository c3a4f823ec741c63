/**
 * Postgres plans queries by statistics, which have samples of the values of every column. `analyze` makes them again, except the samples of a
 * table that has no rows left: these end when the type of their column is set, also to the same type.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Table } from '../schema/table.ts'
import type { Store } from '../store.ts'
import { tables } from '../tables/index.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'

const textsOf = ({ columns }: Table) => Object.entries(columns).filter(([, { type }]) => type === 'text')
/** The largest tables have no texts, but numbers of texts. */
const withTexts = Object.entries<Table>(tables).filter(([, table]) => textsOf(table).length > 0)
const names = withTexts.map(([name]) => name)
const referred = new Set(
  withTexts.flatMap(([, { columns }]) =>
    Object.values(columns).map(({ references }) => references && `${references.table}.${references.column}`),
  ),
)

/** Everything else that needs the table waits behind the lock that is asked for. */
const LOCK_TIMEOUT = '100ms'
const PAUSE_MS = 400
const MAX_ATTEMPTS = 5

/** @throws StorageUnavailable if a table that has no rows left is in constant use */
export async function forgetSamples(store: Store): Promise<void> {
  await sql`analyze ${sql.join(names.map(name => sql.table(name)))}`.execute(store.write)
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname
    where c.relname in (${sql.join(names)}) and pg_table_is_visible(c.oid) and c.relkind = 'r' and c.reltuples = 0`.execute(store.write)
  const empty = new Set(rows.map(({ name }) => name))
  for (const [name, table] of withTexts) if (empty.has(name)) await forgetColumns(store, name, table)
}

/** Not of ids that other rows refer to, or that refer to others: that would lock the other table, too. */
async function forgetColumns(store: Store, name: string, table: Table): Promise<void> {
  const changes = textsOf(table)
    .filter(([column, { references }]) => !references && !referred.has(`${name}.${column}`))
    .map(([column]) => sql`alter column ${sql.ref(column)} type text`)
  if (changes.length === 0) return
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.transaction(async trx => {
        await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(trx)
        await sql`alter table ${sql.table(name)} ${sql.join(changes)}`.execute(trx)
      })
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || error.reason !== 'locked' || attempt === MAX_ATTEMPTS) throw error
    }
    await wait(PAUSE_MS)
  }
}

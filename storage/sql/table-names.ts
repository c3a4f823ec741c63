/** The tables that a database has. */
import { sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Db } from '../tables/db.ts'

/** Only their names: Kysely's introspection reads all their columns as well, which takes long. */
export async function tableNames(db: Db, { tableNames }: Dialect): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`${sql.raw(tableNames)}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

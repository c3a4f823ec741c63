/** Stops the start if a table that an area writes is not in the database because no step of the schema adds it. */
import type { Store } from '../../storage/store.ts'
import { tableNames } from '../../storage/sql/table-names.ts'
import type { Table } from './table.ts'

/** @throws Error naming every missing table, its area and the remedy */
export async function checkTables({ read, dialect }: Store, { areas }: Pick<Table, 'areas'>): Promise<void> {
  const existing = await tableNames(read, dialect)
  const missing = areas.flatMap(({ name, tables = [] }) => tables.filter(table => !existing.has(table)).map(table => `${table} (${name})`))
  if (missing.length === 0) return
  throw new Error(`The database has no table ${missing.join(', ')}: ` + 'no step in storage/migrations/steps.ts adds what area.ts declares')
}

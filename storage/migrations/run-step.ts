/** Runs a step: makes what it adds as it is declared now, without what later steps add to that, then converts data. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Index } from '../schema/table.ts'
import { tables } from '../tables/index.ts'
import { addColumn, createIndex, createTables, indexName, tableNamed } from './create-table.ts'
import { steps } from './steps.ts'

/** How long a change of a table may wait for other processes, which then wait for it. After that it is tried again. */
const LOCK_TIMEOUT = '3s'

/** @param name as in `steps` */
export async function runStep(db: Kysely<unknown>, dialect: Dialect, name: string): Promise<void> {
  const names = Object.keys(steps)
  const { adds = [], converts } = steps[name] ?? {}
  const later = new Set<string>(names.slice(names.indexOf(name) + 1).flatMap(each => steps[each]?.adds ?? []))
  const isLater = (addition: string): boolean => later.has(addition) || columnsOfIndex(addition).some(column => later.has(column))

  const columns: readonly string[] = adds.filter(addition => addition.includes('.'))
  if (columns.length > 0 && dialect.name === 'postgres') await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db)
  for (const each of columns) {
    const [table = '', column = ''] = each.split('.')
    await addColumn(db, dialect, { table, column })
  }
  await createTables(db, { dialect, names: adds.filter(addition => addition in tables) }, { isLater })
  for (const [addition, { table, index }] of indexes) {
    const isDue = adds.some(each => each === addition) || columnsOfIndex(addition).some(column => columns.includes(column))
    if (isDue && !isLater(addition)) await createIndex(db, table, index)
  }
  await converts?.(db, dialect)
}

/** Every declared index by its name in a step. */
const indexes: ReadonlyMap<string, { readonly table: string; readonly index: Index }> = new Map(
  Object.keys(tables).flatMap(table =>
    tableNamed(table).indexes.map(index => [`index ${indexName(table, index)}`, { table, index }] as const),
  ),
)

/** The columns that an index is over or that its condition names, as `table.column`. */
function columnsOfIndex(addition: string): string[] {
  const { table, index } = indexes.get(addition) ?? {}
  if (table === undefined || index === undefined) return []
  const { on, where = '' } = 'on' in index ? index : { on: index }
  return [...on, ...where.split(/\W+/)].filter(name => name in tableNamed(table).columns).map(name => `${table}.${name}`)
}

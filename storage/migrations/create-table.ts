/** Makes tables, columns and indexes as they are declared. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Column } from '../schema/column.ts'
import type { Index, Table } from '../schema/table.ts'
import { tables } from '../tables/index.ts'

const declared: Readonly<Record<string, Table>> = tables

/** Returns the declaration of a table. @throws Error if there is none */
export function tableNamed(name: string): Table {
  const found = declared[name]
  if (!found) throw new Error(`storage/tables declares no table ${name}`)
  return found
}

interface Later {
  /** Leaves out a column or index of the table that a later step adds. */
  isLater(name: string): boolean
}

/** Makes tables in the order of their foreign keys, with their indexes. */
export async function createTables(
  db: Kysely<unknown>,
  { dialect, names }: { dialect: Dialect; names: Iterable<string> },
  { isLater }: Later,
): Promise<void> {
  const pending = new Set(names)
  const create = async (name: string): Promise<void> => {
    if (!pending.delete(name)) return
    const table = tableNamed(name)
    const columns = Object.entries(table.columns).filter(([column]) => !isLater(`${name}.${column}`))
    for (const [, { references }] of columns) if (references) await create(references.table)
    const lines = [
      ...columns.map(([column, kind]) => `${column} ${columnSql(dialect, kind)}`),
      ...table.unique.map(unique => `unique (${unique.join(', ')})`),
      `primary key (${table.key.join(', ')})`,
    ]
    await sql.raw(`create table ${name} (${lines.join(', ')}) ${dialect.tableEnd[table.clustered ? 'keyed' : 'rowid']}`).execute(db)
    for (const [column, { type }] of columns) {
      const storage = type === 'blob' ? dialect.blobStorage(name, column) : ''
      if (storage !== '') await sql.raw(storage).execute(db)
    }
    for (const index of table.indexes) if (!isLater(`index ${indexName(name, index)}`)) await createIndex(db, name, index)
  }
  for (const name of pending) await create(name)
}

/** Adds a column to a table with rows. */
export const addColumn = (db: Kysely<unknown>, dialect: Dialect, { table, column }: { table: string; column: string }): Promise<unknown> =>
  sql.raw(`alter table ${table} add column ${column} ${columnSql(dialect, tableNamed(table).columns[column])}`).execute(db)

export async function createIndex(db: Kysely<unknown>, table: string, index: Index): Promise<void> {
  const { on, unique = false, where = undefined } = 'on' in index ? index : { on: index }
  const made = `create ${unique ? 'unique ' : ''}index ${indexName(table, index)} on ${table} (${on.join(', ')})`
  await sql.raw(where === undefined ? made : `${made} where ${where}`).execute(db)
}

export const indexName = (table: string, index: Index): string => ('on' in index ? index.name : `${table}_${index.join('_')}`)

function columnSql({ types }: Dialect, column: Column | undefined): string {
  if (!column) throw new Error('storage/tables declares no such column')
  const { type, nullable = false, unique = false, references, default: given } = column
  return [
    types[type],
    ...(nullable ? [] : ['not null']),
    ...(unique ? ['unique'] : []),
    ...(given === undefined ? [] : [`default ${typeof given === 'number' ? given : `'${given}'`}`]),
    ...(references ? [`references ${references.table}(${references.column}) on delete ${references.onDelete}`] : []),
  ].join(' ')
}

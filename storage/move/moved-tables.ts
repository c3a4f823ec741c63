/** The tables whose rows a move copies as they are, parents before the rows that refer to them. */
import { type TableName, tables } from '../tables/index.ts'
import type { SqlType } from '../schema/column.ts'
import type { Table } from '../schema/table.ts'

export interface MovedTable {
  readonly name: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
  readonly types: readonly SqlType[]
  /** The column that the database numbers. */
  readonly serial: string | undefined
}

/** The id and the key of an installation: a file has the key on SQLite (`secrets.ts`). */
const apart: ReadonlySet<TableName> = new Set(['instance_secrets'])

const declared: Readonly<Record<string, Table>> = tables

function inOrder(): MovedTable[] {
  const done = new Map<string, MovedTable>()
  const add = (name: string, { key, columns }: Table): void => {
    if (done.has(name) || apart.has(name as TableName)) return
    for (const { references } of Object.values(columns)) {
      const parent = references && references.table !== name ? declared[references.table] : undefined
      if (references && parent) add(references.table, parent)
    }
    const serial = Object.entries(columns).find(([, { type }]) => type === 'serial')?.[0]
    done.set(name, { name, key, columns: Object.keys(columns), types: Object.values(columns).map(({ type }) => type), serial })
  }
  for (const [name, table] of Object.entries(declared)) add(name, table)
  return [...done.values()]
}

export const movedTables: readonly MovedTable[] = Object.freeze(inOrder())

/** The tables that a pause refuses changes of: all. */
export const pausedTables: readonly Pick<MovedTable, 'name' | 'key'>[] = Object.freeze(
  Object.entries(declared).map(([name, { key }]) => ({ name, key })),
)

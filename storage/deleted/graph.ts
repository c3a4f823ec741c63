/** The tables whose rows refer to rows of another table, from the declarations of the tables. */
import { tables } from '../tables/index.ts'
import type { Table } from '../schema/table.ts'

export type TableName = keyof typeof tables

interface Referrer {
  readonly table: TableName
  readonly column: string
  /** The column of the other table. */
  readonly to: string
  readonly onDelete: 'cascade' | 'set null'
}

export const tableOf = (name: TableName): Table => tables[name]

const names = Object.keys(tables) as TableName[] // the names of the declarations

export const isTable = (name: string): name is TableName => Object.hasOwn(tables, name)

export function referrersOf(name: TableName): Referrer[] {
  return names.flatMap(table =>
    Object.entries(tableOf(table).columns).flatMap(([column, { references }]) =>
      references?.table === name ? [{ table, column, to: references.column, onDelete: references.onDelete }] : [],
    ),
  )
}

/** Columns that refer to other tables. */
export const referencesOf = (name: TableName) =>
  Object.entries(tableOf(name).columns).flatMap(([column, { references, nullable }]) =>
    references && isTable(references.table)
      ? [{ column, table: references.table, to: references.column, isNullable: nullable === true }]
      : [],
  )

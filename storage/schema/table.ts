/** Declares tables. The name of the constant that holds a declaration is the table's name. */
import type { ColumnType } from 'kysely'
import type { Column } from './column.ts'

type Columns = Readonly<Record<string, Column>>

/** An index over columns, named after the table and them, or with a name of its own. */
export type Index<Name extends string = string> =
  | readonly Name[]
  | { readonly name: string; readonly on: readonly Name[]; readonly unique?: boolean; readonly where?: string }

export interface TableOptions<Name extends string = string> {
  /** The columns of the primary key; `id` by default. */
  readonly key?: readonly Name[]
  /** Stores the rows in the order of the key, for tables that are read by ranges of it. */
  readonly clustered?: boolean
  /** Columns whose values are unique together. */
  readonly unique?: readonly (readonly Name[])[]
  readonly indexes?: readonly Index<Name>[]
}

export interface Table<C extends Columns = Columns> {
  readonly columns: C
  readonly key: readonly string[]
  readonly clustered: boolean
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly Index[]
}

/**
 * Declares a table, of which the types of its rows and the SQL that makes it are derived.
 * @example
 * export const greetings = table({ id: text, site_id: reference('sites'), text, created_at: instant }, { indexes: [['site_id']] })
 * export type GreetingRow = Row<typeof greetings>
 */
export function table<const C extends Columns>(columns: C, options: TableOptions<keyof C & string> = {}): Table<C> {
  const { key = ['id'], clustered = false, unique = [], indexes = [] } = options
  return Object.freeze({ columns: Object.freeze(columns), key, clustered, unique, indexes })
}

type ValueOf<C> = C extends Column<infer Value> ? Value : never

/** The type that Kysely takes for a table. */
export type TableType<T extends Table> = {
  [Name in keyof T['columns']]: T['columns'][Name] extends Column<infer Value, infer IsOptional>
    ? IsOptional extends true
      ? ColumnType<Value, Value | undefined, Value>
      : Value
    : never
}

/** A row as it is read. */
export type Row<T extends Table> = { -readonly [Name in keyof T['columns']]: ValueOf<T['columns'][Name]> }

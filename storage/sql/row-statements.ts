/** Constant SQL, compiled once and run over any number of items, which keeps the statements of a batch few. */
import { sql } from 'kysely'
import type { Connections, Value } from '../dialects/dialect.ts'
import type { Trx } from '../tables/db.ts'
import type { Tables } from '../tables/index.ts'

/** A number that is known when a statement runs, but not yet when it is prepared. */
export interface Later {
  settled(): number
}

/** The source of a column's values. */
export interface Column<Item> {
  readonly type: 'text' | 'int' | 'bigint' | 'real'
  readonly of: (item: Item) => Value | Later
}
export type Columns<Item, Name extends string = string> = Readonly<Record<Name, Column<Item>>>

const columnOf =
  <Of extends Value | Later>(type: Column<unknown>['type']) =>
  <Item>(of: (item: Item) => Of): Column<Item> => ({ type, of })
export const text = columnOf<string | null>('text')
export const int = columnOf<number | Later>('int')
export const bigint = columnOf<number>('bigint')
export const real = columnOf<number | null>('real')

/** Reads the values from the items when called, and returns the run. Without items it does nothing. */
export type Statement<Item, Answer = never> = (items: readonly Item[]) => (trx: Trx) => Promise<readonly Answer[]>

interface Named<Item, Name extends string = string> {
  /** The comment that the statement begins with: the file that has it, and what it does there. */
  readonly name: string
  readonly columns: Columns<Item, Name>
}

interface Body<Item> extends Named<Item> {
  /** SQL after `with given as (…)`, which has the columns. */
  readonly body: string
}

export const statement = <Item, Answer = never>(store: Connections, { body, ...named }: Body<Item>): Statement<Item, Answer> =>
  compile(store, named, table => `with given (${Object.keys(named.columns).join(', ')}) as (${table}) ${body}`)

interface Insert<Item, Table extends keyof Tables> extends Named<Item, keyof Tables[Table] & string> {
  readonly table: Table
  /** SQL at the end: `on conflict … do …`. */
  readonly conflict?: string
}

export const insertInto = <Item, Table extends keyof Tables = keyof Tables>(
  store: Connections,
  { table, conflict = '', ...named }: Insert<Item, Table>,
): Statement<Item> => compile(store, named, rows => `insert into ${table} (${Object.keys(named.columns).join(', ')}) ${rows} ${conflict}`)

function compile<Item, Answer>(
  store: Connections,
  { name, columns }: Named<Item>,
  text: (table: string) => string,
): Statement<Item, Answer> {
  const { mark, table, parameters } = store.dialect.rows
  const sources = Object.values(columns)
  const compiled = sql.raw<Answer>(`${mark}${name} */ ${text(table(sources.map(({ type }) => type)))}`).compile(store.write)
  return items => {
    const rows = items.map(item => sources.map(({ of }) => of(item)))
    return async trx => {
      if (rows.length === 0) return []
      for (const row of rows) settle(row)
      const query = { ...compiled, parameters: parameters(rows as readonly (readonly Value[])[]) } // settled
      return (await trx.executeQuery<Answer>(query)).rows
    }
  }
}

/** In place: a second list of thirty values for each row takes as long as working them out. */
function settle(row: (Value | Later)[]): void {
  for (let i = 0; i < row.length; i++) {
    const value = row[i]
    if (typeof value === 'object' && value !== null) row[i] = value.settled()
  }
}

/** `a = from.a, b = from.b` */
export const assign = (columns: readonly string[], from: string): string =>
  columns.map(column => `${column} = ${from}.${column}`).join(', ')

/** SQL condition: equal values of these columns. */
export const matching = (columns: readonly string[], left: string, right: string): string =>
  columns.map(column => `${left}.${column} = ${right}.${column}`).join(' and ')

/** Constant SQL, compiled once and run over any number of items, which keeps the statements of a batch few. */
import { CompiledQuery, sql } from 'kysely'
import type { ColumnType, Connections, Value } from '../dialects/dialect.ts'
import type { Trx } from '../tables/db.ts'
import type { Tables } from '../tables/index.ts'

/** A number that is known when a statement runs, but not yet when it is prepared. */
export interface Later {
  settled(): number
}

/** The source of a column's values. */
export interface Column<Item> {
  readonly type: ColumnType
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
export type Statement<Item, Answer = never> = (items: readonly Item[]) => Run<Answer>

export interface Run<Answer = never> {
  (trx: Trx): Promise<readonly Answer[]>
  readonly part: Part
}

/** A statement as a part of another one. */
interface Part {
  readonly name: string
  readonly types: readonly ColumnType[]
  readonly text: (table: string) => string
  readonly rows: readonly (Value | Later)[][]
}

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
  const types = sources.map(({ type }) => type)
  const compiled = sql.raw<Answer>(`${mark}${name} */ ${text(table(types))}`).compile(store.write)
  return items => {
    const rows = items.map(item => sources.map(({ of }) => of(item)))
    const run = async (trx: Trx) => {
      if (rows.length === 0) return []
      const query = { ...compiled, parameters: parameters(settled(rows), types) }
      return (await trx.executeQuery<Answer>(query)).rows
    }
    return Object.assign(run, { part: { name, types, text, rows } })
  }
}

/**
 * Runs statements that return nothing, in a single one if the engine has such: then none sees what another one has written, and no two
 * may write the same row. SQLite, where a statement costs no round trip, runs them in order.
 */
export function together(store: Connections, runs: readonly Run[]): (trx: Trx) => Promise<void> {
  const { mark, table, parameters, joined } = store.dialect.rows
  const wanted = runs.filter(({ part }) => part.rows.length > 0)
  return async trx => {
    if (!joined || wanted.length < 2) {
      for (const run of wanted) await run(trx)
      return
    }
    let bound = 0
    const texts = wanted.map(
      ({ part: { name, types, text } }) => `/* ${name} */ ${text(table(types, (bound += types.length) - types.length))}`,
    )
    const given = wanted.flatMap(({ part: { rows, types } }) => parameters(settled(rows), types))
    await trx.executeQuery(CompiledQuery.raw(`${mark}row-statements.together */ ${joined(texts)}`, given))
  }
}

/** In place: a second list of thirty values for each row takes as long as working them out. */
function settled(rows: readonly (Value | Later)[][]): readonly (readonly Value[])[] {
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) {
      const value = row[i]
      if (typeof value === 'object' && value !== null) row[i] = value.settled()
    }
  }
  return rows as readonly (readonly Value[])[]
}

/** `a = from.a, b = from.b` */
export const assign = (columns: readonly string[], from: string): string =>
  columns.map(column => `${column} = ${from}.${column}`).join(', ')

/** SQL condition: equal values of these columns. */
export const matching = (columns: readonly string[], left: string, right: string): string =>
  columns.map(column => `${left}.${column} = ${right}.${column}`).join(' and ')

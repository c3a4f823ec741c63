/**
 * Reads columns of rows, each joined by the database into one text. Many rows are read in pieces, because a text has at most
 * 2^29 characters and a row of Postgres 1 GB, which the columns of 20 million hits exceed. Each piece becomes narrow numbers
 * outside of the heap before the next one is read.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Column, columnOf, concatenated } from '../columns/column.ts'
import type { Db } from '../../store.ts'
import type { Lists } from './build-day.ts'

/** Number of rows that are read at once. */
export const ROWS_A_PIECE = 500_000

export interface Rows {
  readonly db: Db
  readonly table: 'visits' | 'hits' | 'hit_props' | 'vitals' | 'clicks'
  readonly where: RawBuilder<unknown>
}

/** SQL of integers of the rows, by name. */
export type Parts<Name extends string> = Readonly<Record<Name, RawBuilder<unknown>>>

/** Makes parts of columns, under their own names. */
export const partsOf = <Name extends string>(names: readonly Name[]): Parts<Name> =>
  Object.fromEntries(names.map(name => [name, sql.ref(name)])) as Parts<Name> // one entry for each name

/** SQL of columns as texts. */
export const joined = <Name extends string>(parts: Parts<Name>): RawBuilder<unknown> =>
  sql.join(namesOf(parts).map(name => sql`string_agg(cast(${parts[name]} as text), ',') as ${sql.ref(name)}`))

/** Parses a row of such texts to numbers; undefined and null mean that there were no rows. */
export function listsIn<Name extends string>(parts: Parts<Name>, row: Readonly<Partial<Record<Name, string | null>>> | undefined) {
  const entries = namesOf(parts).map(name => [name, numbersIn(row?.[name] ?? '')])
  return Object.fromEntries(entries) as Record<Name, number[]> // one entry for each name
}

export const numbersIn = (text: string): number[] => JSON.parse(`[${text}]`) as number[] // the columns contain integers only

const namesOf = <Name extends string>(parts: Parts<Name>) => Object.keys(parts) as Name[] // the object's own keys

/**
 * Reads columns of rows in pieces.
 * @param key columns of the table's key after those that `where` fixes
 * @param max rows of a piece
 */
export async function readInPieces<Name extends string>({
  rows,
  parts,
  key,
  max,
}: {
  rows: Rows
  parts: Parts<Name>
  key: readonly string[]
  max: number
}): Promise<Lists<Name>> {
  const pieces = new Map<Name, Column[]>(namesOf(parts).map(name => [name, []]))
  for await (const piece of piecesOf(rows, key, max)) {
    const { rows: found } = await sql<Record<Name, string | null>>`
      /* read-in-pieces.read */ select ${joined(parts)} from ${sql.table(rows.table)} where ${piece}`.execute(rows.db)
    const lists = listsIn(parts, found[0])
    for (const [name, columns] of pieces) columns.push(columnOf(lists[name]))
  }
  const entries = [...pieces].map(([name, columns]) => [name, concatenated(columns)])
  return Object.fromEntries(entries) as Lists<Name> // one entry for each name
}

/** Conditions that cut rows into pieces, by the keys at which these end. */
async function* piecesOf({ db, table, where }: Rows, key: readonly string[], max: number): AsyncGenerator<RawBuilder<unknown>> {
  const keys = sql.join(key.map(name => sql.ref(name)))
  for (let from = where; ; ) {
    const { rows: ends } = await sql<Record<string, string | number>>`
      /* read-in-pieces.end */ select ${keys} from ${sql.table(table)} where ${from} order by ${keys} limit 1 offset ${max - 1}`.execute(db)
    const [end] = ends
    if (!end) return yield from
    const last = sql.join(key.map(name => end[name]))
    yield sql`${from} and (${keys}) <= (${last})`
    from = sql`${where} and (${keys}) > (${last})`
  }
}

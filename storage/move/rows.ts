/** Reads and writes rows of any table, in pages of bounded size, on both engines. */
import { CompiledQuery } from 'kysely'
import { postgres } from '../dialects/postgres.ts'
import type { Store } from '../store.ts'
import type { Db } from '../tables/db.ts'
import type { MovedTable } from './moved-tables.ts'

export type Cell = string | number | null | Uint8Array
export type MovedRow = Readonly<Record<string, Cell>>
export type Key = readonly (string | number)[]

/** Bytes and rows of a page. */
const PAGE_BYTES = 2_000_000
const PAGE_ROWS = 2_000
const FIRST_ROWS = 20
/** Parameters of a statement on SQLite. */
const MAX_PARAMETERS = 30_000

const isPostgres = ({ dialect }: Store): boolean => dialect.name === 'postgres'

async function rowsOf(db: Db, text: string, parameters: readonly unknown[]): Promise<MovedRow[]> {
  return (await db.executeQuery<MovedRow>(CompiledQuery.raw(text, [...parameters]))).rows
}

export const keyOf = ({ key }: MovedTable, row: MovedRow): Key => key.map(column => row[column] as string | number) // keys have no others

/** Reads a table in the order of its key. */
export function pagesOf(source: Store, table: MovedTable) {
  let limit = FIRST_ROWS
  return {
    /** @param after the key of the last row that was read */
    async next(after: Key | undefined): Promise<MovedRow[]> {
      const mark = (i: number) => (isPostgres(source) ? `$${i + 1}` : '?')
      const list = table.key.join(', ')
      const where = after ? `where (${list}) > (${table.key.map((_, i) => mark(i)).join(', ')})` : ''
      const text = `select ${table.columns.join(', ')} from ${table.name} ${where} order by ${list} limit ${mark(after?.length ?? 0)}`
      const rows = await rowsOf(source.read, text, [...(after ?? []), limit])
      const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
      // Blobs of a table may be large: the next page is as large as this one suggests, and grows slowly.
      const perRow = Math.max(1, bytes / Math.max(1, rows.length))
      limit = Math.max(1, Math.min(limit * 4, PAGE_ROWS, Math.floor(PAGE_BYTES / perRow)))
      return rows
    },
  }
}

function bytesOf(row: MovedRow): number {
  let bytes = 0
  for (const value of Object.values(row)) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return bytes
}

/** Reads the rows of these keys that exist, in any order. */
export async function rowsByKeys(store: Store, db: Db, table: MovedTable, keys: readonly Key[]): Promise<MovedRow[]> {
  if (keys.length === 0) return []
  return rowsOf(db, `select ${table.columns.map(column => `t.${column}`).join(', ')} from ${joined(store, table)}`, [JSON.stringify(keys)])
}

/** Deletes the rows of these keys. */
export async function deleteByKeys(store: Store, db: Db, table: MovedTable, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  const given = table.key.map((column, i) => keyPart(store, table, column, i))
  const list = isPostgres(store) ? 'jsonb_array_elements($1::jsonb) as k(value)' : 'json_each(?) as k'
  const text = `delete from ${table.name} where (${table.key.join(', ')}) in (select ${given.join(', ')} from ${list})`
  await db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(keys)]))
}

/** The table `t` joined to keys that are given as JSON. SQLite keeps this order with a cross join. */
function joined(store: Store, table: MovedTable): string {
  const same = table.key.map((column, i) => `t.${column} = ${keyPart(store, table, column, i)}`).join(' and ')
  const list = isPostgres(store) ? 'jsonb_array_elements($1::jsonb) as k(value)' : 'json_each(?) as k'
  return `${list} cross join ${table.name} t where ${same}`
}

function keyPart(store: Store, table: MovedTable, column: string, place: number): string {
  if (!isPostgres(store)) return `json_extract(k.value, '$[${place}]')`
  return `(k.value->>${place})::${sqlTypeOf(table, column)}`
}

function sqlTypeOf({ columns, types }: MovedTable, column: string): string {
  const type = types[columns.indexOf(column)]
  return type === undefined || type === 'serial' ? 'integer' : postgres.types[type]
}

/** Inserts rows that the table does not have. */
export async function insertRows(store: Store, db: Db, table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
  if (rows.length === 0) return
  const names = table.columns.join(', ')
  if (isPostgres(store)) {
    const lists = table.columns.map(column => rows.map(row => row[column] ?? null))
    const given = table.columns.map((column, i) => `$${i + 1}::${sqlTypeOf(table, column)}[]`)
    await db.executeQuery(CompiledQuery.raw(`insert into ${table.name} (${names}) select * from unnest(${given.join(', ')})`, lists))
    return
  }
  const atOnce = Math.max(1, Math.min(64, Math.floor(MAX_PARAMETERS / table.columns.length)))
  const one = `(${table.columns.map(() => '?').join(', ')})`
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce)
    // A row whose unique value another row has taken meanwhile was changed, and so is copied again: docs/operations.md.
    const text = `insert or replace into ${table.name} (${names}) values ${some.map(() => one).join(', ')}`
    const cells = some.flatMap(row => table.columns.map(column => row[column] ?? null))
    await db.executeQuery(CompiledQuery.raw(text, cells))
  }
}

/** Whether two rows have the same values. */
export function isSame({ columns }: MovedTable, a: MovedRow, b: MovedRow): boolean {
  return columns.every(column => {
    const [left = null, right = null] = [a[column], b[column]]
    if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0
    return left === right
  })
}

export async function countOf({ read }: Store, { name }: MovedTable): Promise<number> {
  const [row] = await rowsOf(read, `select count(*) as count from ${name}`, [])
  return Number(row?.count ?? 0)
}

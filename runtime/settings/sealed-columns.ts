/**
 * The columns with sealed secrets, which areas declare: counts their values by key, and seals them again with the newest key.
 */
import { sql } from 'kysely'
import type { Db, Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables/index.ts'
import type { SecretBox } from './secret-box.ts'

export interface SealedColumn {
  readonly table: keyof Tables & string
  readonly column: string
  /** Columns that identify a row; default: `id`. */
  readonly key?: readonly string[]
  /** The context that a value is bound to (`seal`), from the row's key. Defaults to the values of the key, joined by spaces. */
  readonly about?: (key: readonly string[]) => string
}

/** The part of the table that says which columns are sealed. */
export interface SealingTable {
  readonly areas: readonly { readonly name: string; readonly sealed?: readonly SealedColumn[] }[]
}

/** A sealed column and the heading of its area. */
export interface OwnedColumn extends SealedColumn {
  readonly area: string
}

/** Columns that the runtime itself seals: answers kept for repeated requests, and forms that wait for a sign-in. */
const ofRuntime: readonly OwnedColumn[] = [
  { area: 'Idempotency', table: 'idempotency_keys', column: 'answer', key: ['token_id', 'operation', 'key'] },
  { area: 'Forms', table: 'kept_forms', column: 'sealed', key: ['id', 'account_id'] },
]

export const sealedColumns = ({ areas }: SealingTable): readonly OwnedColumn[] => [
  ...areas.flatMap(({ name, sealed = [] }) => sealed.map(column => ({ ...column, area: name }))),
  ...ofRuntime,
]

/** A sealed text is the id of its key, a dot, and the rest; the column may hold JSON or an empty text instead. */
function isSealed(column: string) {
  const text = sql.ref(column)
  return sql<boolean>`substr(${text}, 9, 1) = '.' and substr(${text}, 1, 1) not in ('[', '{')`
}

/** The number of values of a column that each key sealed, by the id of the key. */
export async function countByKey(db: Db, { table, column }: SealedColumn): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select substr(${sql.ref(column)}, 1, 8) as id, count(*) as count from ${sql.table(table)} where ${isSealed(column)} group by 1
  `.execute(db)
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

interface Value {
  readonly key: readonly string[]
  readonly sealed: string
}

const keyColumns = ({ key = ['id'] }: SealedColumn): readonly string[] => key

interface ValuesUnder {
  readonly column: SealedColumn
  readonly ids: readonly string[]
  readonly after?: readonly string[] | undefined
  readonly limit: number
}

/** Values that these keys sealed, in the order of their rows' keys. @param after the key of the last row before them */
export async function valuesUnder(db: Db, { column, ids, after, limit }: ValuesUnder): Promise<Value[]> {
  const names = keyColumns(column)
  const key = sql.join(names.map(name => sql.ref(name)))
  const further = after ? sql`and (${key}) > (${sql.join(after)})` : sql``
  const { rows } = await sql<Record<string, string>>`
    select ${key}, ${sql.ref(column.column)} as sealed_value from ${sql.table(column.table)}
    where ${isSealed(column.column)} and substr(${sql.ref(column.column)}, 1, 8) in (${sql.join(ids)}) ${further}
    order by ${key} limit ${limit}
  `.execute(db)
  return rows.map(row => ({ key: names.map(name => row[name] ?? ''), sealed: row.sealed_value ?? '' }))
}

/** Replaces a value unless it was changed meanwhile. @returns whether it was written */
async function replace(
  db: Db,
  { column, value: { key, sealed }, by }: { column: SealedColumn; value: Value; by: string },
): Promise<boolean> {
  const isRow = sql.join(
    keyColumns(column).map((name, i) => sql`${sql.ref(name)} = ${key[i]}`),
    sql` and `,
  )
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${by}
    where ${isRow} and ${sql.ref(column.column)} = ${sealed}
  `.execute(db)
  return numAffectedRows > 0n
}

/** Most values sealed again in one transaction: few enough that other writers do not wait long. */
const chunk = 50

/**
 * Seals the values of a column again that older keys sealed, in short transactions. A value that cannot be opened is left as it is.
 * @param ids of the older keys
 * @param step called between transactions with the number of the last one; false ends it
 * @returns the number of values sealed again
 */
export async function sealAgain(
  store: Store,
  box: SecretBox,
  { column, ids, step }: { column: SealedColumn; ids: readonly string[]; step(count: number): Promise<boolean> },
): Promise<number> {
  const about = column.about ?? ((key: readonly string[]) => key.join(' '))
  const sealAll = async (db: Db, values: readonly Value[]) => {
    let written = 0
    for (const value of values) {
      const text = await box.unseal(db, value.sealed, about(value.key))
      if (text !== null && (await replace(db, { column, value, by: await box.seal(db, text, about(value.key)) }))) written++
    }
    return written
  }
  let count = 0
  for (let after: readonly string[] | undefined; ; ) {
    const values = await valuesUnder(store.read, { column, ids, after, limit: chunk })
    const written = values.length === 0 ? 0 : await store.transaction(trx => sealAll(trx, values))
    count += written
    after = values.at(-1)?.key
    if (values.length < chunk || !(await step(written))) return count
  }
}

/** Empties the values that these keys sealed, which cannot be opened and have to be set again. @returns the number of values */
export async function emptyValues(db: Db, { table, column }: SealedColumn, ids: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ''
    where ${isSealed(column)} and substr(${sql.ref(column)}, 1, 8) in (${sql.join(ids)})
  `.execute(db)
  return Number(numAffectedRows)
}

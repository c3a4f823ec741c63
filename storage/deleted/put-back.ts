/** Puts a deleted record back, with the rows that were deleted along with it. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../store.ts'
import type { DeletedRecordRow } from '../tables/index.ts'
import { isTable, referencesOf, tableOf, type TableName } from './graph.ts'
import { chunksOf } from '../values/chunks.ts'

type AnyRow = Readonly<Record<string, unknown>>
/** Numbers that the database has replaced, by table: the old one and the new one. */
type Renumbered = Map<string, readonly [old: unknown, given: unknown]>

/** SQLite takes 32,766 values in one statement. */
const MAX_VALUES = 10_000

/**
 * @param db a transaction
 * @param record locked: the caller has deleted it from `deleted_records`, or holds a lock on it
 * @param row the row to store instead of the kept one
 * @returns the stored row
 * @throws the error of the database if another row has a value that must be unique
 */
export async function putBack(db: Db, record: DeletedRecordRow, row: AnyRow): Promise<AnyRow> {
  if (!isTable(record.of)) throw new Error(`there is no table ${record.of}`)
  const kept = await db.selectFrom('deleted_rows').selectAll().where('record_id', '=', record.id).orderBy('place').execute()
  await db.deleteFrom('deleted_records').where('id', '=', record.id).execute()
  const stored = await insertOne(db, record.of, row)
  const renumbered: Renumbered = new Map()
  for (const [column, { type }] of Object.entries(tableOf(record.of).columns))
    if (type === 'serial') renumbered.set(record.of, [row[column], stored[column]])

  for (const { of, cleared, rows } of kept) {
    if (!isTable(of)) continue // a later version has no such table
    const some = JSON.parse(rows) as AnyRow[] // written by keepDeleted
    if (cleared === null) await insertRows(db, of, await fitting(db, of, some, { record, renumbered }))
    else await referAgain(db, of, some, cleared)
  }
  return stored
}

async function insertOne(db: Db, table: TableName, row: AnyRow): Promise<AnyRow> {
  const names = columnsIn(table, [row])
  const values = sql.join(names.map(name => row[name]))
  const { rows } = await sql<AnyRow>`
    insert into ${sql.table(table)} (${sql.join(names.map(name => sql.ref(name)))}) values (${values}) returning *`.execute(db)
  const [stored] = rows
  if (!stored) throw new Error('an insert without a conflict stored no row')
  return stored
}

/** The columns that the table still has, without those that the database fills. */
const columnsIn = (table: TableName, [row = {}]: readonly AnyRow[]): string[] =>
  Object.entries(tableOf(table).columns).flatMap(([name, { type }]) => (type !== 'serial' && Object.hasOwn(row, name) ? [name] : []))

/** Rows that were stored in the meantime stay. */
async function insertRows(db: Db, table: TableName, rows: readonly AnyRow[]): Promise<void> {
  const names = columnsIn(table, rows)
  for (const some of chunksOf(rows, Math.floor(MAX_VALUES / Math.max(1, names.length)))) {
    const values = some.map(row => sql`(${sql.join(names.map(name => row[name]))})`)
    await sql`
      insert into ${sql.table(table)} (${sql.join(names.map(name => sql.ref(name)))}) values ${sql.join(values)}
      on conflict do nothing`.execute(db)
  }
}

interface Fitting {
  readonly record: DeletedRecordRow
  readonly renumbered: Renumbered
}

/** The rows whose other parents still exist, in the same workspace: a notification channel may have been deleted. */
async function fitting(db: Db, table: TableName, given: readonly AnyRow[], { record, renumbered }: Fitting): Promise<AnyRow[]> {
  let rows = given.map(row => ('workspace_id' in row ? { ...row, workspace_id: record.workspace_id } : row))
  for (const { column, table: parent, to, isNullable } of referencesOf(table)) {
    const [old, number] = renumbered.get(parent) ?? []
    if (number !== undefined) rows = rows.map(row => (row[column] === old ? { ...row, [column]: number } : row))
    const there = await parentsThere(
      db,
      { parent, to, workspaceId: record.workspace_id },
      rows.map(row => row[column]),
    )
    rows = isNullable
      ? rows.map(row => (row[column] === null || there.has(row[column]) ? row : { ...row, [column]: null }))
      : rows.filter(row => there.has(row[column]))
  }
  return rows
}

interface Parents {
  readonly parent: TableName
  readonly to: string
  readonly workspaceId: string
}

async function parentsThere(db: Db, { parent, to, workspaceId }: Parents, keys: readonly unknown[]): Promise<ReadonlySet<unknown>> {
  const wanted = [...new Set(keys)].filter(key => key !== null)
  if (wanted.length === 0) return new Set()
  const { rows } = await sql<{ key: unknown }>`
    select ${sql.ref(to)} as key from ${sql.table(parent)}
    where ${sql.ref(to)} in (${sql.join(wanted)}) and ${isOf(parent, workspaceId) ?? sql`1 = 1`}`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/**
 * The condition that a row belongs to the workspace: by its own column, or by the row that it refers to, as an incident of a status page
 * does. Undefined for a table whose rows belong to no workspace.
 */
function isOf(table: TableName, workspaceId: string): RawBuilder<unknown> | undefined {
  if ('workspace_id' in tableOf(table).columns) return sql`workspace_id = ${workspaceId}`
  for (const { column, table: parent, to, isNullable } of referencesOf(table)) {
    const own = isNullable ? undefined : isOf(parent, workspaceId)
    if (own) return sql`${sql.ref(column)} in (select ${sql.ref(to)} from ${sql.table(parent)} where ${own})`
  }
  return undefined
}

/** Rows that were kept without their reference get it back, unless they refer to something else by now. */
async function referAgain(db: Db, table: TableName, rows: readonly AnyRow[], column: string): Promise<void> {
  for (const row of rows) {
    const own = sql.join(
      tableOf(table).key.map(name => sql`${sql.ref(name)} = ${row[name]}`),
      sql` and `,
    )
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${row[column]} where ${own} and ${sql.ref(column)} is null`.execute(db)
  }
}

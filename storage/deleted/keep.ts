/**
 * Deletes a record, and keeps it for some time with the rows that are deleted along with it. All other queries find it
 * nowhere, because its own tables have it no more (docs/decisions.md §10).
 */
import { sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Db } from '../store.ts'
import { chunksOf } from '../values/chunks.ts'
import { referrersOf, type TableName } from './graph.ts'

type AnyRow = Readonly<Record<string, unknown>>

export interface Deleting {
  readonly table: TableName
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  readonly siteId: string | null
  readonly now: number
  readonly by: string
  /** Tables whose rows are not kept: credentials that have ended. */
  readonly without?: readonly TableName[]
}

/** Rows that are kept in one row: about 100 kB of JSON. */
const TOGETHER = 500

/**
 * @param db a transaction
 * @returns the row; undefined if it was deleted in the meantime
 */
export async function keepDeleted(db: Db, dialect: Dialect, deleting: Deleting): Promise<AnyRow | undefined> {
  const { table, id, without = [] } = deleting
  // Nothing can refer to the row any more until the transaction ends.
  const { rows } = await sql<AnyRow>`select * from ${sql.table(table)} where id = ${id} ${sql.raw(dialect.rowLock.exclusive)}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const along = await rowsAlong(db, table, [row], new Set([table, ...without]))
  await sql`delete from ${sql.table(table)} where id = ${id}`.execute(db)
  await db
    .insertInto('deleted_records')
    .values({
      id,
      of: table,
      workspace_id: deleting.workspaceId,
      site_id: deleting.siteId,
      name: deleting.name,
      row: JSON.stringify(row),
      deleted_at: deleting.now,
      deleted_by: deleting.by,
    })
    .execute()
  const chunks = along.flatMap(({ rows, ...of }) => chunksOf(rows, TOGETHER).map(some => ({ ...of, rows: JSON.stringify(some) })))
  for (const [place, chunk] of chunks.entries())
    await db
      .insertInto('deleted_rows')
      .values({ record_id: id, place, ...chunk })
      .execute()
  return row
}

interface Along {
  readonly of: TableName
  readonly cleared: string | null
  readonly rows: readonly AnyRow[]
}

async function rowsAlong(db: Db, table: TableName, parents: readonly AnyRow[], but: ReadonlySet<TableName>): Promise<Along[]> {
  const all: Along[] = []
  for (const { table: of, column, to, onDelete } of referrersOf(table)) {
    if (but.has(of)) continue
    const found: AnyRow[] = []
    for (const some of chunksOf(parents, TOGETHER)) {
      const keys = sql.join(some.map(row => row[to]))
      found.push(...(await sql<AnyRow>`select * from ${sql.table(of)} where ${sql.ref(column)} in (${keys})`.execute(db)).rows)
    }
    if (found.length === 0) continue
    all.push({ of, cleared: onDelete === 'set null' ? column : null, rows: found })
    if (onDelete === 'cascade') all.push(...(await rowsAlong(db, of, found, new Set([...but, of]))))
  }
  return all
}

/** Stores the rows of a workspace's file. Sites stay hidden until everything is there: a site without a domain counts no hits and has no pages. */
import { sql } from 'kysely'
import type { DayRows } from '../cluster/day-rows.ts'
import { rowReturner, rowWriter } from '../moved-days/moving.ts'
import type { Store, Trx } from '../store.ts'
import type { Db } from '../tables/db.ts'
import { type SiteRow, type TableName, tables } from '../tables/index.ts'
import type { Table } from '../schema/table.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import type { CarriedRow, StoredDay } from './read-rows.ts'

const declared: Readonly<Record<string, Table>> = tables
/** Parameters of a statement. */
const MAX_PARAMETERS = 5_000

/** Columns that a row lacks get what their declaration says. */
export async function insertCarried(trx: Trx, table: TableName, rows: readonly CarriedRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const atOnce = Math.max(1, Math.floor(MAX_PARAMETERS / Math.max(1, columns.length)))
  const names = sql.join(columns.map(name => sql.ref(name)))
  for (let from = 0; from < rows.length; from += atOnce) {
    const values = rows.slice(from, from + atOnce).map(row => sql`(${sql.join(columns.map(name => row[name] ?? null))})`)
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(trx)
    await yieldWhereDue() // SQLite answers synchronously
  }
}

/** Changes the one row that a new site has in a table already. */
export async function replaceCarried(trx: Trx, table: TableName, { site_id: site, ...row }: CarriedRow): Promise<void> {
  const set = sql.join(Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
  await sql`update ${sql.table(table)} set ${set} where site_id = ${site}`.execute(trx)
}

/** The ids of some that rows of a table have. */
export async function takenIds(db: Db, table: TableName, ids: readonly string[]): Promise<string[]> {
  const taken: string[] = []
  for (let from = 0; from < ids.length; from += 500) {
    const some = ids.slice(from, from + 500)
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} where id in (${sql.join(some)})`.execute(db)
    taken.push(...rows.map(({ id }) => id))
    await yieldWhereDue()
  }
  return taken
}

/** The value of a column in a row that does not name it; undefined if every row has to. */
export function missingValue(table: TableName, name: string): string | number | null | undefined {
  const column = declared[table]?.columns[name]
  return column?.default ?? (column?.nullable === true ? null : undefined)
}

/** @returns the numbers of the sites by their ids */
export async function addHiddenSites(trx: Trx, rows: readonly CarriedRow[]): Promise<ReadonlyMap<string, number>> {
  const ids = rows.map(({ id }) => String(id))
  const numbers = async () => {
    const found = ids.length === 0 ? [] : await trx.selectFrom('sites').select(['id', 'number']).where('id', 'in', ids).execute()
    return new Map(found.map(({ id, number }) => [id, number]))
  }
  const there = await numbers()
  await insertCarried(
    trx,
    'sites',
    rows.filter(({ id }) => !there.has(String(id))),
  )
  return numbers()
}

/** Has the background task remove the sites of an import that failed or was cancelled, with their rows. */
export async function discardHiddenSites(
  trx: Trx | Db,
  { workspaceId, ids, now }: { workspaceId: string; ids: readonly string[]; now: number },
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('sites')
    .set({ deleted_at: now })
    .where('id', 'in', [...ids])
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'site')
    .where('domain', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
}

/** No row of a table of a day. */
export const noRows = (names: readonly string[]): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(names.map(name => [name, []]))

/** Rows of a day. */
export interface DayPart {
  readonly site: number
  readonly day: number
  /** With the first rows of the day. */
  readonly begins: StoredDay | undefined
  readonly rows: DayRows
}

/** Writes days of hidden sites. The background may have sealed, packed or moved a day that is not complete yet. */
export function dayWriter(store: Store) {
  const write = rowWriter(store)
  const bringBack = rowReturner(store)
  return {
    async put(trx: Trx, { site, day, begins, rows }: DayPart): Promise<void> {
      await store.dialect.lockSites(trx, [site])
      if (begins) {
        await trx
          .insertInto('site_days')
          .values({ ...begins, site_id: site, rev: 1, sealed_rev: 0, sealing_until: 0, moved: 0 })
          .execute()
        await write(trx, { site, day, rev: 1 }, rows)
        return
      }
      await bringBack(trx, { site, day })
      const { rev } = await trx
        .updateTable('site_days')
        .set(({ eb }) => ({ rev: eb('rev', '+', 1) }))
        .where('site_id', '=', site)
        .where('day', '=', day)
        .returning('rev')
        .executeTakeFirstOrThrow()
      await write(trx, { site, day, rev }, rows)
    },
  }
}

type Shown = Pick<SiteRow, 'domain' | 'umami_id' | 'aliases' | 'identity_key'>

/** Gives a hidden site what it is known by. */
export const showSite = (trx: Trx, id: string, names: Shown): Promise<SiteRow> =>
  trx
    .updateTable('sites')
    .set(names)
    .where('id', '=', id)
    .where('domain', 'is', null)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Creates tables from columns declared by purpose; the dialect supplies the SQL types. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

type Type = keyof Dialect['types']
/** A column: its type, with `?` if it may be null, and any further SQL (`unique`, `references …`). */
export type Column = Type | `${Type}?` | readonly [Type | `${Type}?`, string]

export async function createTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  columns: Readonly<Record<string, Column>>,
  { key, kind = 'rowid' }: { key: string; kind?: keyof Dialect['tableEnd'] },
): Promise<void> {
  const lines = Object.entries(columns).map(([column, declared]) => {
    const [type, rest] = typeof declared === 'string' ? [declared, ''] : declared
    const nullable = type.endsWith('?')
    return `${column} ${dialect.types[(nullable ? type.slice(0, -1) : type) as Type]}${nullable ? '' : ' not null'} ${rest}`
  })
  await sql.raw(`create table ${name} (${lines.join(', ')}, primary key (${key})) ${dialect.tableEnd[kind]}`).execute(db)
}

/** Adds a dimension to visits; existing visits have no value. Days sealed without it are due for sealing again. */
export async function addVisitDimension(db: Kysely<unknown>, dialect: Dialect, name: string): Promise<void> {
  await sql.raw(`alter table visits add column ${name} ${dialect.types.int} not null default 0`).execute(db)
  await sealAgain(db)
}

/** Makes all sealed days due for sealing again; until then reports read their rows. */
export async function sealAgain(db: Kysely<unknown>): Promise<void> {
  await sql`update site_days set sealed_rev = -1 where exists (
    select 1 from segments where segments.site_id = site_days.site_id and segments.day = site_days.day)`.execute(db)
}

export async function createIndex(db: Kysely<unknown>, table: string, columns: string): Promise<void> {
  await sql.raw(`create index ${table}_${columns.replace(/\W+/g, '_')} on ${table} (${columns})`).execute(db)
}

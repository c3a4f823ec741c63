/** Tables are written down as columns by meaning; the dialect turns the meanings into its types. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

type Type = keyof Dialect['types']
/** A column: its type, with `?` where null is allowed, and what SQL follows (`unique`, `references …`). */
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

export async function createIndex(db: Kysely<unknown>, table: string, columns: string): Promise<void> {
  await sql.raw(`create index ${table}_${columns.replace(/\W+/g, '_')} on ${table} (${columns})`).execute(db)
}

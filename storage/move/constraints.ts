/**
 * Foreign keys and unique values of a target on Postgres. They are dropped while rows come, because rows are copied at
 * different times: a row may come before its parent, or before another one gives its unique value up. They are made again at
 * the end, which also checks all rows. SQLite has no such statements: there, foreign keys are switched off for the connection.
 */
import { sql } from 'kysely'
import type { Store, Trx } from '../store.ts'

export interface Constraint {
  readonly name: string
  readonly table: string
  readonly kind: 'foreign' | 'unique'
  /** Makes it again. */
  readonly made: string
}

/** Returns all constraints that rows may break meanwhile; the primary keys stay. */
export async function constraintsOf(target: Store): Promise<Constraint[]> {
  if (target.dialect.name !== 'postgres') return []
  const { rows } = await sql<Constraint>`
    select conname as name, conrelid::regclass::text as table, case contype when 'f' then 'foreign' else 'unique' end as kind,
      concat('alter table ', conrelid::regclass, ' add constraint ', quote_ident(conname), ' ', pg_get_constraintdef(oid)) as made
    from pg_constraint where contype in ('f', 'u') and connamespace = current_schema()::regnamespace
    union all
    select indexrelid::regclass::text, indrelid::regclass::text, 'unique', pg_get_indexdef(indexrelid)
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indisunique and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))`.execute(target.write)
  return rows
}

export async function dropConstraints(trx: Trx, constraints: readonly Constraint[]): Promise<void> {
  const foreign = constraints.filter(({ kind }) => kind === 'foreign')
  for (const { table, name } of foreign) await sql.raw(`alter table ${table} drop constraint if exists "${name}"`).execute(trx)
  for (const { table, name, made } of constraints.filter(({ kind }) => kind === 'unique'))
    await sql
      .raw(made.startsWith('alter') ? `alter table ${table} drop constraint if exists "${name}"` : `drop index if exists ${name}`)
      .execute(trx)
}

/** Makes those that are missing. @throws the database's error if rows break one */
export async function restoreConstraints(target: Store, constraints: readonly Constraint[], kind: Constraint['kind']): Promise<void> {
  const there = new Set((await constraintsOf(target)).map(({ table, name }) => `${table} ${name}`))
  for (const { table, name, made } of constraints.filter(each => each.kind === kind))
    if (!there.has(`${table} ${name}`)) await sql.raw(made).execute(target.write)
}

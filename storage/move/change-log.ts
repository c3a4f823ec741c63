/**
 * The changes of the source during a move. Triggers record the key of every row that is inserted, changed or deleted, by any
 * process of any version. They also refuse changes while the source is paused, and after it was moved.
 */
import { randomUUID } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { MOVED_CODE, MOVED_MESSAGE } from '../dialects/moved.ts'
import { tableNames } from '../sql/table-names.ts'
import type { Store, Trx } from '../store.ts'
import { CHANGES, clockOf, refusing, SOURCE, sourceMark, type SourceState } from '../installation/move-marks.ts'
import { pausedTables } from './moved-tables.ts'

/** How long the making of a trigger may wait for other processes, which then wait for it. */
const LOCK_TIMEOUT = '3s'
const MAX_TRIES = 20

export interface Change {
  readonly id: number
  readonly name: string
  readonly key: readonly (string | number)[]
}

/** Begins to record changes, unless it has begun. @returns the id of the move */
export async function beginLog(source: Store, place: string): Promise<{ readonly id: string; readonly state: SourceState }> {
  const { write, dialect } = source
  const known = await sourceMark(write, await tableNames(write, dialect))
  const id = known?.id ?? randomUUID()
  if (!known) {
    const number = dialect.name === 'postgres' ? 'bigint generated always as identity primary key' : 'integer primary key'
    await source.transaction(async trx => {
      await sql.raw(`create table if not exists ${CHANGES} (id ${number}, name text not null, key text not null)`).execute(trx)
      await sql
        .raw(`create table ${SOURCE} (id text not null, state text not null, place text not null, paused_until bigint not null)`)
        .execute(trx)
      await sql`insert into move_source (id, state, place, paused_until) values (${id}, 'copying', ${place}, 0)`.execute(trx)
    })
  } else if (known.state !== 'moved') {
    await sql`update move_source set place = ${place}`.execute(write)
  }
  // Each table in a transaction of its own: no lock is held for long.
  for (const table of pausedTables) await inSpiteOfLocks(source, trx => recordChangesOf(source, trx, table))
  return { id, state: known?.state ?? 'copying' }
}

/** Stops recording, and lets the source be changed again. */
export async function cancelLog(source: Store): Promise<boolean> {
  const names = await tableNames(source.write, source.dialect)
  if (!names.has(SOURCE) && !names.has(CHANGES)) return false
  for (const table of pausedTables) await inSpiteOfLocks(source, trx => forgetChangesOf(source, trx, table))
  await source.transaction(async trx => {
    for (const name of [CHANGES, SOURCE]) await sql.raw(`drop table if exists ${name}`).execute(trx)
  })
  return true
}

async function inSpiteOfLocks({ transaction, dialect }: Store, run: (trx: Trx) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction(async trx => {
        if (dialect.name === 'postgres') await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(trx)
        await run(trx)
      })
    } catch (error) {
      const isLocked = error instanceof Error && 'reason' in error && error.reason === 'locked'
      if (!isLocked || tries === MAX_TRIES) throw error
    }
  }
}

const events = ['insert', 'update', 'delete'] as const

async function recordChangesOf({ dialect }: Store, trx: Trx, { name, key }: (typeof pausedTables)[number]): Promise<void> {
  if (dialect.name === 'postgres') {
    const noted = (row: string) =>
      `insert into ${CHANGES} (name, key) values ('${name}', jsonb_build_array(${key.map(column => `${row}.${column}`).join()})::text);`
    const hasNewKey = key.map(column => `old.${column} is distinct from new.${column}`).join(' or ')
    // The change is noted before the state is read: while a pause begins, the note waits for it (`pause`).
    await sql
      .raw(`create or replace function move_changes_of_${name}() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' then ${noted('old')} end if;
          if tg_op = 'INSERT' then ${noted('new')} end if;
          if tg_op = 'UPDATE' then if ${hasNewKey} then ${noted('new')} end if; end if;
          if exists (${refusing(dialect)}) then raise exception using errcode = '${MOVED_CODE}', message = '${MOVED_MESSAGE}'; end if;
          return null;
        end $$`)
      .execute(trx)
    const { rows } = await sql`select 1 from pg_trigger where tgname = ${`move_${name}`} and tgrelid = to_regclass(${name})`.execute(trx)
    if (rows.length > 0) return
    const made = `create trigger move_${name} after insert or update or delete on ${name} for each row`
    await sql.raw(`${made} execute function move_changes_of_${name}()`).execute(trx)
    return
  }
  for (const event of events) {
    const noted = (row: string, where = '') =>
      `insert into ${CHANGES} (name, key) select '${name}', json_array(${key.map(column => `${row}.${column}`).join()})${where};`
    const hasNewKey = ` where ${key.map(column => `old.${column} is not new.${column}`).join(' or ')}`
    const body = {
      insert: noted('new'),
      update: `${noted('old')} ${noted('new', hasNewKey)}`,
      delete: noted('old'),
    }[event]
    const made = `create trigger if not exists move_${name}_${event} after ${event} on ${name} begin`
    await sql.raw(`${made} select raise(abort, '${MOVED_MESSAGE}') where exists (${refusing(dialect)}); ${body} end`).execute(trx)
  }
}

async function forgetChangesOf({ dialect }: Store, trx: Trx, { name }: (typeof pausedTables)[number]): Promise<void> {
  if (dialect.name === 'postgres') {
    await sql.raw(`drop trigger if exists move_${name} on ${name}`).execute(trx)
    await sql.raw(`drop function if exists move_changes_of_${name}()`).execute(trx)
  } else for (const event of events) await sql.raw(`drop trigger if exists move_${name}_${event}`).execute(trx)
}

/** The oldest changes that are recorded. */
export async function changesOf({ read, dialect }: Store, limit: number): Promise<Change[]> {
  const { rows } = await read.executeQuery<{ id: number; name: string; key: string }>(
    CompiledQuery.raw(`select id, name, key from ${CHANGES} order by id limit ${dialect.name === 'postgres' ? '$1' : '?'}`, [limit]),
  )
  return rows.map(({ id, name, key }) => ({ id, name, key: JSON.parse(key) as (string | number)[] })) // as the triggers wrote it
}

/** Deletes changes that the target has. */
export async function forgetChanges({ write, dialect }: Store, changes: readonly Change[]): Promise<void> {
  const ids = JSON.stringify(changes.map(({ id }) => id))
  const list =
    dialect.name === 'postgres'
      ? sql`select value::bigint from jsonb_array_elements_text(${ids}::jsonb)`
      : sql`select value from json_each(${ids})`
  await sql`delete from move_changes where id in (${list})`.execute(write)
}

/** Makes the source refuse changes for a number of seconds. Returns once every change that was under way is recorded. */
export async function pause(source: Store, seconds: number): Promise<void> {
  await source.transaction(async trx => {
    if (source.dialect.name === 'postgres') await sql`lock table move_changes in exclusive mode`.execute(trx)
    const until = sql.raw(`${clockOf(source.dialect)} + ${Math.ceil(seconds)}`)
    await sql`update move_source set state = 'paused', paused_until = ${until} where state <> 'moved'`.execute(trx)
  })
}

export async function resume({ write }: Store): Promise<void> {
  await sql`update move_source set state = 'copying' where state = 'paused'`.execute(write)
}

/** Extends the pause, or ends it as moved. @returns false if it has ended meanwhile, so that the source may have been changed */
export async function keepPaused(source: Store, next: { readonly seconds: number } | 'moved'): Promise<boolean> {
  const now = sql.raw(clockOf(source.dialect))
  const set = next === 'moved' ? sql`state = 'moved'` : sql`paused_until = ${now} + ${Math.ceil(next.seconds)}`
  const held = sql`state = 'moved' or (state = 'paused' and paused_until > ${now})`
  const { numAffectedRows } = await sql`update move_source set ${set} where ${held}`.execute(source.write)
  return numAffectedRows === 1n
}

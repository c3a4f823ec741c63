/**
 * Postgres: the table `changes` gets a row for each statement that changes a versioned table, so that one short query shows
 * whether anything has changed. Triggers write the row, so every change counts, also one by an older version of the service
 * during an update or by a person with `psql`.
 *
 * The table keeps the last hundred rows. The lowest number, the highest number and the count of the rows that a reader sees
 * differ together after every commit: numbers are never used again, and while the lowest one stays nothing was deleted, so
 * that every further row changes the count, in whatever order transactions commit.
 */
import { type Kysely, sql } from 'kysely'
import { versionedTables } from '../snapshots/versioned-tables.ts'
import type { Conversion } from './step.ts'

export const changeTriggers: Conversion = async (db, { name }) => {
  if (name !== 'postgres') return // SQLite counts changes itself (`pragma data_version`)
  await sql.raw('create table changes (id bigint generated always as identity primary key)').execute(db)
  await sql.raw(noteChange).execute(db)
  // A deleted event gives its name another number. New texts come with a change of their day, which has a version of its own.
  await trigger(db, { table: 'dict', event: 'update', rows: bothRows })
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class where relkind = 'r'`.execute(db)
  for (const { name: table } of rows) if (versionedTables.has(table)) await noteChangesOf(db, table)
}

/** Makes the triggers of one versioned table, for a step that adds it. */
export async function noteChangesOf(db: Kysely<unknown>, table: string): Promise<void> {
  await trigger(db, { table, event: 'insert', rows: 'referencing new table as rows_after' })
  await trigger(db, { table, event: 'update', rows: bothRows })
  await trigger(db, { table, event: 'delete', rows: 'referencing old table as rows_before' })
  await trigger(db, { table, event: 'truncate', rows: '' })
}

const bothRows = 'referencing old table as rows_before new table as rows_after'

/** The column that may change without a note: the last use of a token, written once a minute, changes nothing for its caller. */
const without = (table: string): string => (table === 'api_tokens' ? 'last_used_at' : '')

async function trigger(db: Kysely<unknown>, { table, event, rows }: { table: string; event: string; rows: string }): Promise<void> {
  const body = `for each statement execute function note_change('${without(table)}')`
  await sql.raw(`create trigger ${table}_note_${event} after ${event} on ${table} ${rows} ${body}`).execute(db)
}

/** Each hundredth row deletes the old ones, but skips those that another transaction is deleting, so that no transaction waits. */
const noteChange = `
  create function note_change() returns trigger language plpgsql as $$
  declare
    number bigint;
  begin
    if tg_op = 'INSERT' then
      if not exists (select from rows_after) then return null; end if;
    elsif tg_op = 'DELETE' then
      if not exists (select from rows_before) then return null; end if;
    elsif tg_op = 'UPDATE' then
      if not exists (
        select to_jsonb(rows_before) - tg_argv[0] from rows_before
        except all
        select to_jsonb(rows_after) - tg_argv[0] from rows_after
      ) then return null; end if;
    end if;
    insert into changes default values returning id into number;
    if number % 100 = 0 then
      delete from changes where id in (select id from changes where id < number - 100 for update skip locked);
    end if;
    return null;
  end $$`

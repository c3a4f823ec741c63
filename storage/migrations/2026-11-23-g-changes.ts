/**
 * Postgres: a row for each statement that changes what calls are answered from memory by (`storage/snapshots/versioned-tables.ts`), so
 * that one short question tells whether anything has changed. Triggers write it, whoever makes the change: an older
 * version of the service during an update, or a person with `psql`.
 *
 * Of the rows only the last hundred are kept. The least and the highest number and the count of rows that a reader sees
 * are together different after every commit: numbers are never used again, and while the least one stays nothing was
 * deleted, so that every further row changes the count, whatever the order in which transactions are committed.
 */
import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const changes: Migration = async (db, { name }) => {
  if (name !== 'postgres') return // SQLite tells by itself (`pragma data_version`)
  await sql.raw('create table changes (id bigint generated always as identity primary key)').execute(db)
  await sql.raw(noteChange).execute(db)
  // An event that is deleted gives its name another number; new texts come with a change of their day.
  await trigger(db, 'dict', 'update', bothRows)
  for (const table of tables) {
    await trigger(db, table, 'insert', 'referencing new table as rows_after')
    await trigger(db, table, 'update', bothRows)
    await trigger(db, table, 'delete', 'referencing old table as rows_before')
    await trigger(db, table, 'truncate', '')
  }
}

const bothRows = 'referencing old table as rows_before new table as rows_after'

const tables = [
  'accounts',
  'api_tokens',
  'event_settings',
  'goals',
  'members',
  'sessions',
  'sites',
  'sso_configurations',
  'sso_sessions',
  'workspace_settings',
  'workspaces',
]

/** That a token was used is written once a minute, and changes nothing for who calls with it. */
const without = (table: string): string => (table === 'api_tokens' ? 'last_used_at' : '')

const trigger = (db: Kysely<unknown>, table: string, event: string, rows: string) =>
  sql
    .raw(
      `create trigger ${table}_note_${event} after ${event} on ${table} ${rows}
       for each statement execute function note_change('${without(table)}')`,
    )
    .execute(db)

/** Each hundredth row takes the old ones along; what another transaction is deleting is skipped, so that none waits. */
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

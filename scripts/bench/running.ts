/** Starts a built script of ours as its own process, waits for its first line, and ends it. */
import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import manifest from '../../package.json' with { type: 'json' }
import { startPostgres } from '../../tests/support/postgres.ts'

export interface Running {
  readonly child: ChildProcess
  /** The first line it printed that `isFirst` accepted. */
  readonly line: string
  stop(): Promise<void>
}

/**
 * The options that `npm start` gives to Node: a large young generation, as hits in progress outlive a small one and are
 * copied; and two threads for V8, as four take the cores from hits while a report is computed.
 */
const flags = manifest.scripts.start.split(' ').filter(word => word.startsWith('--'))

interface Run {
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  readonly isFirst?: ((line: string) => boolean) | undefined
  readonly parameters?: readonly string[] | undefined
  /** The only core that it may use, by `taskset` (util-linux). */
  readonly core?: number | undefined
}

export async function run({ script, env, isFirst = () => true, parameters = [], core }: Run): Promise<Running> {
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)]
  const [command = '', ...words] = [...pinned, process.execPath, ...flags, script, ...parameters]
  const child = spawn(command, words, {
    env: { ...process.env, FILES_URL: `file:${path.join(os.tmpdir(), `footfall-bench-files-${process.pid}`)}`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', line => {
      if (isFirst(line)) found(line)
    })
    child.once('exit', code => failed(new Error(`${script} ended with ${code}`)))
  })
  return {
    child,
    line,
    stop: () =>
      new Promise(stopped => {
        child.once('exit', () => stopped())
        child.kill('SIGTERM')
      }),
  }
}

export interface BenchServer extends Running {
  readonly address: string
  readonly workspace_id: string
  readonly site_id: string
  readonly token: string
  /** Path of the link that signs in, once. */
  readonly sign_in: string
}
/** Limits nothing, and logs little. */
export const quiet = {
  PORT: '0',
  HOST: '127.0.0.1',
  RATE_TOKEN: '0',
  RATE_ANONYMOUS: '0',
  RATE_FAILURES: '0',
  RATE_FAILURES_ADDRESS: '0',
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'warn',
}

export async function benchServer(database: string, more: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const server = await run({
    script: 'dist/bench/server.js',
    env: { BASE_URL: 'http://bench.example.com', ...quiet, ...more, DATABASE_URL: database },
  })
  const { port, ...made } = JSON.parse(server.line) as Omit<BenchServer, 'address'> & { port: number } // printed by server.ts
  return { ...server, ...made, address: `http://127.0.0.1:${port}` }
}

/** A new database on each engine, or on the one that ENGINE names as for tests, dropped afterwards. */
export async function withDatabases(measure: (engine: string, url: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-bench-'))
  const { ENGINE: only } = process.env
  const postgres = only === 'sqlite' ? undefined : await startPostgres({ durable: true })
  try {
    if (only !== 'postgres') await measure('sqlite', `file:${path.join(folder, 'bench.db')}`)
    if (postgres) await measure('postgres', postgres.url)
  } finally {
    await postgres?.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Resident memory of a process in MB, by the operating system. */
export const residentMb = (pid: number | undefined): number => memoryMb(pid, 'VmRSS')

/** The most that a process had so far. */
export const mostResidentMb = (pid: number | undefined): number => memoryMb(pid, 'VmHWM')

function memoryMb(pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number {
  const [, kb = '0'] = new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

/**
 * CPU time of a process so far, ms; NaN without a process. By what its scheduler counts of each thread, to the nanosecond:
 * threads that have ended are missing. If the system has no such file, in ticks of 10 ms.
 */
export function cpuMs(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  const threads = `/proc/${pid}/task`
  if (fs.existsSync(`${threads}/${pid}/schedstat`)) {
    const times = fs.readdirSync(threads).map(id => Number(fs.readFileSync(`${threads}/${id}/schedstat`, 'utf8').split(' ')[0]))
    return times.reduce((sum, ns) => sum + ns, 0) / 1_000_000
  }
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

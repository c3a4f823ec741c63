/** The service as a process, as `npm start` runs it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import manifest from '../../package.json' with { type: 'json' }
import { filesBeside } from './files.ts'

/** The options of `npm start`: with others V8 refuses the code cache of the build. */
const flags = manifest.scripts.start.split(' ').filter(word => word.startsWith('--'))

export interface ServiceProcess {
  readonly address: string
  readonly child: ChildProcess
  /** Its output so far. */
  output(): string
  /** Stops it and returns its exit. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** @param checkout of another version, built */
export async function startProcess(
  database: string,
  env: Readonly<Record<string, string>> = {},
  checkout = process.cwd(),
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...flags, 'scripts/run.mjs', 'serve'], {
    cwd: checkout,
    env: {
      ...process.env,
      DATABASE_URL: database,
      FILES_URL: `file:${filesBeside(database)}`,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_TOKEN: '0',
      TRUSTED_PROXIES: '127.0.0.1',
      HITS_SPOOL: 'off',
      CARDINALITY_PATHS: '1000000', // loads send each hit to a page of its own
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  child.stderr.on('data', (chunk: Buffer) => {
    output += String(chunk)
  })
  const address = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', line => {
      output += `${line}\n`
      const [, at] = /^Footfall is at (\S+)/.exec(line) ?? []
      if (at) found(at)
    })
    void ended.then(({ code }) => failed(new Error(`the service ended with ${code}\n${output}`)))
  })
  return {
    address,
    child,
    output: () => output,
    end: signal => {
      child.kill(signal)
      return ended
    },
  }
}

/** Node's arguments for a program that a test starts: its built version, or the source. */
export function programOf(file: string): string[] {
  const built = process.env.TEST_BUILT
  // The flags of the code cache (scripts/build/tests.ts).
  return built ? ['--max-semi-space-size=32', file.replace(/^(?:tests\/)?(.*)\.ts$/, `${built}/$1.js`)] : ['--import', 'tsx', file]
}

/**
 * Ends a child that would otherwise run forever, where a test waits for its end and its watchdog cannot: the thread is blocked, or the child
 * works. Far more than any child needs on a busy machine.
 */
export const CHILD_TIMEOUT_MS = 900_000

/** The port that a program of another language names on its standard error: “at 8080” or “127.0.0.1:8080”. */
export function portOf({ stderr }: ChildProcess): Promise<number> {
  let said = ''
  return new Promise((found, failed) => {
    stderr?.on('data', (chunk: Buffer) => {
      said += String(chunk)
      const [, port] = /(?:at |127\.0\.0\.1:)(\d+)\D/.exec(said) ?? []
      if (port !== undefined) found(Number(port))
    })
    stderr?.on('end', () => failed(new Error(said)))
  })
}

/** Ends a process, unless it has ended, and waits for it. */
export async function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Worker processes of a test that work side by side, and may be stopped or killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { later, until } from '../runtime/tasks/tasks.ts'
import { isFull } from '../support/full.ts'
import { programOf } from '../support/process.ts'
import { openWork } from './work.ts'

/** On Postgres two share the work; SQLite has one process. */
export const sideBySide = (engine: { readonly name: string }): number => (engine.name === 'postgres' ? 2 : 1)

/** A task's names, and what worker.ts reads from its environment. */
export type Work = Readonly<Record<string, string>> & { readonly DATABASE_URL: string; readonly TASKS: string }

export interface Worker {
  readonly child: ChildProcess
  /** Resolves when the process has opened the database, or has ended. */
  readonly begun: Promise<unknown>
  /** Resolves when the process has ended: true if it had done all work, false if it was killed. */
  readonly ended: Promise<boolean>
  kill(): void
}

export function startWorker(env: Work): Worker {
  const child = spawn(process.execPath, programOf('tests/crash/worker.ts'), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL') // also ends one that is stopped
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk)
  })
  const ended = new Promise<boolean>(resolve => child.once('close', () => resolve(output.includes('ends'))))
  return { child, begun: Promise.race([new Promise(resolve => child.stdout.once('data', resolve)), ended]), ended, kill }
}

/**
 * Runs the work in `count` processes until all have ended. A start costs more than most work, so a normal run kills a process that works
 * by itself, and does what is never killed in the process of the test, `count` times side by side.
 * @param kill the statement before which the first kills itself, or a function that is called with the first once all have
 * begun, and waits for the moment of the kill
 */
export async function runWorkers(env: Work, count: number, kill?: number | ((one: ChildProcess) => Promise<unknown>)): Promise<void> {
  if (kill === undefined && !isFull) return workHere(env, count)
  const started = Array.from({ length: isFull ? count : 1 }, (_, i) =>
    startWorker(i === 0 && typeof kill === 'number' ? { ...env, KILL_AT: String(kill) } : env),
  )
  const [first] = started
  if (typeof kill === 'function' && first) {
    await Promise.all(started.map(({ begun }) => begun))
    await Promise.race([kill(first.child), first.ended])
    first.kill()
  }
  await Promise.all(started.map(({ ended }) => ended))
}

/** Does the work in this process, `count` times side by side, each with connections of its own. */
async function workHere(env: Work, count: number): Promise<void> {
  const works = await Promise.all(Array.from({ length: count }, () => openWork({ ...process.env, ...env })))
  await Promise.all(works.map(work => work.runAll()))
  for (const work of works) await work.close()
}

/** When the first process is stopped and woken, and when both are done. */
export interface Stopping {
  /** Whether the first process has come to the point at which it is stopped. */
  middle(): boolean | Promise<boolean>
  /** Called while the first process is stopped, after everything that it sent has arrived. */
  stopped?(): void | Promise<void>
  /** Whether the first process is woken. The second runs by then. */
  wakes(): boolean | Promise<boolean>
  /** Whether both are done. */
  isOver(): boolean | Promise<boolean>
}

const MINUTE = 60_000

/**
 * Runs the work in two processes whose clocks are minutes apart. The first is stopped in the middle (a paused machine, a
 * full swap), the second takes its work over, and the first goes on.
 */
export async function stopFirst(given: Work, { middle, stopped, wakes, isOver }: Stopping): Promise<void> {
  const work = { ...given, DATABASE_URL: impatient(given.DATABASE_URL) }
  const first = startWorker({ ...work, SKEW: String(5 * MINUTE) })
  await until(middle)
  first.child.kill('SIGSTOP')
  await later(200)
  await stopped?.()
  const second = startWorker({ ...work, SKEW: String(-5 * MINUTE) })
  await until(wakes)
  first.child.kill('SIGCONT')
  await until(isOver)
  await later(1_000) // whatever the first one still does
  for (const worker of [first, second]) worker.kill()
  await Promise.all([first.ended, second.ended])
}

/** Postgres ends transactions of a stopped process after a second, not after minutes. */
export function impatient(database: string): string {
  const url = new URL(database)
  url.searchParams.set('idle_in_transaction_session_timeout', '1000')
  return url.href
}

/**
 * Runs the table of tasks. Any number of workers can share a database: a claimed task belongs to its worker until the
 * lease ends, which a living worker renews. A `shared` task runs on every worker and claims individual rows instead.
 */
import type { Task } from '../table/task.ts'
import type { TaskRow } from '../../storage/tables/index.ts'
import { bringForward, claimable, claimTask, noteRuns, registerTasks } from './task-rows.ts'
import { runTask } from './task-run.ts'
import type { TaskServices } from './task-services.ts'

/** How often expired leases are checked for, in ms. After a worker dies, its tasks wait at most this long. */
const leaseCheckIntervalMs = 2_000
/** Minimum time between two state writes of a shared task, in ms; failures are written at once. */
const stateWriteIntervalMs = 60_000
/** How long the state of a shared task waits for others, in ms: at a start, all tasks end at about the same time. */
const stateDelayMs = 500

export interface Scheduler {
  /** Starts running due tasks, by the clock. */
  start(): void
  /**
   * Runs all due tasks, then the tasks that those made due, until none is left. Used by tests instead of `start`.
   * @param only names of tasks; default all
   * @returns the names of the runs, in the order they began
   */
  runDue(only?: readonly string[]): Promise<string[]>
  /** Runs a task as soon as possible, regardless of its due time. */
  wake(name: string): void
  /**
   * Starts no more tasks and waits up to `patience` ms for running ones. Other workers take over the remaining tasks once
   * their leases expire.
   */
  stop(patience?: number): Promise<void>
}

export function createScheduler(app: TaskServices, tasks: readonly Task[] = app.table.tasks): Scheduler {
  const { store, log, outages } = app
  const worker = `${process.pid}-${app.random(6).toString('hex')}`
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const exclusiveTasks = new Map(tasks.filter(task => !task.shared).map(task => [task.name, task]))
  /** Shared tasks, with their due times on this worker. */
  const shared = new Map(
    tasks.filter(task => task.shared).map(task => [task.name, { task, dueAt: app.now(), stateWrittenAt: -Infinity, failed: false }]),
  )
  let leaseCheckAt = -Infinity
  let registered = false
  let dueTimeWrites: Promise<unknown> = Promise.resolve()
  /** States of shared tasks that are not written yet. */
  let kept = new Map<string, Partial<TaskRow>>()
  let writeTimer: NodeJS.Timeout | undefined
  let stateWrites: Promise<unknown> = Promise.resolve()
  let wakeLoop = () => {}
  let loop: Promise<void> | undefined

  /** Starts due tasks without waiting for their end. */
  async function startDue(isWanted: (name: string) => boolean): Promise<string[]> {
    const now = app.now()
    const started: string[] = []
    if (!registered) await registerTasks(store, tasks, now)
    registered = true
    for (const [name, state] of shared) {
      const { task, dueAt } = state
      if (dueAt > now || running.has(name) || !isWanted(name) || stopping.signal.aborted) continue
      state.dueAt = now + task.every
      started.push(name)
      run(task, dueAt, null)
    }
    await dueTimeWrites
    if (now < leaseCheckAt) return started
    leaseCheckAt = now + leaseCheckIntervalMs
    for (const [name, { at, row }] of await claimable(store.read)) {
      const task = exclusiveTasks.get(name)
      if (!task || running.has(name) || !isWanted(name)) continue
      if (at > now) leaseCheckAt = Math.min(leaseCheckAt, at)
      else if (!stopping.signal.aborted && (await claimTask(store, task, { row, worker, now }))) {
        started.push(name)
        run(task, at, worker)
      } else leaseCheckAt = now
    }
    return started
  }

  function keep(name: string, known: Partial<TaskRow>): void {
    kept.set(name, { ...kept.get(name), ...known })
    writeTimer ??= setTimeout(writeStates, stateDelayMs).unref()
  }

  function writeStates(): Promise<unknown> {
    clearTimeout(writeTimer)
    writeTimer = undefined
    if (kept.size === 0) return stateWrites
    const states = kept
    kept = new Map()
    return (stateWrites = stateWrites
      .then(() => noteRuns(store, states))
      .catch((err: unknown) => outages.failed(err) || log.warn({ tasks: [...states.keys()], err }, 'tasks could not be noted')))
  }

  function run(task: Task, dueAt: number, worker: string | null): void {
    const state = shared.get(task.name)
    const notes = (failed: boolean) => {
      if (!state || (failed === state.failed && app.now() < state.stateWrittenAt + stateWriteIntervalMs)) return false
      Object.assign(state, { failed, stateWrittenAt: app.now() })
      return true
    }
    running.set(
      task.name,
      runTask(app, { task, dueAt, worker, stopping: stopping.signal, notes, keep: known => keep(task.name, known) }).then(more => {
        running.delete(task.name)
        if (!state) leaseCheckAt = -Infinity
        else if (more) state.dueAt = app.now()
        wakeLoop()
      }),
    )
  }

  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let next = app.now() + leaseCheckIntervalMs
      let isWoken = false
      const sleep = new Promise<void>(resolve => {
        wakeLoop = () => {
          isWoken = true
          resolve()
        }
      })
      try {
        await startDue(() => true)
        next = Math.min(leaseCheckAt, ...[...shared].flatMap(([name, { dueAt }]) => (running.has(name) ? [] : [dueAt])))
      } catch (err) {
        if (!outages.failed(err)) log.error({ err }, 'could not read due tasks from the database')
      }
      if (isWoken || stopping.signal.aborted) continue
      // Add a random delay, so that workers do not all query at once.
      const wait = Math.max(1, next - app.now()) * (1 + app.random(1).readUInt8() / 2_560)
      const timer = setTimeout(wakeLoop, wait)
      await sleep
      clearTimeout(timer)
    }
  }

  const scheduler = Object.freeze<Scheduler>({
    start() {
      loop ??= runLoop()
    },
    async runDue(only) {
      const ran: string[] = []
      for (;;) {
        leaseCheckAt = -Infinity
        const started = await startDue(name => only === undefined || only.includes(name))
        if (started.length === 0) return ran
        ran.push(...started)
        await Promise.all(started.map(name => running.get(name)))
        await writeStates()
      }
    },
    wake(name) {
      if (stopping.signal.aborted) return
      const state = shared.get(name)
      if (state) state.dueAt = Math.min(state.dueAt, app.now())
      else if (exclusiveTasks.has(name)) {
        dueTimeWrites = dueTimeWrites
          .then(() => bringForward(store.write, name, app.now()))
          .catch((err: unknown) => outages.failed(err) || log.warn({ task: name, err }, 'a task could not be woken'))
        leaseCheckAt = -Infinity
      }
      wakeLoop()
    },
    async stop(patience = 20_000) {
      stopping.abort()
      wakeLoop()
      let timer: NodeJS.Timeout | undefined
      const timedOut = new Promise(resolve => {
        timer = setTimeout(resolve, patience)
      })
      const ended = async () => {
        await loop
        await Promise.all(running.values())
        await writeStates()
      }
      await Promise.race([ended(), timedOut])
      clearTimeout(timer)
    },
  })
  app.onWake(scheduler.wake)
  return scheduler
}

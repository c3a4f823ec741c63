/** One run of one task: its context, the renewal of its lease, and its result. Never throws. */
import type { TaskRow } from '../../storage/tables/index.ts'
import { makeId } from '../values/ids.ts'
import { meters } from '../observability/metrics.ts'
import { tracer } from '../observability/tracing.ts'
import type { Task, TaskContext } from '../table/task.ts'
import type { TaskServices } from './task-services.ts'
import { noteRun } from './task-rows.ts'

/** Minimum time between two writes of the progress, ms. */
const progressIntervalMs = 1_000

export interface Run {
  readonly task: Task
  /** The due time, epoch ms. */
  readonly dueAt: number
  /** The worker that holds the lease; null for a shared task, which has none. */
  readonly worker: string | null
  /** Aborted when the process shuts down. */
  readonly stopping: AbortSignal
  /** Whether to write the result of a run without a lease. */
  notes(failed: boolean): boolean
  /** Keeps the state of a run without a lease, which is written soon. */
  keep(known: Partial<TaskRow>): void
}

/** @returns whether there is more to do now */
export async function runTask(app: TaskServices, { task, dueAt, worker, stopping, notes, keep }: Run): Promise<boolean> {
  const { store, log, metrics, outages } = app
  const [name, startedAt] = [task.name, app.now()]
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  let reached = { done: 0, total: null as number | null }
  let notedAt = -Infinity
  let leasedUntil = startedAt + task.lease
  let writing: Promise<unknown> = Promise.resolve()

  /** Serialises writes. If the database does not answer, the lease is lost, but the process continues. */
  async function note(known: () => Partial<TaskRow>): Promise<void> {
    if (worker === null) return keep(known())
    await (writing = writing
      .then(async () => {
        const until = app.now() + task.lease
        if (await noteRun(store.write, { name, worker, known: { leased_until: until, ...known() } })) leasedUntil = until
        else lost.abort()
      })
      .catch((err: unknown) => {
        if (!outages.failed(err)) log.warn({ task: name, err }, 'a task could not be noted')
        if (app.now() >= leasedUntil) lost.abort()
      }))
  }
  function renewLease(): void {
    // If the process was suspended for longer than the lease, another worker may run the task: end this run first.
    if (app.now() >= leasedUntil) lost.abort()
    void note(() => reached)
  }
  const heartbeat = worker === null ? undefined : setInterval(renewLease, task.lease / 3).unref()

  const context: TaskContext = {
    store,
    table: app.table,
    config: app.config,
    log,
    metrics,
    now: app.now,
    random: app.random,
    use: app.use,
    emitIn: app.emitIn,
    signal,
    newId: kind => makeId(kind, app.now(), app.random(14)),
    async isOurs() {
      if (worker !== null) await note(() => reached)
      return !lost.signal.aborted
    },
    progress(done, total) {
      reached = { done, total }
      if (app.now() < notedAt + progressIntervalMs) return
      notedAt = app.now()
      void note(() => reached)
    },
  }
  let error: unknown
  let more = false
  metrics.observe(meters.task_lateness_seconds, { task: name }, Math.max(0, startedAt - dueAt))
  try {
    const work = async () => task.run(context)
    const done = await (tracer()?.span({ name: `task ${name}`, kind: 'internal' }, work) ?? work())
    more = done?.more ?? false
  } catch (thrown) {
    error = thrown ?? new Error('thrown without a reason')
  }
  clearInterval(heartbeat)

  // A run that the shutdown interrupted is due at once, for another worker.
  const outcome = lost.signal.aborted ? 'lost' : error === undefined ? 'done' : stopping.aborted ? 'stopped' : 'failed'
  // A shared task that keeps failing, several times a second, is logged and noted once a minute.
  const isNoted = worker !== null || notes(outcome === 'failed')
  if (outcome === 'failed' && !outages.failed(error) && isNoted) log.error({ task: name, err: error }, 'a task failed')
  if (outcome === 'stopped') more = true
  const endedAt = app.now()
  metrics.add(meters.task_runs_total, { task: name, outcome })
  metrics.observe(meters.task_duration_seconds, { task: name }, endedAt - startedAt)
  if (isNoted) {
    await note(() => ({
      ...reached,
      last_ended_at: endedAt,
      last_error: outcome === 'failed' ? messageOf(error) : null,
      ...(worker === null ? { last_started_at: startedAt } : { leased_by: null, leased_until: null }),
      ...(more && worker !== null ? { next_at: endedAt } : {}),
    }))
  }
  return more
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}

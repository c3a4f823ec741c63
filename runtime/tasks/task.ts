/** Background work: a row of the table of tasks. */
import type { Store, Trx } from '../../storage/store.ts'
import type { Config } from '../settings/config.ts'
import type { Emit } from '../events/event.ts'
import type { IdKind } from '../table/ids.ts'
import type { AnyQueue } from './lease.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Resource } from '../table/resource.ts'
import type { Table } from '../table/table.ts'

/** Passed to each run. Time, ids and randomness come from here, so that tests can set them. */
export interface TaskContext {
  readonly store: Store
  readonly table: Table
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  now(): number
  random(size: number): Buffer
  newId(kind: IdKind): string
  use<T>(resource: Resource<T>): T
  /** Emits in the transaction of the change, like `emit` in operations. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
  /** Aborted when the process shuts down or the lease is lost: finish what is under way, start nothing new. */
  readonly signal: AbortSignal
  /**
   * Renews the lease: false if another worker has the task by now. Ask before what a run that was overtaken must not do,
   * such as to mark a job as failed that goes on elsewhere. A shared task has no lease, its rows have.
   */
  isOurs(): Promise<boolean>
  /** Reports the progress; `total` is null if unknown. Written at most once a second. */
  progress(done: number, total: number | null): void
}

export interface Task {
  /** noun_verb: `webhooks_deliver`. */
  readonly name: string
  readonly summary: string
  /** From one start to the next, ms. */
  readonly every: number
  /**
   * Time for which a killed worker's run blocks others, ms. Runs may take longer: a living process renews the lease.
   */
  readonly lease: number
  /**
   * Runs on every worker at its own times, because it claims rows one by one (`claimDue`). Otherwise on one at a time.
   */
  readonly shared?: true
  /** Its due rows, for `claimDue` and for the queue's depth in `/metrics`. */
  readonly queue?: AnyQueue
  /** An error is logged and counted, and the task runs again when next due. `more`: run again at once. */
  run(context: TaskContext): Promise<void | { readonly more: boolean }>
}

export function task(declared: Task): Task {
  return Object.freeze(declared)
}

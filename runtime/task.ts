/** What the service does by itself. A row of the table of tasks. */
import type { Store, Trx } from '../storage/store.ts'
import type { Config } from './config.ts'
import type { Emit } from './event.ts'
import type { IdKind } from './ids.ts'
import type { AnyQueue } from './lease.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Resource } from './resource.ts'
import type { Table } from './table.ts'

/** What a run is handed. Time, ids and chance come from here, so that tests can set them. */
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
  /** Emits in the transaction of the change, as operations do. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
  /** Aborted when the process goes down or the lease was lost: end what is under way, begin nothing new. */
  readonly signal: AbortSignal
  /** How far the run is; `total` null where that is not known. Written at most once a second. */
  progress(done: number, total: number | null): void
}

export interface Task {
  /** noun_verb: `webhooks_deliver`. */
  readonly name: string
  readonly summary: string
  /** From one start to the next, ms. */
  readonly every: number
  /**
   * How long a killed worker's run keeps others away, ms. A run may take longer: its lease is renewed while the
   * process lives.
   */
  readonly lease: number
  /**
   * Every worker runs it, each in its own time, because it claims its rows one by one (`claimDue`). Without it one
   * worker at a time runs the task, and no other.
   */
  readonly shared?: true
  /** Where its due rows are, for `claimDue` and for the depth of the queue in `/metrics`. */
  readonly queue?: AnyQueue
  /** Throws: it is logged, counted, and run again when it is next due. `more`: there is, run again at once. */
  run(context: TaskContext): Promise<void | { readonly more: boolean }>
}

export function task(declared: Task): Task {
  return Object.freeze(declared)
}

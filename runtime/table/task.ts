/** Background work: a row of the table of tasks. */
import type { Selectable } from 'kysely'
import type { Tables } from '../../storage/tables/index.ts'
import type { SealingTable } from '../settings/sealed-columns.ts'
import type { IdKind } from '../values/ids.ts'
import type { Expiring } from './expiring.ts'
import type { HandlerServices } from './services.ts'

/** Tables to claim from: an `id`, and the end of the lease. */
export type DueTable = {
  [T in keyof Tables]: Selectable<Tables[T]> extends { id: string; leased_until: number | null } ? T : never
}[keyof Tables]

export interface Queue<T extends DueTable> {
  readonly table: T
  /** The column of the due time, epoch ms; null: never. It needs an index. */
  readonly due: keyof Tables[T] & string
}

export type AnyQueue = { [T in DueTable]: Queue<T> }[DueTable]

/** Passed to each run. Time, ids and randomness come from here, so that tests can set them. */
export interface TaskContext extends HandlerServices {
  /** For tasks that maintain the tables of all areas: which rows expire, and which columns are sealed. */
  readonly table: SealingTable & { readonly expiring: readonly Expiring[] }
  newId(kind: IdKind): string
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
  /** Also runs when a process starts, because a changed setting makes work for it. */
  readonly atStart?: true
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

/**
 * Declares a task, which runs on one worker at a time.
 *
 * @example
 * const colours_fade = task({
 *   name: 'colours_fade',
 *   summary: 'Deletes old colours',
 *   every: 3_600_000,
 *   lease: 60_000,
 *   async run({ progress }) {
 *     progress(3, 3)
 *   },
 * })
 * let done = 0
 * await colours_fade.run({ progress: (count: number) => (done = count) } as never)
 * assert.equal(done, 3)
 */
export function task(declared: Task): Task {
  return Object.freeze(declared)
}

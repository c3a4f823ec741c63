/** The error for a database that is unavailable for now. The call itself is valid, and a retry may succeed. */

/**
 * `moved`: a move has paused the database, or moved it away. `locked`: another process holds the write lock. `full`: the disk is full. `away`: the server cannot be reached,
 * restarts, or closed the connection. `busy`: the analytics engine is overloaded; the message is for the caller, and
 * the database is fine. `cluster`: the ClickHouse cluster cannot answer; the message is for the caller. The others are
 * `busy` for a reason that callers get in their language.
 */
export type UnavailableReason = OutageReason | BusyReason | 'busy' | 'cluster'
/** The service is stopping, too many reports are waiting, or the report reads too much. */
export type BusyReason = 'stopping' | 'reports_waiting' | 'report_too_large'
/** The database itself is the cause. */
export type OutageReason = 'locked' | 'full' | 'away' | 'moved'

/** Names a batch of hits: writers number their batches from 1. */
export interface BatchMark {
  readonly writer: string
  readonly position: number
  /** Epoch ms. */
  readonly at: number
}

export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  readonly reason: UnavailableReason
  /** The batch that may be committed nevertheless (`wasCommitted`). */
  readonly batch: BatchMark | undefined

  constructor(reason: UnavailableReason, message: string, { batch, ...options }: ErrorOptions & { batch?: BatchMark | undefined } = {}) {
    super(message, options)
    this.reason = reason
    this.batch = batch
  }
}

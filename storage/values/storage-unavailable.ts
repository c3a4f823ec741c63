/** The error for a database that is unavailable for now. The call itself is valid, and a retry may succeed. */

/**
 * `locked`: another process holds the write lock. `full`: the disk is full. `away`: the server cannot be reached,
 * restarts, or closed the connection. `busy`: the analytics engine is overloaded; the message is for the caller, and
 * the database is fine. `cluster`: the ClickHouse cluster cannot answer; the message is for the caller. The others are
 * `busy` for a reason that callers get in their language.
 */
export type UnavailableReason = OutageReason | BusyReason | 'busy' | 'cluster'
/** The service is stopping, too many reports are waiting, or the report reads too much. */
export type BusyReason = 'stopping' | 'reports_waiting' | 'report_too_large'
/** The database itself is the cause. */
export type OutageReason = 'locked' | 'full' | 'away'

export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  readonly reason: UnavailableReason
  /** The transaction that may have been committed nevertheless (`Dialect.fateOf`); '' if nothing was. */
  readonly transaction: string

  constructor(reason: UnavailableReason, message: string, { transaction = '', ...options }: ErrorOptions & { transaction?: string } = {}) {
    super(message, options)
    this.reason = reason
    this.transaction = transaction
  }
}

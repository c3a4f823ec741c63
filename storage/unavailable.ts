/** What is stored cannot be used for now. Nothing is wrong with the call: the same one may succeed later. */

/**
 * `locked`: another process holds the write lock. `full`: the disk is. `away`: the server cannot be reached, restarts,
 * or ended the connection. `busy`: more is asked of the analytics engine than it can answer in time; the message is for the
 * caller, and nothing is wrong with the database.
 */
export type UnavailableReason = OutageReason | 'busy'
/** Where the database itself is why. */
export type OutageReason = 'locked' | 'full' | 'away'

export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

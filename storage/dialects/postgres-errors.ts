/** Errors of Postgres and its driver that mean that the database is unavailable. */
import { MOVED_CODE } from './moved.ts'
import { StorageUnavailable, type OutageReason } from '../values/storage-unavailable.ts'

/** SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), or the operating system's code of a socket error. */
const byCode: readonly (readonly [code: RegExp, reason: OutageReason])[] = [
  [/^53100$/, 'full'],
  [new RegExp(`^${MOVED_CODE}$`), 'moved'],
  [/^(55P03|40P01|40001)$/, 'locked'], // lock not available, deadlock, serialization failure
  [/^(08...|53...|57P0[1-5]|25P03)$/, 'away'], // connection lost, too many connections, shut down, starting up, timed out
  [/^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|E(HOST|NET)DOWN|ENOTFOUND|EAI_AGAIN|ENOENT)$/, 'away'],
]
/** Messages of `pg` and its pool that have no code. */
const lost = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout e)/

const words: Readonly<Record<OutageReason, string>> = {
  full: 'the disk of the database is full',
  locked: 'a lock in the database is held',
  away: 'the database cannot be reached',
  moved: 'changes are refused',
}

/** @returns `StorageUnavailable` if the error means that, else the error itself */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return error
  const reason = reasonOf(error)
  if (!reason) return error
  // For a name with several addresses, Node throws an AggregateError without a message.
  const message = error.message || (error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name)
  return new StorageUnavailable(reason, `${words[reason]}: ${message}`, { cause: error })
}

function reasonOf(error: Error): OutageReason | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '' && lost.test(error.message)) return 'away'
  return byCode.find(([codes]) => codes.test(code))?.[1]
}

/** Whether the connection is broken, so that no more queries can be sent. */
export const isBroken = (error: unknown): boolean => error instanceof StorageUnavailable && error.reason === 'away'

/** Which errors of Postgres and of its driver say that the database cannot be used for now. */
import { StorageUnavailable, type OutageReason } from '../unavailable.ts'

/** SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), or what the operating system says of a socket. */
const byCode: readonly (readonly [code: RegExp, reason: OutageReason])[] = [
  [/^53100$/, 'full'],
  [/^(55P03|40P01|40001)$/, 'locked'], // a lock not available, a deadlock, a transaction that lost against another
  [/^(08...|53...|57P0[1-5]|25P03)$/, 'away'], // connection lost, no room for one more, shut down, starting up, timed out
  [/^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|E(HOST|NET)DOWN|ENOTFOUND|EAI_AGAIN|ENOENT)$/, 'away'],
]
/** What `pg` and its pool say without a code. */
const lost = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout e)/

const words: Readonly<Record<OutageReason, string>> = {
  full: 'the disk of the database is full',
  locked: 'a lock in the database is held',
  away: 'the database cannot be reached',
}

/** @returns `StorageUnavailable` where that is what it says, else the error itself */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return error
  const reason = reasonOf(error)
  if (!reason) return error
  // Where a name has several addresses, Node tells of each and says nothing of them all.
  const said = error.message || (error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name)
  return new StorageUnavailable(reason, `${words[reason]}: ${said}`, { cause: error })
}

function reasonOf(error: Error): OutageReason | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '' && lost.test(error.message)) return 'away'
  return byCode.find(([codes]) => codes.test(code))?.[1]
}

/** Of a connection that broke nothing more can be asked. */
export const isBroken = (error: unknown): boolean => error instanceof StorageUnavailable && error.reason === 'away'

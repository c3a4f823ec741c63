/** What the path names, as it is now: locked where the operation asked for that, and no more handed over where it is gone. */
import { isForeignKeyViolation } from '../../storage/store.ts'
import { fail } from '../errors.ts'
import type { Call } from './call.ts'

/**
 * Between finding a row and the transaction anybody may delete it, or what it belongs to.
 * @throws Failure `not_found` where one was deleted meanwhile
 */
export async function lockSubjects({ operation, path, db, handed }: Call): Promise<void> {
  for (const [depth, subject] of operation.on.entries()) {
    const id = path[operation.onParameters[depth] ?? '']
    if (typeof id !== 'string') fail('not_found')
    if (subject.isLocked && subject.lock) handed[subject.name] = (await subject.lock(db, id)) ?? fail('not_found')
    else handed[subject.name] = ((await subject.find(db, id)) ?? fail('not_found')).row
  }
}

/**
 * What is not locked may still be deleted while the transaction runs: the database then refuses rows that would belong
 * to it. Where everything is there, it is our own fault.
 * @throws Failure `not_found`, or what was thrown
 */
export async function orDeletedMeanwhile(call: Call, thrown: unknown): Promise<never> {
  if (isForeignKeyViolation(thrown)) await lockSubjects({ ...call, db: call.core.store.read, operation: unlocked(call), handed: {} })
  throw thrown
}

/** Outside of a transaction nothing is locked. */
const unlocked = ({ operation }: Call): Call['operation'] => ({ ...operation, on: operation.on.map(({ lock: _, ...subject }) => subject) })

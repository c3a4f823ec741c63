/** Reads the path's subjects again inside the transaction, and locks those that the operation declares as locked. */
import { isForeignKeyViolation } from '../../storage/store.ts'
import { fail } from '../errors.ts'
import type { Call } from './call.ts'

/**
 * Since a subject was found, it or its container may have been deleted.
 * @throws Failure `not_found` if one was deleted in the meantime
 */
export async function lockSubjects({ core, operation, path, db, handed }: Call): Promise<void> {
  for (const [depth, subject] of operation.on.entries()) {
    const id = path[operation.onParameters[depth] ?? '']
    if (typeof id !== 'string') fail('not_found')
    if (subject.isLocked && subject.lock) handed[subject.name] = (await subject.lock(db, id)) ?? fail('not_found')
    else if (subject.hold) handed[subject.name] = (await subject.hold(db, id, core.store.dialect)) ?? fail('not_found')
    else handed[subject.name] = ((await subject.find(db, id)) ?? fail('not_found')).row
  }
}

/**
 * A subject that is not locked can be deleted while the transaction runs; the database then refuses rows that refer to
 * it. If all subjects still exist, the error is an internal one.
 * @throws Failure `not_found`, or `thrown` itself
 */
export async function orDeletedMeanwhile(call: Call, thrown: unknown): Promise<never> {
  if (isForeignKeyViolation(thrown)) await lockSubjects({ ...call, db: call.core.store.read, operation: unlocked(call), handed: {} })
  throw thrown
}

/** Without locks, for use outside a transaction. */
const unlocked = ({ operation }: Call): Call['operation'] => ({
  ...operation,
  on: operation.on.map(({ lock: _, hold: __, ...subject }) => subject),
})

/** Locks the rows that the operation asked for locked, and hands them over as they are now. */
import { fail } from '../errors.ts'
import type { Call } from './call.ts'

/** @throws Failure `not_found` where one was deleted meanwhile */
export async function lockSubjects({ operation, request: { path }, db, handed }: Call): Promise<void> {
  for (const [depth, subject] of operation.on.entries()) {
    if (!subject.isLocked || !subject.lock) continue
    const id = path[operation.onParameters[depth] ?? '']
    handed[subject.name] = (typeof id === 'string' ? await subject.lock(db, id) : undefined) ?? fail('not_found')
  }
}

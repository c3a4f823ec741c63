/**
 * The steps of every call in their order, whatever the surface and the kind of caller. Each is a function in its own
 * file; an operation runs those it needs.
 */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { NamedOperation } from '../table/table.ts'
import { checkQuota, usesQuota } from './check-quota.ts'
import { changesRecord, readBefore } from './audit-changes.ts'
import { writeAudit } from './write-audit.ts'
import { authenticate } from './authenticate.ts'
import type { Arrival, Call } from './call.ts'
import { checkAnswer } from './check-answer.ts'
import { keepFields, takesFields } from './chosen-fields.ts'
import { checkPrecondition } from './check-precondition.ts'
import { checkProof, renewCredential } from './check-proof.ts'
import { checkRights } from './check-rights.ts'
import { hideFields } from './hide-fields.ts'
import { completeInput, hasIds } from './complete-input.ts'
import { complete, takesNames } from './complete-path.ts'
import { holdCredential } from './hold-credential.ts'
import { findSubjects } from './find-subjects.ts'
import { recordFirstVisit } from './first-visit.ts'
import { claimKey, findAnswer, keepAnswer } from './idempotency.ts'
import { limitRate } from './limit-rate.ts'
import { lockSubjects } from './lock-subjects.ts'
import { lookAgain } from './look-again.ts'
import { checkInput, readInput } from './read-input.ts'
import { prepare, run } from './run.ts'

export interface Step<C extends Arrival = Call> {
  readonly name: string
  /** Throws to end the call with an error. */
  run(call: C): Awaitable<void>
  /** Whether an operation needs it; default: all do. */
  needed?(operation: NamedOperation): boolean
}

const writes = ({ effect }: NamedOperation): boolean => effect !== 'read'
const prepares = ({ prepare }: NamedOperation): boolean => prepare !== undefined
const asksProof = ({ proof }: NamedOperation): boolean => proof !== false
const isSlow = (operation: NamedOperation): boolean => prepares(operation) || asksProof(operation)
const computesRights = ({ role, reach, denies }: NamedOperation): boolean =>
  denies !== undefined || typeof role === 'function' || typeof reach === 'function'

/** The time of the call is when its input was complete: a large body takes a while. */
const begin = (call: Call): void => {
  call.at = call.core.now()
}

/** Authentication and rate limit, which endpoints share with operations. */
export const entrySteps: readonly Step<Arrival>[] = [
  { name: 'authenticate', run: authenticate },
  { name: 'limit rate', run: limitRate },
]

/** Steps that read committed data. A failure has changed and locked nothing. */
export const readSteps: readonly Step[] = [
  ...entrySteps,
  { name: 'complete path', run: complete, needed: ({ on }) => on.length > 0 },
  { name: 'find subjects', run: findSubjects },
  { name: 'record first visit', run: recordFirstVisit, needed: ({ on }) => on.length > 0 },
  { name: 'read input', run: readInput },
  { name: 'complete input', run: call => (takesNames(call) ? completeInput(call) : undefined), needed: hasIds },
  { name: 'check input', run: checkInput },
  { name: 'begin', run: begin },
]

/** Slow work, such as storing an upload, runs only for a caller with the rights: a refused call stores nothing. */
export const prepareSteps: readonly Step[] = [
  { name: 'look again', run: lookAgain, needed: operation => isSlow(operation) && writes(operation) },
  { name: 'check rights', run: checkRights, needed: operation => isSlow(operation) && computesRights(operation) },
  { name: 'find answer', run: findAnswer, needed: operation => isSlow(operation) && writes(operation) },
  { name: 'check proof', run: checkProof, needed: asksProof },
  { name: 'prepare', run: prepare, needed: prepares },
]

/** Steps in the transaction of a write. A failure rolls it back. */
export const transactionSteps: readonly Step[] = [
  {
    name: 'lock subjects',
    run: lockSubjects,
    needed: operation => writes(operation) && (operation.on.length > 0 || operation.locks !== undefined),
  },
  // After the subjects: a workspace is locked before an account everywhere.
  { name: 'hold credential', run: holdCredential, needed: operation => writes(operation) && operation.access === 'session' },
  { name: 'look again', run: lookAgain, needed: writes },
  { name: 'check rights', run: checkRights, needed: computesRights },
  { name: 'claim key', run: claimKey, needed: writes },
  { name: 'check precondition', run: checkPrecondition, needed: writes },
  { name: 'check quota', run: checkQuota, needed: usesQuota },
  { name: 'renew credential', run: renewCredential, needed: asksProof },
  { name: 'read before', run: readBefore, needed: changesRecord },
  { name: 'run', run },
  { name: 'check answer', run: checkAnswer },
  { name: 'hide fields', run: hideFields, needed: ({ effect }) => effect === 'read' },
  { name: 'keep fields', run: keepFields, needed: takesFields },
  { name: 'write audit', run: writeAudit, needed: ({ audited }) => audited },
  { name: 'keep answer', run: keepAnswer, needed: writes },
]

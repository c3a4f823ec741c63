/**
 * The one way through a call, for every surface and every kind of caller: the steps in their order. Each is a function
 * in a file of its own; a declaration takes those that it needs.
 */
import { isRepeatable } from '../idempotency.ts'
import type { NamedOperation } from '../table.ts'
import { writeAudit } from './audit.ts'
import { authenticate } from './authenticate.ts'
import type { Arrival, Call } from './call.ts'
import { checkAnswer } from './check-answer.ts'
import { checkRights } from './check-rights.ts'
import { completeInput, completePath, hasIds } from './complete-path.ts'
import { findSubjects } from './find-subjects.ts'
import { claimKey, keepAnswer } from './idempotency.ts'
import { limitRate } from './limit-rate.ts'
import { lockSubjects } from './lock-subjects.ts'
import { checkInput, readInput } from './read-input.ts'
import { prepare, run } from './run.ts'

export interface Step<C extends Arrival = Call> {
  readonly name: string
  /** Throws to end the call with what it threw. */
  run(call: C): Promise<void> | void
  /** Whether an operation needs it; without this all do. */
  needed?(operation: NamedOperation): boolean
}

const writes = ({ effect }: NamedOperation): boolean => effect !== 'read'

/** Who comes in, and how often: all that an endpoint shares with operations. */
export const entrance: readonly Step<Arrival>[] = [
  { name: 'authenticate', run: authenticate },
  { name: 'limit rate', run: limitRate },
]

/** Over what is committed: what fails here has changed nothing, and has locked nothing. */
export const before: readonly Step[] = [
  ...entrance,
  { name: 'complete path', run: call => (call.request.completes ? completePath(call) : undefined), needed: ({ on }) => on.length > 0 },
  { name: 'find subjects', run: findSubjects },
  { name: 'read input', run: readInput },
  { name: 'complete input', run: call => (call.request.completes ? completeInput(call) : undefined), needed: hasIds },
  { name: 'check input', run: checkInput },
  { name: 'prepare', run: prepare, needed: ({ prepare }) => prepare !== undefined },
]

/** In the transaction of a write; what fails here takes all of it back. */
export const within: readonly Step[] = [
  { name: 'claim key', run: claimKey, needed: isRepeatable },
  { name: 'lock subjects', run: lockSubjects, needed: operation => writes(operation) && operation.on.length > 0 },
  {
    name: 'check rights',
    run: checkRights,
    needed: ({ role, reach, denies }) => denies !== undefined || typeof role === 'function' || typeof reach === 'function',
  },
  { name: 'run', run },
  { name: 'check answer', run: checkAnswer },
  { name: 'write audit', run: writeAudit, needed: ({ audited }) => audited },
  { name: 'keep answer', run: keepAnswer, needed: isRepeatable },
]

/**
 * Runs a read that an operation makes for its caller, with all checks of a call, so that an operation reveals nothing that
 * its caller may not read. It counts towards no rate limit.
 */
import { Failure } from '../table/errors.ts'
import type { ReadAnswer, Reading } from '../table/call-services.ts'
import type { Call } from './call.ts'
import { checkAnswer } from './check-answer.ts'
import { checkRights } from './check-rights.ts'
import { completeInput } from './complete-input.ts'
import { callWithin, completePath } from './complete-path.ts'
import { hideFields } from './hide-fields.ts'
import { findSubjects } from './find-subjects.ts'
import { checkInput, readInput } from './read-input.ts'
import { run } from './run.ts'

/** @throws Error for an operation that is not a read of a member, which is a fault of the program */
export async function readWithin(call: Call, { operation: id, input, completes = false }: Reading): Promise<ReadAnswer> {
  const operation = call.core.table.operations.get(id)
  if (!operation || operation.effect !== 'read' || operation.access === 'public' || operation.access === 'session' || operation.credential)
    throw new Error(`${id} is not a read that can be made for a caller`)
  const isInPath = ([name]: [string, unknown]) => Object.hasOwn(operation.pathInput, name)
  const given = Object.entries(input)
  const within = callWithin(call, operation, {
    path: Object.fromEntries(given.filter(isInPath)),
    input: Object.fromEntries(given.filter(each => !isInPath(each))),
  })
  const { completes: _, ...request } = within.request
  const reading: Call = { ...within, request: completes ? { ...request, completes: true } : request }
  const completedInput = () => Object.fromEntries(given.map(([name, value]) => [name, reading.input[name] ?? reading.path[name] ?? value]))
  try {
    if (completes) await completePath(reading)
    await findSubjects(reading)
    await readInput(reading)
    if (completes) await completeInput(reading)
    checkInput(reading)
    checkRights(reading)
    await run(reading)
    checkAnswer(reading)
    hideFields(reading)
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    return { input: completedInput(), failure: thrown }
  }
  return { input: completedInput(), data: reading.answer?.data, meta: reading.answer?.meta ?? {} }
}

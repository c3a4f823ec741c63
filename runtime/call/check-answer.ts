/** An answer that does not match its schema is an internal error, and is not sent. */
import { isChecked } from '../table/answer-kinds.ts'
import { faultsOf } from '../table/validate.ts'
import { matches } from '../values/matches.ts'
import type { Call } from './call.ts'

/** @throws Error, which also rolls back the transaction */
export function checkAnswer({ operation: { id, answers, output }, answer }: Call): void {
  if (!isChecked(answers) || matches(output, answer?.data)) return
  throw new Error(`${id}: its answer does not fit its schema: ${faultsOf(output, answer?.data)[0]?.message}`)
}

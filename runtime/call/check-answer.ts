/** An answer that does not fit what was declared is our own fault, and never leaves. */
import { isChecked } from '../kinds.ts'
import { faultsOf, matches } from '../validate.ts'
import type { Call } from './call.ts'

/** @throws Error, which also ends the transaction */
export function checkAnswer({ operation: { id, answers, output }, answer }: Call): void {
  if (!isChecked(answers) || matches(output, answer?.data)) return
  throw new Error(`${id}: its answer does not fit its schema: ${faultsOf(output, answer?.data)[0]?.message}`)
}

/** Removes the fields that the caller's limits hide from an answer. It runs after the answer was checked against its schema. */
import { concealed } from '../table/report-limits.ts'
import type { Call } from './call.ts'

export function hideFields(call: Call): void {
  const hidden = call.caller?.limits?.hidden
  if (hidden && call.answer) call.answer = { ...call.answer, data: concealed(call.answer.data, hidden) }
}

/** Leaves out of an answer what its caller's limits hide. After the answer was checked, as fields are missing then. */
import { concealed } from '../table/report-limits.ts'
import type { Call } from './call.ts'

export function conceal(call: Call): void {
  const hidden = call.caller?.limits?.hidden
  if (hidden && call.answer) call.answer = { ...call.answer, data: concealed(call.answer.data, hidden) }
}

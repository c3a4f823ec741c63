/** Checks regular expressions, of channel rules and of conditions in reports. */
import type { Message, MessageValue } from '../../../runtime/texts/message.ts'
import { MAX_STATES, patternFault } from '../../../storage/engine/vocabulary/operators.ts'
import { m } from './messages.ts'

/** Returns the fault of a pattern; null if it is valid. @param field its position in the input, for example `filters.0.2` */
export function patternMessage(pattern: string, field: MessageValue, most = MAX_STATES): Message | null {
  const fault = patternFault(pattern, most)
  if (!fault) return null
  return fault.code === 'too_large' ? m.pattern_too_large({ field, most }) : m.no_pattern({ field, why: fault.why })
}

/** The fault of patterns that are too large only in total. */
export const patternsTooLarge = (field: MessageValue, most = MAX_STATES): Message => m.patterns_too_large({ field, most })

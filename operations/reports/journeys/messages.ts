/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('journeys', {
  goal_without_reverse: '{goal} goes with mode reverse; else filter on goal.',
  no_end: 'In reverse, {path} or {goal} must say where journeys end.',
  two_ends: '{goal} replaces {path}; give only one of them.',
})

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('tracking', {
  the_tracking_works: 'The tracking works.',
  the_tracking_does_not_work: 'The tracking does not work.',
  no_hit_has_come_in_yet: 'No hit has come in yet.',
})

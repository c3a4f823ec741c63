/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sharing', {
  the_link_may_have_ended_or: 'The link may have ended, or it is not whole. Ask who sent it to you.',
  name_these_reports_ask_for_a: '{name}: these reports ask for a password.',
  show: 'Show',
})

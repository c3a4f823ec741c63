/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('crawler_reports', {
  not_seen: 'No crawler of this name was seen in these days.',
  days_reversed: '{to} must not be before {from}.',
  too_many_days: 'These may be at most {most} days.',
})

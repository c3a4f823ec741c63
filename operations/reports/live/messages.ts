/** Messages about live visitors. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('live', {
  by_minute: 'Pageviews in each of the last 30 minutes',
  last_5_minutes: 'Visitors of the last 5 minutes.',
  look_again: 'Look again',
  countries: 'Countries',
  period_today: 'Today',
  today_so_far: 'Today so far',
  nobody_now: 'There are no visitors right now.',
})

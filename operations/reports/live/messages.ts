/** Messages about live visitors. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('live', {
  by_minute: 'Pageviews in each of the last 30 minutes',
  last_5_minutes: 'Visitors of the last 5 minutes.',
  countries: 'Countries',
  today_so_far: 'Today so far',
  pause: 'Pause',
  continue_live: 'Continue',
  where: 'Where they are',
  stream: 'What happens',
  nothing_happened: 'Nothing in the last 30 minutes. Pageviews and events appear here as they come in.',
})

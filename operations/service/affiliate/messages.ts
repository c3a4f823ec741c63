/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('affiliate', {
  application_is: 'The application is {status}.',
  apply_again_later: 'Apply again 30 days after the rejection.',
  application_pending: 'The application is pending.',
  apply_first: 'Apply first.',
  sells_nothing: 'There is no affiliate program: this installation sells nothing (STRIPE_SECRET_KEY is not set).',
  no_percent: 'There is no affiliate program: AFFILIATE_PERCENT is not set.',
})

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('plans', {
  questions_used_up: 'The plan {plan} has {most, number} questions a month; they are used up.',
  not_paid: 'The subscription of this workspace is not paid: nothing new until it is. What there is goes on.',
  most_members: 'The plan {plan} has {most, plural, one {# member} other {# members}} at most; plans_get says what is used.',
  most_sites: 'The plan {plan} has {most, plural, one {# site} other {# sites}} at most; plans_get says what is used.',
})

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('plans', {
  questions_used_up: 'The plan {plan} has {most, number} questions a month; they are used up.',
  not_paid: 'The subscription of this workspace is not paid: nothing new until it is. What there is goes on.',
  most_members: 'The plan {plan} has {most, plural, one {# member} other {# members}} at most; plans_get says what is used.',
  most_sites: 'The plan {plan} has {most, plural, one {# site} other {# sites}} at most; plans_get says what is used.',
  creates_refused: 'The subscription is not paid: nothing new can be created until it is. What there is goes on.',
  creates_refused_from: 'A payment is missing. From {when} nothing new can be created.',
  no_limit: 'no limit',
  plan_use: 'Used',
  to_billing: 'Billing and plans',
  use_hits_month: 'Hits this month',
  use_sites: 'Sites',
  use_members: 'Members',
  use_ai_questions: 'Questions to the assistant this month',
  use_min_interval_seconds: 'Shortest interval of uptime checks',
  use_retention_days: 'Visits are kept',
})

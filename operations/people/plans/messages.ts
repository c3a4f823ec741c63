/** Messages about limits of plans. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('plans', {
  questions_used_up: 'The plan {plan} includes {most, number} questions a month, and all are used.',
  not_paid: 'The subscription of this workspace is not paid, so nothing can be created. Existing sites and reports keep working.',
  most_members: 'The plan {plan} allows at most {most, plural, one {# member} other {# members}}. plans_get shows the usage.',
  most_sites: 'The plan {plan} allows at most {most, plural, one {# site} other {# sites}}. plans_get shows the usage.',
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

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('funnels', {
  name_taken: 'The site has a funnel of this name already.',
  goal_is_step: 'The funnel "{name}" has this goal as a step; change or delete it first.',
  no_condition: '{field} needs a goal_id, a path or an event.',
  no_goal: '{field} must be the id of a goal of the site; received {received}.',
  not_with_goal: '{field} is no field of a step that is a goal; leave it out.',
  no_first_step: 'Nobody took the first step in this period.',
  steps: 'Steps',
  lost: '{count} lost ({share}), {rest} went on',
  in_all_figures: 'In all',
  last_30_days: 'Last 30 days',
  other_periods: 'Other periods and filters',
  conversion: 'Conversion',
  against_before: 'Against the period before',
  step: 'Step',
})

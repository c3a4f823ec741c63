/** Messages about funnels and their steps. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('funnels', {
  name_taken: 'The site already has a funnel with this name.',
  goal_is_step: 'The funnel "{name}" uses this goal as a step. Change or delete the funnel first.',
  no_condition: '{field} needs a goal_id, a path or an event.',
  no_goal: '{field} must be the id of a goal of the site; received {received}.',
  not_with_goal: 'A step with a goal_id does not have the field {field}; leave it out.',
  window_too_long: '{field} must be at most {most} days.',
  no_people: '{field} in days needs a site that identifies people; use minutes or hours.',
  no_first_step: 'No visitor completed the first step in this period.',
  steps: 'Steps',
  lost: '{count} lost ({share}), {rest} went on',
  total: 'Total',
  took: '{median} from the step before (median), {p90} for 90%',
  by_dimension: 'By {dimension}',
  of_people: 'These are identified people, over all of their visits.',
  last_30_days: 'Last 30 days',
  other_periods: 'Other periods and filters',
  conversion: 'Conversion',
  against_before: 'Against the period before',
  step: 'Step',

  // The form
  page: 'Page',
  event: 'Event',
  goal: 'Goal',
  add_step: 'Add a step',
  steps_in_order: 'Steps, in the order in which visits complete them',
  step_details: 'More about this step',
  kind_of_step: 'Step {number}',
  choose_goal: 'Choose a goal',
  proposed_name: '{first} → {last}',
  would_have: 'What it would have counted in the last 30 days',
  step_name_help: 'Empty: the page, the event or the goal itself.',

  // A funnel that is not saved
  explored: 'With {order} between the steps, within {window}, divided by {by}.',
  any_time: 'any time',
  ten_minutes: '10 minutes',
  half_an_hour: '30 minutes',
  two_hours: '2 hours',
  undivided: 'nothing',
  save_funnel: 'Save as a funnel',
  what_of_step: 'Page or event of step {number}',
  anything: 'anything',
  nothing: 'nothing',
})

/** Messages about the start and end of journeys. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('journeys', {
  goal_without_reverse: '{goal} requires mode=reverse. Otherwise, filter on goal.',
  no_end: 'In reverse, {path}, {goal} or {event} must name the end of the journeys.',
  event_alone: '{event} replaces {path} and {goal}; leave them out.',
  two_ends: '{goal} and {path} are mutually exclusive.',
  no_journey: 'No visit has such a journey in this period.',
  journeys_help: 'Journeys show which pages people open one after the other, and where they leave.',
  came_to: 'How visits came to {what}',
  the_goal: 'the goal',
  went_from: 'Where visits went from {what}',
  came_in_at: 'From where visits came in',
  visits_counted: '{count} visits',
  went_from_here: 'Where they went from here',
  came_here: 'How they came here',
  about_page: 'About this page',
  more_steps: 'More steps',
  fewer_steps: 'Fewer steps',
  all_journeys: 'All journeys',
  steps_last_right: 'Pages of each step, the last on the right',
  steps_first_left: 'Pages of each step, the first on the left',
  common_paths: 'Most frequent paths',
  path: 'Path',
  step_number: 'Step {number}',
  came_in: 'Came in',
  left: 'Left',
})

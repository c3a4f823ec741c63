/** Messages about changes between two periods. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('insights', {
  nothing_before: 'There is no earlier data to compare with: no visit was recorded in the days before.',
  // Subjects of a change
  visitors: 'Visitors',
  visits: 'Visits',
  pageviews: 'Pageviews',
  views_per_visit: 'Pageviews per visit',
  bounce_rate: 'Bounce rate',
  visit_duration: 'Visit duration',
  revenue: 'Revenue',
  visitors_of_page: 'Page {label}: visitors',
  visitors_of_source: 'Source {label}: visitors',
  visitors_of_country: 'Country {label}: visitors',
  visitors_of_device: 'Device {label}: visitors',
  visitors_of_campaign: 'Campaign {label}: visitors',
  visitors_of_event: 'Event {label}: visitors who triggered it',
  visitors_of_goal: 'Goal {label}: visitors who completed it',
  // Kinds of changes
  rose: '{what} rose by {by} to {current}, from {previous}.',
  fell: '{what} fell by {by} to {current}, from {previous}.',
  rose_from_none: '{what} rose to {current}, from none.',
  fell_to_none: '{what} fell to none, from {previous}.',
  a_little: 'a little',
  // Values
  number: '{number, number}',
  percent: '{percent, number}%',
  points: '{points, number} percentage points',
  seconds: '{seconds, number} s',
  minutes: '{minutes, number} m {seconds, number} s',
  nothing_changed: 'Nothing changed much against the days before.',
  insights_help:
    'Insights look at every page, source, country and campaign each day, and say what changed more than usual. They need about two weeks of visits.',
  came_new: '{what}: there were none before',
  fell_to_none_2: '{what}: none any more',
  was_before: '{now}, before {past}',
  same_with: 'About the same visitors: {what}',
  look_closer: 'Look closer',
})

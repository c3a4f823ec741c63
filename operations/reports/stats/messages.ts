/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('stats', {
  // Notes of reports
  bounces_of_entries: '{bounce_rate} and {visit_duration} count only the visits that entered on a page the filter asks for.',
  only_matching_hits: 'Rows are those values of {dimension} that its own filters ask for.',
  hidden_events: 'Hidden events are left out: {names}{more, plural, =0 {} other { and # more}}.',
  no_such_page: '{path}: this site never had a page {value}.',
  no_such_event: '{name}: no event of this site is called {value}.',
  no_such_value: '{pointer}: no {dimension} of this site ever passed "{operator}" {value}.',
  no_imported_history: '{include_imported} has nothing to add: this site has no imported history.',
  other_currency: '{count} in another currency than {currency}, and are not converted',
  invalid_revenue: '{count} that say no amount in a known currency, or more than is taken',
  both: '{first}; {second}',
  revenue_not_counted: 'Revenue leaves out amounts that came in on these days: {amounts}. {drops} has them by day.',
  // Periods
  date_required: '{field} is required with {owner}=custom: a calendar day, YYYY-MM-DD',
  no_date: '{field} must be a calendar day, YYYY-MM-DD; received {received}',
  date_too_early: '{field} must not be before {earliest}; received {received}',
  date_too_late: '{field} must not be after {latest}; received {received}',
  date_in_future: '{field} must not be in the future: today is {today} in {zone}; received {received}',
  dates_reversed: '{last} must not be before {first}; received {from} to {to}',
  dates_too_far_apart: '{first} to {last} must not be more than 100 years; received {from} to {to}',
  date_not_read: '{field} is only read with {owner}=custom; received {owner}={choice}',
  too_many_points:
    '{field}={choice} makes about {count, number} points of this range, at most {most, number} are given; use {fitting} or auto',
  // Limits of shared reports
  begins_too_early: '{what} must not begin before {earliest}: the last {days} days are shared here.',
  comparison_begins_too_early: 'What is compared with must not begin before {earliest}: the last {days} days are shared here.',
  metric_not_shared: '{metric} is not shared here.',
  segment_not_chosen: '{field} cannot be chosen here: segments belong to the members of the site.',
  // Choices
  unknown_dimension: '{field} must be one of {known}; received {received}.',
  unknown_metric: '{field} must be one of {known}, which {of} has; received {received}.',
  unknown_conversion_rate:
    '{field} must be one of {known}, which {of} has; received {received}. conversion_rate is there for goals, and under a filter on a goal.',
  nothing_to_compare: '{field}={rank} is about a comparison: give {compare}, such as {compare}=previous_period.',
  unknown_segment: '{field} must be the id of a segment of this site; received {received}.',
  segment_not_applied: 'The segment can no longer be applied: {fault}',
  unknown_goal: '{field} must be a goal of this site by id or name: {known}.',
  unknown_goal_id: '{field} must be the id of a goal of this site: {known}; received {received}.',
  none: '(none)',
  a_series: 'a series',
  a_series_by: 'a series by {dimension}',
  map: 'Map',
  map_says: 'Visitors by country; the table below has the figures',
  all_about: 'All about it',
  about: 'About',
  in_all: '{total} in all',
  find_in: 'Find in this list',
  who_reached: 'Visitors who reached it, 30 days',
  who_they_were: 'Who they were',
  share_or_change: 'Share or change',
  all: 'All',
  at_a_glance: 'At a glance',
  who_now: 'Who is there now',
  since_looked: 'Since you last looked, {when}',
  visits_pageviews: '{visits} visits, {pageviews} pageviews',
  notes: 'Notes',
  add_note: 'Add a note',
})

/** Days of the week, as reports show them. */
export const weekdayNames = messages('value.weekday', {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
})

/** What reports show where there is no value, or for all the others. */
export const placeholders = messages('value.none', {
  direct_none: 'Direct / None',
  not_set: '(not set)',
  none: '(none)',
  other: '(other)',
  entrance: '(entrance)',
  exit: '(exit)',
})

/** Tabs of the overview: dimensions by the names of their values. */
export const tabNames = messages('tab', {
  source: 'Sources',
  channel: 'Channels',
  utm_campaign: 'Campaigns',
  referrer: 'Referrers',
  page: 'Pages',
  entry_page: 'Entry pages',
  exit_page: 'Exit pages',
  country: 'Countries',
  region: 'Regions',
  city: 'Cities',
  language: 'Languages',
  browser: 'Browsers',
  os: 'Systems',
  device: 'Devices',
  screen: 'Screens',
  goal: 'Goals',
  event: 'Events',
})

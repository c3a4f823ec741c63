/** Messages of reports: their notes and faults, and names of weekdays and placeholders. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('stats', {
  // Notes of reports
  bounces_of_entries: '{bounce_rate} and {visit_duration} count only visits that entered on a page that matches the filter.',
  only_matching_hits: '{dimension}: the list shows only values that match the filter.',
  hidden_events: 'Hidden events are left out: {names}{more, plural, =0 {} other { and # more}}.',
  no_such_page: '{path}: this site has never had a page {value}.',
  no_such_event: '{name}: this site has no event with the name {value}.',
  no_such_value: '{pointer}: nothing on this site has ever matched {dimension} {operator} {value}.',
  filters_exclude: '{pointers}: these filters exclude each other: nothing can pass all of them on {dimension}, so the report is empty.',
  pages_apart:
    '{pointers}: no page passes all of these filters on {dimension}, so {pageviews} is 0. The visits counted saw a page for each filter. For visits to any of the pages, use one filter with several values.',
  several_time_zones: 'The sites of this group have several time zones. Each day and hour follows the clock of its site.',
  several_currencies: 'The sites of this group have several currencies, so amounts of money are not added up.',
  nothing_matches: 'Nothing matches the filters in this period.',
  no_data_yet: 'This site has received no hits yet.',
  before_first_day: 'The period ends before {day}, the first day with data of this site.',
  comparison_before_first_day: 'The comparison ends before {day}, the first day with data of this site, so there is no change to show.',
  people_unknown:
    'How many different people came is not known: a visitor is recognised for one day only, and this site identifies nobody ({identity} is off).',
  always_zero: '{metric} is always 0 in rows of {dimension}.',
  added_up: 'daily, added up',
  added_up_help: 'Visitors are counted once per day, and the days are added up. A person who visits on two days counts twice.',
  no_imported_history: '{include_imported} has no effect, because this site has no imported history.',
  imported_included: 'Includes imported daily totals from {from} to {to}.',
  imported_unknown: 'Unknown where imported totals are included, because these do not have it: {metrics}.',
  imported_without: 'Only of the days that have it, because some imported totals lack it: {metrics}.',
  imported_not_filtered: 'Imported daily totals from {from} to {to} are left out, because totals cannot be filtered.',
  imported_without_hours: 'Imported daily totals from {from} to {to} are left out, because they cannot be divided into less than days.',
  imported_not_divided: 'Imported daily totals from {from} to {to} are left out, because they are not known by {dimension}.',
  imported_not_in_report: 'Imported daily totals from {from} to {to} are left out, because this report is not made of totals.',
  other_currency: '{count} in a currency other than {currency}, which are not converted',
  invalid_revenue: '{count} with no amount in a known currency, or above the maximum',
  both: '{first}; {second}',
  revenue_not_counted: 'Revenue does not include amounts that were received on these days: {amounts}. {drops} lists them by day.',
  // Periods
  date_required: '{field} is required with {owner}=custom: a calendar day, YYYY-MM-DD',
  no_such_week: '{field} must be an existing week: this year has no week 53; received {received}',
  no_date: '{field} must be a calendar day, YYYY-MM-DD; received {received}',
  date_too_early: '{field} must not be before {earliest}; received {received}',
  date_too_late: '{field} must not be after {latest}; received {received}',
  date_in_future: '{field} must not be in the future; today is {today} in {zone}; received {received}',
  dates_reversed: '{last} must not be before {first}; received {from} to {to}',
  dates_too_far_apart: '{first} to {last} must not be more than 100 years; received {from} to {to}',
  date_not_read: '{field} has an effect only with {owner}=custom; received {owner}={choice}',
  too_many_points:
    '{field}={choice} would divide this range into about {count, number} points; the maximum is {most, number}. Use {fitting} or auto',
  // Limits of shared reports
  begins_too_early: '{what} must not begin before {earliest}: this link shares only the last {days} days.',
  comparison_begins_too_early: 'The comparison must not begin before {earliest}: this link shares only the last {days} days.',
  metric_not_shared: 'This link does not share {metric}.',
  segment_not_chosen: '{field} is not available here, because segments belong to the members of the site.',
  // Choices
  unknown_dimension: '{field} must be one of {known}; received {received}.',
  unknown_metric: '{field} must be one of {known}, which {of} has; received {received}.',
  unknown_conversion_rate:
    '{field} must be one of {known}, which {of} has; received {received}. conversion_rate is available for goals, and with a filter on a goal.',
  not_sorted_by: 'Rows of {dimension} have no {metric}. {field} must be one of {known}.',
  nothing_to_compare: '{field}={rank} requires a comparison: set {compare}, for example {compare}=previous_period.',
  unknown_segment: '{field} must be the id of a segment of this site; received {received}.',
  segment_not_applied: 'The segment can no longer be applied: {fault}',
  unknown_goal: '{field} must be the id or name of a goal of this site: {known}.',
  unknown_goal_id: '{field} must be the id of a goal of this site: {known}; received {received}.',
  days_cut_anew:
    'The time zone of the site was changed. Days before {until} were recorded under another one and are now cut at midnight in {timezone}. A visit across such a midnight counts on both days, and a visitor whose hits were recorded on two days counts twice.',
  days_cut_anew_from:
    'The time zone of the site was changed. Days from {from} to before {until} were recorded under another one and are now cut at midnight in {timezone}; earlier days are done. A visit across such a midnight counts on both days, and a visitor whose hits were recorded on two days counts twice.',
  none: '(none)',
  dimension_twice: '{field} must not repeat another dimension; received {received}.',
  too_many_rows: 'These dimensions have more than 200,000 combinations in this period. Use fewer dimensions, a filter or a shorter period.',
  a_table_by: 'a table by {dimensions}',
  a_series: 'a series',
  a_series_by: 'a series by {dimension}',
  map: 'Map',
  map_says: 'Visitors by country; the table below has the figures',
  all_about: 'All about it',
  about: 'About',
  total_count: '{total} in all',
  rows_of: '{from}–{to} of {total}',
  find_in: 'Find in this list',
  what_visits_brought: 'Revenue and conversions of visits',
  pages_by_conversions: 'By conversions',
  pages_by_revenue: 'By revenue',
  who_reached: 'Visitors who reached it, 30 days',
  who_they_were: 'Who they were',
  share: 'Share',
  all_of: 'All {what}',
  change_heading: 'Change',
  at_a_glance: 'At a glance',
  who_now: 'Live visitors',
  since_looked: 'Since you last looked, {when}',
  visits_pageviews: '{visits} visits, {pageviews} pageviews',
  leave_imported_out: 'Leave imported history out',
  include_imported_history: 'Include imported history',
  countries_map: 'Visitors by country',
  choose_property: 'Property',
  conversion: 'Conversion',
  conversion_says: 'Purchases per 100 visits',
  conversion_rate_short: 'CR',
  week: 'When visitors come',
  week_says: 'Visitors of a usual week by the hour. The busiest hour is {when}, with {visitors}.',
  week_of_days: 'Mean of {from} to {to}',
  hour_says: '{day}, {hour}: {visitors}',
  visitors_mean: '{count, plural, one {# visitor} other {# visitors}}',
  compare_segments: 'Compare segments',
  one_segment: 'Visitors of',
  other_segment: 'Next to',
  stop_comparing: 'Back to the overview',
  no_segments_to_compare:
    'There is no segment yet. Set filters and save them as a segment; then compare it with all visitors or with another one.',
  table: 'Table',
  metrics: 'Metrics',
  time: 'Time',
  total: 'Total',
  all_visits: 'All visits',
  by_first: 'By',
  by_second: 'Then by',
  by_third: 'And by',
  no_dimension: 'Nothing',
  notes: 'Notes',
  add_note: 'Add a note',

  // Previews in forms
  goal_preview:
    'In the last 30 days {count, plural, one {{visits} visit would} other {{visits} visits would}} have reached it, {rate} of all visitors.',
  goal_preview_none: 'In the last 30 days no visit would have reached it.',
  segment_preview:
    'In the last 30 days {count, plural, one {{visits} visit matches} other {{visits} visits match}}, {share} of all visitors.',
  segment_preview_none: 'In the last 30 days no visit matches.',
  left_out_preview:
    'In the last 30 days {count, plural, one {{visits} visit matches} other {{visits} visits match}}, {share} of all visitors: they would not have been counted.',
})

/** Names of weekdays in reports. */
export const weekdayNames = messages('value.weekday', {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
})

/** Whether a visit bounced, in reports. */
export const bounceNames = messages('value.bounce', {
  yes: 'Yes',
  no: 'No',
})

/** Whether a visit was the first of its person, in reports. */
export const personNames = messages('value.new_person', {
  new: 'New',
  returning: 'Returning',
})

/** Texts for a missing value, and for all other values. */
export const placeholders = messages('value.none', {
  direct_none: 'Direct / None',
  not_set: '(not set)',
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
  browser_version: 'Browser versions',
  os_version: 'System versions',
  device: 'Devices',
  screen: 'Screens',
  goal: 'Goals',
  event: 'Events',
  map: 'Map',
  property: 'Properties',
  site: 'Sites',
})

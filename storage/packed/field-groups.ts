/** Fields whose streams are deflated together, since a report that reads one of them mostly reads the others. Each other field is a group. */
import { type FieldName, fieldNames } from './field-numbers.ts'

const together: readonly (readonly FieldName[])[] = [
  // The figures of visits, which all filtered reports read.
  ['hits_of_visit', 'visitor', 'number', 'duration', 'pageviews', 'events', 'bounce', 'revenue', 'sells', 'hit_revenue'],
  ['event', 'entry_page', 'exit_page'],
  ['started_at', 'at'],
  ['engaged_ms', 'scroll'],
  ['region', 'city'],
  ['source', 'referrer'],
  ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ['props_of_hit', 'key'],
  ['num', 'float_low', 'float_high'],
  // Only exports and what changes a day read these.
  ['attends', 'attended_at', 'entry_after', 'exit_after', 'next_seq', 'person_after', 'seq', 'interactive'],
  ['vital_place', 'vital_other', 'vital_seq', 'vital_metric', 'vital_page', 'vital_device', 'vital_value'],
  ['click_place', 'click_other', 'click_seq', 'click_page', 'selector', 'x', 'y'],
]
const grouped = new Set(together.flat())

export const fieldGroups: readonly (readonly FieldName[])[] = [
  ...together,
  ...fieldNames.filter(name => !grouped.has(name)).map(name => [name]),
]

/** Messages about the fields of goals. */
import { forPeople, messages } from '../../../runtime/texts/message.ts'

export const m = messages('goals', {
  name_taken: 'The site already has a goal with this name.',
  field_required: '{field} is required for {kind} goals.',
  page_required: '{field} is required for page goals, unless there is a regex.',
  path_or_regex: '{field} replaces the path; leave one of the two out.',
  regex_too_large: '{field} must have at most {most} states (its length times its counted repetitions).',
  no_field: '{kind} goals do not have the field {field}; leave it out.',
  property_required: '{field} is required if a value is set.',
  one_worth: '{field} and {other} are mutually exclusive.',
  conversions: 'Conversions',
  of_30_days: 'The last 30 days, compared with the 30 days before.',
  goals_say: 'Goals with their conversions of the last 30 days',
  goal: 'Goal',
  reached_by: 'Reached by',
  where_is: 'where {name} is {value}',

  // The form
  kind_page: 'A page is viewed',
  kind_page_help: 'For example the thank-you page after an order',
  kind_event: 'An event happens',
  kind_event_help: 'For example a sign-up that your site reports',
  kind_scroll: 'A page is read',
  kind_scroll_help: 'Visitors scroll down so far',
  kind_duration: 'Time is spent',
  kind_duration_help: 'On a page, or in a whole visit',
  kind_click: 'An element is clicked',
  kind_click_help: 'Named by a CSS selector',
  path_help: 'A page like /thanks. * matches any text within one part of the path, ** any text.',
  path_of_scroll: 'Empty: every page. * matches any text within one part of the path, ** any text.',
  path_of_duration: 'Empty: the whole visit. * matches any text within one part of the path, ** any text.',
  event_help: 'The name that your site sends.',
  click_event_help: 'The name under which clicks are counted. Empty: the selector.',
  depth_help: 'How much of the page visitors have to see, in percent.',
  duration_help: 'Seconds in which the page was looked at, or that the visit lasted.',
  selector_help:
    'For example .hero a. The own script of the site looks for it, up to ten minutes after you save. Earlier clicks are not counted. Anyone can read it there.',
  only_with: 'Only with certain properties, and what it is worth',
  more_fields: 'More, and what it is worth',
  more_properties: 'Further properties',
  add_property: 'Add a property',
  worth_each: 'Worth of each',
  worth_in_property: 'Or worth in a property',
  read_to: '{depth, number}% of {page}',
  looked_at: '{seconds, number} s on {page}',
  visit_of: 'a visit of {seconds, number} s',
  any_page: 'any page',
  worth: '{amount} each',
  worth_of: 'worth {property}',
})

forPeople(m, {
  field_required: '{field} is missing.',
  page_required: '{field} is missing.',
})

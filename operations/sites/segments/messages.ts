/** Messages about segments and conditions. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('segments', {
  open_report: 'Open the overview of this segment',
  name_taken: 'The site already has a segment with this name.',
  // Conditions
  too_many_conditions_in_all: '{field} must have at most {most} conditions in total; received {received}.',
  segment_too_large: '{field} may have at most {most} characters as JSON in a segment; received {received}.',
  too_many_conditions: '{field} must have at most {most} conditions; received {received}.',
  no_list: '{field} must be a list of conditions, each {form}; received {received}.',
  no_condition: '{field} must be {form}; received {received}.',
  form: `a list [dimension, operator, value] or an object '{'"any": [conditions]'}' or '{'"all": [conditions]'}'`,
  too_deep: '{field} nests deeper than {most} levels.',
  no_conditions: '{field} must have at least one condition.',
  not_three_parts: '{field} must be [dimension, operator, value]; received {count, plural, one {# item} other {# items}}.',
  not_one_of: '{field} must be one of {known}; received {received}.',
  no_country: '{field} must be a country: its ISO 3166-1 code, for example DE, or its name; received {received}.',
  // Values
  empty_text: '{field} must not be empty with {operator}, because every value would match.',
  no_texts: '{field} must be a list of strings with {operator}; received {received}.',
  no_values: '{field} must have at least one value.',
  too_many_values: '{field} must have at most {most} values; received {received}.',
  no_range: '{field} must be [least, most] with {operator}; received {received}.',
  range_reversed: '{field} must not start above its end; received {least}, {most}.',
  no_text: '{field} must be a string with {operator}; received {received}.',
  list_for_text: '{field} must be a string with {operator}; for a list, use any_of or none_of; received {received}.',
  text_too_long: '{field} must have at most {most} characters; received {received}.',
  no_number: '{field} must be a number with {operator}; received {received}.',
  // Received values
  a_list: 'a list of {count}',
  an_object: 'an object',
  nothing: 'nothing',
  // Shared reports
  not_shared: '{field} must be one of the shared dimensions {known}.',

  // The form
  visitors_where: 'Visitors of whom all of this is true',
  add_condition: 'Add a condition',
  of_report: 'Conditions of the report',
})

/** Messages about the fields of goals. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('goals', {
  name_taken: 'The site already has a goal with this name.',
  field_required: '{field} is required for {kind} goals.',
  no_field: '{kind} goals do not have the field {field}; leave it out.',
  property_required: '{field} is required if a value is set.',
  conversions_30: 'Conversions, 30 days',
  goals_say: 'Goals with their conversions of the last 30 days',
  goal: 'Goal',
  reached_by: 'Reached by',
  where_is: 'where {name} is {value}',

  // The form
  kind_page: 'A page is viewed',
  kind_page_help: 'For example the thank-you page after an order',
  kind_event: 'An event happens',
  kind_event_help: 'For example a sign-up that your site reports',
  path_help: 'A page like /thanks. * stands for any text within one part of the path, ** for any text.',
  event_help: 'The name that your site sends.',
  only_with: 'Only with a certain property',
})

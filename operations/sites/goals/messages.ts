/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('goals', {
  name_taken: 'The site has a goal of this name already.',
  field_required: '{field} is required of {kind} goals.',
  no_field: '{field} is no field of {kind} goals; leave it out.',
  property_required: '{field} is required with a value.',
  conversions_30: 'Conversions, 30 days',
  goals_say: 'Goals with their conversions of the last 30 days',
  goal: 'Goal',
  reached_by: 'Reached by',
  where_is: 'where {name} is {value}',
})

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('goals', {
  name_taken: 'The site has a goal of this name already.',
  field_required: '{field} is required of {kind} goals.',
  no_field: '{field} is no field of {kind} goals; leave it out.',
  property_required: '{field} is required with a value.',
})

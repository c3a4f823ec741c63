/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('channel_rules', {
  the_channel_rules_are_applied_to: 'The channel rules are applied to past visits.',
  the_channel_rules_could_not_be: 'The channel rules could not be applied.',
  the_channel_rules_are_being_applied: 'The channel rules are being applied to past visits.',
  applying_the_channel_rules_cancelled: 'Applying the channel rules cancelled.',
})

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('channel_rules', {
  the_channel_rules_are_applied_to: 'The channel rules are applied to past visits.',
  the_channel_rules_could_not_be: 'The channel rules could not be applied.',
  the_channel_rules_are_being_applied: 'The channel rules are being applied to past visits.',
  error_of_the_service: 'An error of the service; ask for it again.',
  too_many: 'A site has at most {most} channel rules.',
  no_such_rule: '{field}: the site has no such rule.',
  not_each_once: '{field} must name each of the {count} rules once.',
  too_many_visits: 'These days have too many different visits for a preview: ask for fewer.',
  applied_already: 'The rules are being applied already: {job}.',
  ended_already: 'This job is {status} already.',
  pattern_too_large: '{field} is too large: its length times its counted repetitions must be at most {most}.',
  patterns_too_large: '{field} is too much together with the patterns before it: in all they must come to at most {most}.',
  no_pattern: '{field} is not an RE2 pattern: {why}.',
  days_reversed: '{to} must not be before {from}.',
  applying_the_channel_rules_cancelled: 'Applying the channel rules cancelled.',
})

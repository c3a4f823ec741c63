/** Messages about channel rules and the job that applies them. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('channel_rules', {
  the_channel_rules_are_applied_to: 'The channel rules are applied to past visits.',
  the_channel_rules_could_not_be: 'The channel rules could not be applied.',
  the_channel_rules_are_being_applied: 'The channel rules are being applied to past visits.',
  error_of_the_service: 'Internal error. Start the job again.',
  too_many: 'A site has at most {most} channel rules.',
  no_such_rule: '{field}: the site has no such rule.',
  not_each_once: '{field} must contain each of the {count} rules exactly once.',
  too_many_visits: 'These days have too many different visits for a preview. Choose fewer days.',
  applied_already: 'The rules are already being applied: {job}.',
  ended_already: 'This job is already {status}.',
  pattern_too_large: '{field} is too large: its length times its counted repetitions must be at most {most}.',
  patterns_too_large: '{field} is too large together with the patterns before it: their total size must be at most {most}.',
  no_pattern: '{field} is not an RE2 pattern: {why}.',
  days_reversed: '{to} must not be before {from}.',
  applying_the_channel_rules_cancelled: 'Applying the channel rules cancelled.',
})

/** Messages about channel rules and the job that applies them, and names of channels. */
import { messages, type Sentence } from '../../../runtime/texts/message.ts'

export const m = messages('channel_rules', {
  application_done: 'The channel rules are applied to past visits.',
  application_failed: 'The channel rules could not be applied.',
  application_running: 'The channel rules are being applied to past visits.',
  error_of_the_service: 'Internal error. Start the job again.',
  too_many: 'A site has at most {most} channel rules.',
  no_such_rule: '{field}: the site has no such rule.',
  not_each_once: '{field} must contain each of the {count} rules exactly once.',
  too_many_visits: 'These days have too many different visits for a preview. Choose fewer days.',
  applied_already: 'The rules are already being applied: {job}.',
  ended_already: 'This job is already {status}.',
  pattern_too_large: '{field} is too large: its length times its counted repetitions must be at most {most}.',
  patterns_too_large: '{field} is too large together with the other patterns: their total size must be at most {most}.',
  no_pattern: '{field} is not an RE2 pattern: {why}.',
  days_reversed: '{to} must not be before {from}.',
  applying_the_channel_rules_cancelled: 'Applying the channel rules cancelled.',
  channel_label: 'Channel',
  channel_help: 'A new name, or a channel that there is: its visits are added to it.',
  apply_help: 'Visits of these days get the channel that the rules give them today. This runs in the background.',
  first_day: 'First day',
  last_day: 'Last day',
  its_visits: 'Visits that belong to it',
  visits_with: 'Visits for which {match} hold',
  all_of_these: 'all of these conditions',
  one_of_these: 'any of these conditions',
  add_condition: 'Add a condition',
  part_of_visit: 'Of the visit',
  comparison: 'Comparison',
  position_help: 'The first rule that matches decides. Empty: after all others.',
})

/** Names of channels in reports; `CHANNELS` has their rules. */
export const channelNames = messages('value.channel', {
  cross_network: 'Cross-network',
  paid_shopping: 'Paid Shopping',
  paid_search: 'Paid Search',
  paid_social: 'Paid Social',
  paid_video: 'Paid Video',
  display: 'Display',
  paid_other: 'Paid Other',
  organic_shopping: 'Organic Shopping',
  organic_social: 'Organic Social',
  organic_video: 'Organic Video',
  ai_assistants: 'AI Assistants',
  organic_search: 'Organic Search',
  email: 'Email',
  affiliates: 'Affiliates',
  audio: 'Audio',
  sms: 'SMS',
  mobile_push: 'Mobile Push',
  referral: 'Referral',
  direct: 'Direct',
})

const channelsByName = new Map(Object.values(channelNames).map(name => [name.english as string, name()]))
/** A channel as people read it in their language; the name of a custom channel stays as it is. */
export const channelSentence = (name: string): Sentence => channelsByName.get(name) ?? name

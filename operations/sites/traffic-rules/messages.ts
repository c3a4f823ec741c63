/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('traffic_rules', {
  too_many: 'A site has at most {most, number} traffic rules; a range is one.',
  value_taken: 'The site has a rule for this value already.',
  ends_in_past: '{field} must be in the future; it is {now} now.',
  no_country: '{field} must be an ISO 3166-1 code like DE.',
  no_region: '{field} must be an ISO 3166-2 code like DE-BE.',
  no_path: '{field} must begin with / or *, like /preview/*.',
  matches_everything: '{field} must have a character other than *: it would match everything.',
  too_many_stars: '{field} must have at most {most} *; it has {stars}.',
  no_address: '{field} must be an IP address, or a range like 203.0.113.0/24.',
  range_too_wide: '{field} must not be wider than /{widest}.',
})

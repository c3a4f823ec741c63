/** Messages about traffic rules. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('traffic_rules', {
  too_many: 'A site has at most {most, number} traffic rules. For many addresses, use a range.',
  value_taken: 'The site already has a rule for this value.',
  ends_in_past: '{field} must be in the future; it is now {now}.',
  no_country: '{field} must be an ISO 3166-1 code, for example DE.',
  no_region: '{field} must be an ISO 3166-2 code, for example DE-BE.',
  no_path: '{field} must begin with / or *, for example /preview/*.',
  matches_everything: '{field} must have a character other than *, because it would match everything.',
  too_many_stars: '{field} must have at most {most} *; it has {stars}.',
  no_address: '{field} must be an IP address, or a range, for example 203.0.113.0/24.',
  range_too_wide: '{field} must not be wider than /{widest}.',
})

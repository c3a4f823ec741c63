/** Messages of uptime checks: faults of their fields. */
import { forPeople, messages } from '../../../runtime/texts/message.ts'

export const m = messages('uptime', {
  field_required: '{field} is required for a check of kind {kind}.',
  field_not_used: '{field} must be left out or null for a check of kind {kind}.',
  not_a_url: '{field} must be an http:// or https:// address without a user name or password.',
  not_a_host: '{field} must be a host name or an IP address, without a port.',
  head_has_no_body: '{field} must be GET for a check of kind keyword: HEAD has no body.',
  interval_too_short: 'The plan {plan} requires an interval of at least {least} seconds; received {received}.',
  not_paused: 'The check is not paused: it is {state}.',
  own_location: '{field} must differ from {location}, the location of this installation.',
  availability: 'Availability',
  strip_says: 'The last {days} days: {bad} with an outage',
  up_in_30: '{share} up in 30 days',
  certificate_until: 'certificate until {when}',
  not_watched_yet: 'not watched yet',
  no_outage: 'no outage',
  down_for: 'down for {time}',
  outages: 'Outages',
  never_down: 'It was never down since it is watched.',
  began: 'Began',
  ended: 'Ended',
  lasted: 'Lasted',
  cause: 'Cause',
  cause_status: 'status {status}',
  seen_from: 'Seen from',
  still_down: 'still down',
  range: 'Range',
  location: 'Location',
  all_locations: 'All locations',
  response_time: 'Response time',
  nothing_answered: 'Nothing answered in this range.',
  range_24h: '24 hours',

  // The form
  kind_http: 'A page answers',
  kind_keyword: 'A page has a text',
  kind_tcp: 'A port is open',
  kind_dns: 'A name resolves',
  every: 'Every {interval}',
  seconds: '{count, plural, one {# second} other {# seconds}}',
  minutes: '{count, plural, one {# minute} other {# minutes}}',
  hours: '{count, plural, one {# hour} other {# hours}}',
})

forPeople(m, {
  field_required: '{field} is missing.',
})

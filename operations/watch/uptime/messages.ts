/** Messages of uptime checks: faults of their fields. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('uptime', {
  field_required: '{field} is required for a check of kind {kind}.',
  field_not_used: '{field} must be left out or null for a check of kind {kind}.',
  not_a_url: '{field} must be an http:// or https:// address without a user name or password.',
  not_a_host: '{field} must be a host name or an IP address, without a port.',
  head_has_no_body: '{field} must be GET for a check of kind keyword: HEAD has no body.',
  interval_too_short: 'The plan {plan} requires an interval of at least {least} seconds; received {received}.',
  not_paused: 'The check is not paused: it is {state}.',
  own_location: '{field} must differ from {location}, the location of this installation.',
})

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('tokens', {
  permission_not_held: 'The token used here does not hold {name}, so it cannot give it.',
  no_such_site: 'There is no such site.',
  address_not_held: 'The token used here is not accepted from all of {range}, so it cannot give it.',
  expiry_after_now: 'expires_at must be after now, {now}.',
  expiry_within_token: 'expires_at must be no later than the token used here expires, {limit}.',
  all_sites: 'all sites',
  sites_counted: 'sites: {count}',
  from_anywhere: 'from anywhere',
  revoked_at: 'revoked {when}',
  permissions_counted: 'permissions: {count}',
  last_used: 'last used {when}',
  never_used: 'never used',
  expires_at: 'expires {when}',
  never_expires: 'never expires',
})

/** Messages about limits of new tokens. */
import { forPeople, messages } from '../../../runtime/texts/message.ts'

export const m = messages('tokens', {
  permission_not_held: 'The calling token does not have {name}, so it cannot grant it.',
  no_such_site: 'There is no such site.',
  address_not_held: 'The calling token is not accepted from all of {range}, so it cannot grant it.',
  expiry_after_now: 'expires_at must be in the future; it is now {now}.',
  expiry_within_token: 'expires_at must not be later than the expiry of the calling token, {limit}.',
  not_own_token: 'The token belongs to another member. Only its owner can rotate it; you can revoke it.',
  rotated_already: 'The token was rotated already. Rotate the token that replaced it: {id}.',
  client_renews: 'An OAuth client holds the token and renews it by itself.',
  not_active: 'The token is {status}. Create a new one.',
  rotated: 'rotated',
  all_sites: 'all sites',
  sites_counted: '{count, plural, one {# site} other {# sites}}',
  from_anywhere: 'from anywhere',
  revoked_at: 'revoked {when}',
  permissions_counted: '{count, plural, one {# permission} other {# permissions}}',
  last_used: 'last used {when}',
  never_used: 'never used',
  expires_at: 'expires {when}',
  never_expires: 'never expires',

  // The form
  may: 'The token may',
  may_help: 'Choose at least one.',
  preset_read: 'Read only',
  preset_export: 'Read and export',
  preset_content: 'Read and change content',
  preset_hits: 'Send hits',
  presets: 'Presets',
  proposed_name: 'Read reports',
})

forPeople(m, {
  rotated_already: 'The token was rotated already. Rotate the token that replaced it.',
})

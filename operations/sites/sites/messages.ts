/** Messages about sites. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sites', {
  domain_taken: 'Another site of this installation already has this domain or umami_id.',
  no_workspace: 'You are not a member of such a workspace.',
  no_permission_there: 'You need the permission {permission} in that workspace.',
  new_visits: '{count} visits since you last looked',
  no_visitors: 'No visitors in this period',
  visitors: 'visitors',
  now: 'Now',
  all_sites: '{count, plural, one {# site} other {All # sites}}',
  find_site: 'Find a site',
  no_site_found: 'No site has this in its name or domain.',
  pin: 'Pin {name}',
  unpin: 'Unpin {name}',
  what_counts: 'Pages and sources',
  others_see: 'Public figures and other products',
  domain_or_name: 'the domain or the name of the site',
  identified: 'People',
  same_trait: 'Two traits have the name {name}.',
  visitors_today: '{count, plural, one {# visitor today} other {# visitors today}}',
})

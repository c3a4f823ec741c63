/** Messages about sites. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sites', {
  domain_taken: 'Another site of this installation already has this domain or umami_id.',
  alias_taken: 'Another site of this installation already has one of these names, as its domain, its umami_id or an alias.',
  aliases_label: 'Other names',
  aliases_help:
    'Former domains, and website ids of other products that the pages still send. Hits under these names count for the site. After a change of the domain, the former one counts for 72 hours.',
  no_workspace: 'You are not a member of such a workspace.',
  no_permission_there: 'You need the permission {permission} in that workspace.',
  new_visits: '{count, plural, one {# visit} other {# visits}} since you last looked',
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
  domain_help: 'The domain of your pages. A www. or https:// in front of it is removed.',
  calendar_of_site: 'Days begin at midnight in {timezone}, weeks on {weekday}, and amounts are in {currency}.',
  public_label: 'Public figures',
  public_help: 'Anyone may see the badge and the public figures of the site.',
  umami_label: 'Website ID in Umami',
  umami_help: 'If the pages still have the snippet of Umami: the data-website-id in it. Their hits then count for this site.',
  move_label: 'Move to the workspace',
})

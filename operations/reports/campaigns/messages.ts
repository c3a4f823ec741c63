/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('campaigns', {
  too_many: 'A site has at most {most} campaigns.',
  ends_before_start: '{end} must not be before {start}.',
  no_goal: '{field} must be the id of a goal of this site.',
  utm_campaign_taken: 'The site has a campaign with this utm_campaign already.',
  foreign_host: '{field} must lead to the domain of a site of this workspace, or to one of its link hosts; {host} is neither.',
  host_listed: 'This host is on the list.',
  too_many_hosts: 'A workspace has at most {most} link hosts.',
  too_many_links: 'A site has at most {most} campaign links.',
  no_address: '{field} must be an address with https:// or http://, without a user name.',
  short_address: '{field} must be the address of a page, not a short one.',
  slug_taken: 'This slug is taken.',
  campaign: 'Campaign',
})

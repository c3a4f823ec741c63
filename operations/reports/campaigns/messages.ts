/** Messages about campaigns and their links. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('campaigns', {
  too_many: 'A site has at most {most} campaigns.',
  ends_before_start: '{end} must not be before {start}.',
  no_goal: '{field} must be the id of a goal of this site.',
  utm_campaign_taken: 'The site already has a campaign with this utm_campaign.',
  foreign_host: '{field} must be on the domain of a site of this workspace, or on one of its link hosts; {host} is not.',
  host_listed: 'This host is already in the list.',
  too_many_hosts: 'A workspace has at most {most} link hosts.',
  too_many_links: 'A site has at most {most} campaign links.',
  no_address: '{field} must be a URL with https:// or http://, without a user name.',
  short_address: '{field} must be the URL of a page, not a short URL.',
  slug_taken: 'This slug is already in use.',
  campaign: 'Campaign',
  cost_not_narrowed:
    '{cost} is the cost of all visits of a campaign, so it is omitted with {filters} that keep only a part of them. Conditions on {utm_campaign} keep it.',
  tag_label: 'Campaign in the links (utm_campaign)',
  tag_help: 'Visits with exactly this value belong to the campaign.',
  cost_help: 'The whole cost.',
  goal_label: 'Goal that it is for',
  no_goal_chosen: 'All conversions',
  page_label: 'The link leads to',
  page_help: 'A page of one of your sites.',
  source_label: 'Source (utm_source)',
  medium_label: 'Medium (utm_medium)',
  campaign_label: 'Campaign (utm_campaign)',
  content_label: 'Content (utm_content)',
  term_label: 'Term (utm_term)',
  becomes: 'The short link leads to:',
  slug_label: 'End of the short link',
  slug_help: 'Small letters, digits and dashes. Empty: a random one.',
})

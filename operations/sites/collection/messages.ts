/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('collection', {
  too_fast: 'Hits come in faster than they can be stored; send this one again.',
  no_token_of_site: 'Sending hits from a server needs a token of the site’s workspace with sites.manage.',
  no_script: 'There are footfall.js, pa-….js, and script.js with any of .{words} before its .js.',
  no_address: '{field} must be an IPv4 or IPv6 address.',
  no_page: '{field} must be the URL of a page, or its path.',
})

/** Channels, as reports show them; `CHANNELS` has their rules. */
export const channelNames = messages('value.channel', {
  cross_network: 'Cross-network',
  paid_shopping: 'Paid Shopping',
  paid_search: 'Paid Search',
  paid_social: 'Paid Social',
  paid_video: 'Paid Video',
  display: 'Display',
  paid_other: 'Paid Other',
  organic_shopping: 'Organic Shopping',
  organic_social: 'Organic Social',
  organic_video: 'Organic Video',
  ai_assistants: 'AI Assistants',
  organic_search: 'Organic Search',
  email: 'Email',
  affiliates: 'Affiliates',
  audio: 'Audio',
  sms: 'SMS',
  mobile_push: 'Mobile Push',
  referral: 'Referral',
  direct: 'Direct',
})

/** Devices, as reports show them. */
export const deviceNames = messages('value.device', {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
})

/** Messages to senders of hits, and names of channels and devices. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('collection', {
  too_fast: 'Hits arrive faster than they can be stored. Send this hit again.',
  no_token_of_site: 'To send hits from a server, use a token of the site’s workspace with sites.manage.',
  no_script: 'Available scripts are footfall.js, pa-….js, and script.js with any of .{words} before its .js.',
  no_address: '{field} must be an IPv4 or IPv6 address.',
  no_page: '{field} must be the URL of a page, or its path.',
})

/** Names of channels in reports; `CHANNELS` has their rules. */
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

/** Names of devices in reports. */
export const deviceNames = messages('value.device', {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
})

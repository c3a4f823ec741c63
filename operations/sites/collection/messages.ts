/** Messages to senders of hits, reasons for dropping hits, and names of devices. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('collection', {
  spool_full: 'The database is away, and the space for waiting hits is used up. Send this hit again.',
  too_fast: 'Hits arrive faster than they can be stored. Send this hit again.',
  no_token_of_site: 'To send hits from a server, use a token of the site’s workspace with sites.manage.',
  no_script: 'Available scripts are footfall.js, pa-….js, and script.js with any of .{words} before its .js.',
  no_address: '{field} must be an IPv4 or IPv6 address.',
  is_counted: 'Such a hit is counted.',
  is_not_counted: 'Such a hit is not counted.',
  would_have_dropped: 'Stored hits of the last 30 days that it would have kept out: {count, number}.',
  pages_counted: 'The pages in the log lines are counted.',
  no_pages_counted: 'No log line counts as a page.',
  hits_stored: 'The hits are counted.',
  no_hits_stored: 'None of the hits counts.',
  no_page: '{field} must be the URL of a page, or its path.',
})

/** Reasons for dropping a hit, counted for its site; `collection_drops` returns the counts. */
export const dropReasons = messages('drop_reason', {
  bot: 'The user agent is a bot, a crawler or a program',
  spam_referrer: 'The referrer is known for spam',
  unsupported: 'A message of another product’s tag that has no place here',
  traffic_rule: 'A traffic rule of the site keeps it out',
  unknown_site: 'No site has this domain or id',
  no_visit: 'An engagement signal that follows no visit within 30 minutes',
  too_old: 'The day of the hit closed more than 48 hours ago',
  in_future: 'The hit is dated more than five minutes ahead',
  invalid: 'The time of the hit is out of range',
  other_currency: 'Kept without its revenue: its currency is not the currency of the site',
  invalid_revenue: 'Kept without its revenue: no amount in a known currency, or over ten thousand million',
})

/** Names of devices in reports. */
export const deviceNames = messages('value.device', {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  tv: 'TV',
  console: 'Console',
  wearable: 'Wearable',
  embedded: 'Embedded',
})

/** Names of kinds of networks in reports. */
export const networkKindNames = messages('value.network_kind', {
  hosting: 'Hosting',
  vpn: 'VPN',
  internet_provider: 'Internet provider',
  mobile_network: 'Mobile network',
  education: 'Education',
})

/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('collection', {
  too_fast: 'Hits come in faster than they can be stored; send this one again.',
  no_token_of_site: 'Sending hits from a server needs a token of the site’s workspace with sites.manage.',
  no_script: 'There are footfall.js, pa-….js, and script.js with any of .{words} before its .js.',
  no_address: '{field} must be an IPv4 or IPv6 address.',
  no_page: '{field} must be the URL of a page, or its path.',
})

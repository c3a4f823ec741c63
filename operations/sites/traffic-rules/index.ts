/** Exports of this area for other areas: new hits are tested when they are received. */
export type { Facts } from './compile.ts'
export { matchCounter, matchesOf } from './matches.ts'
export { dropsOf, pastOf, pastRule, type PastRule } from './past.ts'
export { plainTraffic, type SiteTraffic, siteTraffic, type TrafficOf } from './site-traffic.ts'
export { isSpamReferrer, type SpamReferrers, spamReferrers } from './spam-referrers.ts'
export { SPAM_REFERRERS_FILE } from './settings.ts'
export { readValue } from './value.ts'
export { wildcard } from './wildcard.ts'

/** The channel of a visit, by the first matching rule: Google's default channel group, plus AI assistants. */
import type { SourceKind } from './source-table.ts'

export type Channel = (typeof CHANNELS)[number]

/** The input of the rules, in lower case. */
export interface Arrival {
  readonly kind: SourceKind | undefined
  readonly source: string
  readonly medium: string
  readonly campaign: string
  /** Whether a click id or the spelling of the source shows that the click was paid. */
  readonly ad: boolean
}

const PAID = /^(.*cp.*|ppc|retargeting|paid.*)$/
const SHOP_CAMPAIGN = /^(.*(([^a-df-z]|^)shop|shopping).*)$/
const EMAIL = words('email', 'e-mail', 'e_mail', 'e mail', 'newsletter')
const DISPLAY = words('display', 'banner', 'expandable', 'interstitial', 'cpm')
const SOCIAL = words('social', 'social-network', 'social-media', 'sm', 'social network', 'social media')
const NOTHING = words('', '(none)', '(not set)')

const paid = (arrival: Arrival) => arrival.ad || PAID.test(arrival.medium)
const shop = (arrival: Arrival) => arrival.kind === 'shopping' || SHOP_CAMPAIGN.test(arrival.campaign)

const RULES = [
  ['Cross-network', ({ medium, campaign }) => medium === 'cross-network' || campaign.includes('cross-network')],
  ['Paid Shopping', arrival => shop(arrival) && paid(arrival)],
  ['Paid Search', arrival => arrival.kind === 'search' && paid(arrival)],
  ['Paid Social', arrival => arrival.kind === 'social' && paid(arrival)],
  ['Paid Video', arrival => arrival.kind === 'video' && paid(arrival)],
  ['Display', ({ kind, medium }) => kind === 'display' || DISPLAY.has(medium)],
  ['Paid Other', paid],
  ['Organic Shopping', shop],
  ['Organic Social', ({ kind, medium }) => kind === 'social' || SOCIAL.has(medium)],
  ['Organic Video', ({ kind, medium }) => kind === 'video' || medium.includes('video')],
  ['AI Assistants', ({ kind, medium }) => kind === 'ai' || medium === 'ai-assistant'],
  ['Organic Search', ({ kind, medium }) => kind === 'search' || medium === 'organic'],
  ['Email', ({ kind, source, medium }) => kind === 'email' || EMAIL.has(source) || EMAIL.has(medium)],
  ['Affiliates', ({ medium }) => medium === 'affiliate' || medium === 'affiliates'],
  ['Audio', ({ medium }) => medium === 'audio' || medium === 'podcast'],
  ['SMS', ({ source, medium }) => source === 'sms' || medium === 'sms'],
  ['Mobile Push', ({ source, medium }) => /push$|mobile|notification/.test(medium) || source === 'firebase'],
  ['Referral', ({ source, medium }) => source !== '' || !NOTHING.has(medium)],
  ['Direct', () => true],
] as const satisfies ReadonlyArray<readonly [string, (arrival: Arrival) => boolean]>

/** Every channel, in the order of the rules. */
export const CHANNELS = Object.freeze(RULES.map(([channel]) => channel))

const channels: ReadonlySet<string> = new Set(CHANNELS)
export const isChannel = (name: string): name is Channel => channels.has(name)

export function channelOf(arrival: Arrival): Channel {
  return RULES.find(([, matches]) => matches(arrival))?.[0] ?? 'Direct'
}

function words(...all: string[]): ReadonlySet<string> {
  return new Set(all)
}

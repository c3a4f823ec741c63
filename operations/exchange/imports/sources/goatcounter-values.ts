/** Values that GoatCounter's two exports share: referrers, and devices by the width of the screen. */
import { m } from '../messages.ts'
import { bareHost, deviceOfWidth, type JsonObject, sourceOfHost } from '../../../sites/collection/index.ts'
import type { LeaveOut } from '../left-out.ts'
import { textIn } from './values.ts'

/** Referrers that GoatCounter puts into a group (`g`), and our source or the host for it. Other groups have our name. */
const groups: ReadonlyMap<string, string> = new Map([
  ['slack chat', 'Slack'],
  ['telegram messenger', 'Telegram'],
  ['www.facebook.com', 'Facebook'],
  ['www.reddit.com', 'Reddit'],
])
/** A post on Twitter, whose short link GoatCounter replaces by a search for it. */
const TWEET = /^twitter\.com\/search\?q=(https%3A%2F%2Ft\.co%2F\w+)$/i
const PACKAGE = /^[a-z]\w*(?:\.\w+)+(?:\/|$)/i

/** The name of a group as our sources have it. */
export const groupOf = (name: string): string => groups.get(name.toLowerCase()) ?? name

/** The address of a referrer that is stored without its scheme. */
export function addressOf(referrer: string): string {
  const [, tweet] = TWEET.exec(referrer) ?? []
  return tweet === undefined ? `https://${referrer.replace(/^https?:\/\//, '')}` : decodeURIComponent(tweet)
}

/** The fields of a hit for its referrer, by the kind that GoatCounter calls its scheme. */
export function referrerOf(record: JsonObject, leaveOut: LeaveOut): JsonObject {
  const original = textIn(record, 'Original Referrer')
  const referrer = textIn(record, 'Referrer') || textIn(record, 'Referrer (sanitized)')
  if (referrer === '') return original === '' ? {} : { referrer: original }
  switch (textIn(record, 'Referrer scheme')) {
    case 'h':
      return { referrer: addressOf(referrer) }
    case 'g':
      return { source: groupOf(referrer) }
    case 'c':
      return campaignOf(record, referrer)
    case 'o':
      if (PACKAGE.test(referrer)) return { referrer: `android-app://${referrer}` }
      leaveOut('Referrer', m.referrer_not_read())
      return {}
    default:
      if (original !== '') return { referrer: original }
      return isAddress(referrer) ? { referrer: addressOf(referrer) } : { source: groupOf(referrer) }
  }
}

/** Whether a referrer of an unknown kind is an address, and not the name of a group. */
const isAddress = (referrer: string): boolean => !/\s/.test(referrer) && referrer.slice(1, -1).includes('.')

/** The value of utm_source or ref; in version 1 first the value of utm_campaign. A campaign without a source leaves the referring address. */
function campaignOf(record: JsonObject, referrer: string): JsonObject {
  if (/^[a-z][a-z-]*:\/\//i.test(referrer)) return { referrer }
  return Object.hasOwn(record, '1Path') ? { source: referrer, utm_campaign: referrer } : { utm_source: referrer }
}

/** The name of the source of a referring host or app. */
export function sourceOf(referrer: string): string {
  const host = bareHost(/^[^/]*/.exec(referrer)?.[0] ?? '')
  return sourceOfHost(host)?.name ?? host
}

const systems: ReadonlyArray<readonly [system: RegExp, device: string]> = [
  [/^(?:windows phone|kaios|java me|maui|sailfish)/i, 'mobile'],
  [/^(?:windows|mac ?os|linux|chrome os|sunos|haiku|fuchsia)|bsd/i, 'desktop'],
  [/^playstation/i, 'console'],
  [/^tizen/i, 'tv'],
]

/** The device by its system and screen; '' if both are unknown. Phones and tablets differ by the shorter side. */
export function deviceOf(system: string, { width, height }: { width: number; height: number }): string {
  const [, device] = systems.find(([expression]) => expression.test(system)) ?? []
  if (device !== undefined) return device
  const side = height > 0 ? Math.min(width, height) : width
  if (/^(?:android|ios)/i.test(system)) return side > 0 && deviceOfWidth(side) !== 'mobile' ? 'tablet' : 'mobile'
  return width > 0 ? deviceOfWidth(width) : ''
}

/** Random hits of a site: their contents and their times. */
import fc from '../../../support/properties.ts'
import type { LiveSite } from '../../../../operations/sites/sites/records.ts'
import type { NewHit } from '../../../../storage/hits/new-hit.ts'
import type { OracleGoal } from './oracle.ts'
import { hit } from '../traffic.ts'

export type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never

export const goals: readonly OracleGoal[] = [
  { id: 'goal_a', name: 'Blog', path: '/blog/*' },
  { id: 'goal_b', name: 'Anything', path: '/**' },
  { id: 'goal_c', name: 'Signup', event: 'signup' },
  { id: 'goal_d', name: 'Pro signup', event: 'signup', property: 'plan', value: 'pro' },
  { id: 'goal_e', name: 'Priced', event: 'buy', property: 'price' },
  { id: 'goal_f', name: 'Never', event: 'nothing' },
  { id: 'goal_g', name: 'Read', path: '/blog/a', property: 'plan' },
  { id: 'goal_h', name: 'Half', path: '/blog/**', depth: 50, amount: 250 },
  { id: 'goal_i', name: 'Far', depth: 80, property: 'plan', value: 'pro' },
  { id: 'goal_j', name: 'Minute', regex: '^/(docs|blog)', seconds: 60 },
  { id: 'goal_k', name: 'Long', seconds: 600, amountIn: 'price' },
  { id: 'goal_l', name: 'Doc', regex: '[Dd]ocs$', amount: 1 },
  {
    id: 'goal_m',
    name: 'Free at 5',
    event: 'buy',
    property: 'price',
    properties: [
      { property: 'plan', value: 'free' },
      { property: 'price', value: '5' },
    ],
    amountIn: 'price',
  },
]
export const pages = ['/', '/blog/a', '/blog/b', '/blog/a/b', '/docs', '/Docs'] as const
export const events = ['signup', 'sign_up', 'buy', 'Buy', 'Outbound Link: Click'] as const
export const countries = ['DE', 'NP', ''] as const
export const campaigns = ['', 'spring', 'Spring sale'] as const
const channels = { '': 'Direct', spring: 'Email', 'Spring sale': 'Paid Search' } as const satisfies Readonly<
  Record<(typeof campaigns)[number], string>
>
export const hosts = ['example.com', 'shop.example.com'] as const
export const devices = ['mobile', 'desktop', ''] as const
const kinds = ['pageview', 'pageview', 'pageview', 'event', 'event', 'engagement', 'vitals', 'clicks', 'identify'] as const

export const sent = fc.record({
  who: fc.nat(6),
  /** Ten-thousandths of the time range of hits. */
  when: fc.nat(10_000),
  /** Close in time to the previous hit, and by the same visitor, so that visits form. */
  near: fc.boolean(),
  minutes: fc.integer({ min: 1, max: 45 }),
  kind: fc.constantFrom(...kinds),
  page: fc.constantFrom(...pages),
  event: fc.constantFrom(...events),
  interactive: fc.boolean(),
  revenue: fc.constantFrom(0, 0, 1999, -500),
  engagedMs: fc.nat(90_000),
  scroll: fc.nat(100),
  plan: fc.constantFrom(null, null, 'pro', 'free'),
  price: fc.constantFrom(null, 5, 12.5, 80, 'free'),
  user: fc.constantFrom(null, null, null, 'ann', 'bob', 'cem'),
  country: fc.constantFrom(...countries),
  version: fc.constantFrom('9', '10.5', '119', 'beta', ''),
  campaign: fc.constantFrom(...campaigns),
  device: fc.constantFrom(...devices),
  host: fc.constantFrom(...hosts),
  lcp: fc.nat(6_000),
  cls: fc.constantFrom(0, 0.1, 0.101, 0.25, 0.251),
  x: fc.nat(10_000),
})
export type Sent = Drawn<typeof sent>

const MINUTE = 60_000
/** Each hit has a slot of its own, so that no two are at one instant. */
const SLOT = 10_000
let hits = 0

export function hitsOf(site: LiveSite, drawn: readonly Sent[], from: number, to: number): NewHit[] {
  let before = { slot: from, who: 0 }
  return drawn.map(one => {
    const slot = one.near ? before.slot + one.minutes * MINUTE : from + (one.when / 10_000) * (to - from)
    before = { slot: Math.floor(Math.min(slot, to - SLOT) / SLOT) * SLOT, who: one.near ? before.who : one.who }
    return hitOf(site, one, `10.0.0.${before.who}`, before.slot + (hits++ % SLOT))
  })
}

/** Visitors belong to one of two halves, and no person to both: tests of groups make a site of each. */
export const halfOf = (ip: string): number => ip.charCodeAt(7) % 2

function hitOf(site: LiveSite, one: Sent, who: string, at: number): NewHit {
  const { kind, page, interactive, plan, price, campaign, country, device, lcp, cls } = one
  const [isEvent, isEngagement] = [kind === 'event', kind === 'engagement']
  const isHit = kind === 'pageview' || isEvent
  return hit(site, {
    who,
    at,
    kind,
    page,
    user: one.user === null ? null : { hash: `${one.user} ${halfOf(who)}`, name: null, traits: {} },
    interactive,
    event: isEvent ? one.event : '',
    revenue: isHit ? one.revenue : 0,
    engagedMs: isEngagement ? one.engagedMs : 0,
    scroll: isEngagement ? one.scroll : 0,
    props: isHit ? { ...(plan ? { plan } : {}), ...(price ? { price } : {}) } : {},
    visit: {
      country,
      device,
      utm_campaign: campaign,
      channel: channels[campaign],
      browser_version: one.version,
      source: campaign ? 'Google' : '',
      hostname: one.host,
    },
    vitals: kind === 'vitals' ? { lcp, cls } : {},
    clicks: kind === 'clicks' ? [{ selector: lcp % 2 ? '#buy' : 'footer', x: one.x, y: lcp }] : [],
  })
}

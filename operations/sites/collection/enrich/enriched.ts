/** Enriches a hit with data derived from its sender's address, browser and link. */
import type { OwnChannels } from '../../channel-rules/index.ts'
import type { NewHit } from '../../../../storage/hits/new-hit.ts'
import type { SentHit } from '../hit.ts'
import { type Priced, worthOf } from '../money.ts'
import type { NetworkOf } from '../networks/networks.ts'
import { acquisitionOf } from './acquisition.ts'
import { type ClientHints, hinted } from './client-hints.ts'
import { deviceOf } from './device.ts'
import type { Place } from './geo.ts'
import type { IgnoringReferrers } from './ignored-referrers.ts'
import { languageOf } from './language.ts'
import { parseUserAgent } from './user-agent.ts'

/** Settings of a site that its hits need. */
export interface EnrichedFor extends Priced {
  readonly number: number
  readonly timezone: string
  /** The site's own channels; undefined without rules. */
  readonly channels?: OwnChannels | undefined
  /** Query parameters that are part of a page, sorted. */
  readonly pageParameters: readonly string[]
  readonly ignoring: IgnoringReferrers
}

/** Data on the sender's device. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string
  readonly acceptLanguage: string
  /** Hints that the browser adds to its user agent. */
  readonly hints?: ClientHints
}

interface Enriched {
  readonly sent: SentHit
  readonly site: EnrichedFor
  readonly sender: Origin
  readonly at: number
  readonly placeOf: (ip: string) => Place
  readonly networkOf: NetworkOf
}

/** @param at epoch ms */
export const enriched = (of: Enriched): NewHit =>
  hitOf(of, { visit: visitOf(of), identity: { ip: of.sender.ip, userAgent: of.sender.userAgent } })

/** The dimensions of a visit that begins with the hit. */
export function visitOf({ sent, site, sender, placeOf, networkOf }: Omit<Enriched, 'at'>): NewHit['visit'] {
  const agent = hinted(parseUserAgent(sender.userAgent), sender.hints ?? '')
  const acquisition = acquisitionOf(sent, site.ignoring)
  const { source, referrer, channel, utm_source, utm_medium, utm_campaign, utm_content, utm_term } = acquisition
  const { country, region, city } = placeOf(sender.ip)
  const { network, network_kind } = networkOf(sender.ip)
  const ownChannel = site.channels?.({ ...acquisition, entry_page: sent.page, hostname: sent.hostname })
  return {
    channel,
    custom_channel: ownChannel ?? channel,
    source,
    referrer,
    utm_source,
    utm_medium,
    utm_campaign,
    utm_content,
    utm_term,
    country,
    region,
    city,
    browser: agent.browser,
    browser_version: agent.browser_version,
    os: agent.os,
    os_version: agent.os_version,
    device: deviceOf(agent, sent.width),
    screen: sent.screen,
    language: languageOf(sent.language, sender.acceptLanguage),
    hostname: sent.hostname,
    network,
    network_kind,
  }
}

/** A hit with the dimensions of its visit. @param at epoch ms */
export function hitOf(
  { sent, site, at }: Pick<Enriched, 'sent' | 'site' | 'at'>,
  { visit, identity }: Pick<NewHit, 'visit' | 'identity'>,
): NewHit {
  const worth = worthOf(sent, site)
  return {
    site: site.number,
    zone: site.timezone,
    at,
    identity,
    kind: sent.kind,
    page: sent.page,
    event: sent.name,
    interactive: sent.interactive,
    revenue: typeof worth === 'number' ? worth : 0,
    revenueFault: typeof worth === 'number' ? null : worth,
    engagedMs: sent.engagedMs ?? 0,
    scroll: sent.scroll ?? 0,
    props: propsOf(sent),
    visit,
    vitals: sent.vitals,
    clicks: sent.clicks,
  }
}

const noProps: NewHit['props'] = []

function propsOf({ props, tag }: SentHit): NewHit['props'] {
  if (props.length === 0 && !tag) return noProps
  return [...props, ...(tag ? [['tag', tag] as const] : [])].map(([key, value]) => [key, String(value), numberIn(value)])
}

function numberIn(value: string | number | boolean): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : null
}

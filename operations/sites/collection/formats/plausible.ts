/**
 * `POST /api/event`: Plausible's events API, as used by `plausible-tracker` 0.3, `@plausible-analytics/tracker` 0.4 and
 * its server-side clients, with the extensions of our own script.
 */
import { isObject } from '../../../../runtime/values/json.ts'
import type { HitKind } from '../../../../storage/hits/new-hit.ts'
import { LIMITS, type Parsed, type SentHit } from '../hit.ts'
import { claimsOf } from './claims.ts'
import { addFault, isFaulty, type Faults } from './faults.ts'
import type { JsonObject } from './json-object.ts'
import { clicksOf, engagedOf, screenOf, scrollOf, vitalsOf, widthOf } from './measures.ts'
import { personOf } from './person.ts'
import { propsOf } from './props.ts'
import { nameOf, pageOf } from './required.ts'
import { revenueOf } from './revenue.ts'
import { siteOf } from './site.ts'
import { text } from './text.ts'

/** All spellings of a field, in order of precedence. */
const FIELDS = {
  name: ['n', 'name'],
  url: ['u', 'url'],
  domain: ['d', 'domain'],
  referrer: ['r', 'referrer'],
  props: ['p', 'props', 'm', 'meta'],
  hash: ['h', 'hashMode'],
  interactive: ['i', 'interactive'],
  revenue: ['$', 'revenue'],
  scroll: ['sd'],
  engaged: ['e'],
  vitals: ['vt'],
  clicks: ['c'],
  width: ['w', 'screen_width'],
  screen: ['sc'],
  language: ['l'],
  title: ['t'],
  user: ['user'],
  traits: ['traits'],
  consent: ['consent'],
  ip: ['ip'],
  userAgent: ['user_agent'],
  timestamp: ['timestamp'],
} as const satisfies Record<string, readonly string[]>

type Field = keyof typeof FIELDS
/** The sent value of each field; undefined if there is none. */
export type Sent = Partial<Record<Field, unknown>>

const nothingSent = Object.fromEntries(Object.keys(FIELDS).map(field => [field, undefined])) as Record<Field, undefined>

/** The field of each spelling, and the place of the spelling in its order. */
const spellings = new Map<string, { readonly field: Field; readonly rank: number }>(
  Object.entries(FIELDS).flatMap(([field, all]) => all.map((spelling, rank) => [spelling, { field: field as Field, rank }] as const)),
)
type Measured = Pick<SentHit, 'scroll' | 'engagedMs' | 'vitals' | 'clicks'>

const TRUE: readonly unknown[] = [1, true, '1', 'true']
const FALSE: readonly unknown[] = [0, false, '0', 'false']

/**
 * Reads a decoded JSON body: one hit for each domain in it, or all of its faults. Ignores unknown fields and
 * invalid optional ones, except the claims of a server-side sender.
 */
export function parsePlausible(body: unknown): Parsed {
  if (!isObject(body)) return { errors: { request: ['must be a JSON object in UTF-8'] } }
  return parseSent(sentIn(body))
}

/** Reads the fields of a body, as `parsePlausible` does. */
export function parseSent(sent: Sent): Parsed {
  const faults: Faults = {}
  const name = nameOf(sent.name, faults)
  if (name === '') addFault(faults, 'name', 'is required')
  const named = sitesOf(sent.domain, faults)
  const fragment = TRUE.includes(sent.hash) ? 'keep' : 'drop'
  const address = pageOf({ sent: sent.url, fragment, base: baseOf(sent.url, named), faults })
  const sites = named.length > 0 ? named : sitesOf(address?.hostname, faults)
  if (address && sites.length === 0) addFault(faults, 'domain', 'is required if the url has no host')

  const kind = kindOf(name, sent)
  const { scroll, engagedMs, vitals, clicks } = measuredBy(kind, sent, faults)
  const claimed = claimsOf({ ip: sent.ip, userAgent: sent.userAgent, timestamp: sent.timestamp }, faults)
  if (!address || isFaulty(faults)) return { errors: faults }

  const { url, hostname, page, query } = address
  const counts = kind === 'pageview' || kind === 'event'
  const user = personOf({
    user: sent.user,
    traits: sent.traits ?? (kind === 'identify' ? sent.props : undefined),
    consent: sent.consent,
  })
  const props = counts ? propsOf(sent.props) : []
  return {
    hits: sites.map(site => ({
      site,
      kind,
      name: kind === 'event' ? name : '',
      url,
      hostname,
      page,
      query,
      referrer: text(sent.referrer, LIMITS.url),
      props,
      revenue: counts ? revenueOf(sent.revenue) : null,
      interactive: counts && !FALSE.includes(sent.interactive),
      screen: screenOf(sent.screen),
      width: widthOf(sent.width),
      language: text(sent.language, LIMITS.language),
      title: text(sent.title),
      tag: '',
      scroll,
      engagedMs,
      vitals,
      clicks,
      user,
      claimed,
    })),
  }
}

/** Goes through the body once: looking for all spellings in it takes several times as long. */
function sentIn(body: JsonObject): Sent {
  const sent: Sent = { ...nothingSent }
  let ranks: Partial<Record<Field, number>> | undefined
  for (const name of Object.keys(body)) {
    const value = body[name]
    const known = value === undefined || value === null ? undefined : spellings.get(name)
    if (!known) continue
    const { field, rank } = known
    if (sent[field] !== undefined && (ranks?.[field] ?? 0) <= rank) continue
    sent[field] = value
    if (rank > 0 || ranks) (ranks ??= {})[field] = rank
  }
  return sent
}

/** `vitals`, `click` and `identify` are recognized only with their own field, because a custom event may have the same name. */
function kindOf(name: string, sent: Sent): HitKind {
  if (name === 'pageview' || name === 'engagement') return name
  if (name === 'identify' && sent.user !== undefined) return 'identify'
  if (name === 'vitals' && isObject(sent.vitals)) return 'vitals'
  if (name === 'click' && Array.isArray(sent.clicks)) return 'clicks'
  return 'event'
}

function measuredBy(kind: HitKind, sent: Sent, faults: Faults): Measured {
  const vitals = sent.vitals
  const measured = {
    scroll: kind === 'engagement' ? scrollOf(sent.scroll) : null,
    engagedMs: kind === 'engagement' ? engagedOf(sent.engaged) : null,
    vitals: kind === 'vitals' && isObject(vitals) ? vitalsOf(vitals) : {},
    clicks: kind === 'clicks' ? clicksOf(sent.clicks) : [],
  }
  if (kind === 'engagement' && measured.scroll === null && measured.engagedMs === null) {
    addFault(faults, 'engagement', 'must have sd, a percentage, or e, milliseconds')
  }
  if (kind === 'vitals' && Object.keys(measured.vitals).length === 0) {
    addFault(faults, 'vt', 'must have one of lcp, inp, fcp, ttfb in milliseconds, or cls')
  }
  if (kind === 'clicks' && measured.clicks.length === 0) addFault(faults, 'c', 'must have one of {s, x, y}')
  return measured
}

/** The sites in a comma-separated list, without duplicates. */
function sitesOf(sent: unknown, faults: Faults): ReadonlyArray<SentHit['site']> {
  const all = text(sent, Infinity)
  if (!all.includes(',')) return all === '' ? [] : [siteOf(all)]
  const names = all
    .split(',')
    .map(name => text(name))
    .filter(name => name !== '')
  if (names.length > LIMITS.sites) {
    addFault(faults, 'domain', `must name at most ${LIMITS.sites} sites`)
    return []
  }
  const sites = new Map(names.map(siteOf).map(site => [site.value, site]))
  return [...sites.values()]
}

/** A bare path (`/about`) belongs to the first domain. */
function baseOf(url: unknown, [site]: ReadonlyArray<SentHit['site']>): string | undefined {
  return site?.by === 'domain' && typeof url === 'string' && url.startsWith('/') ? `https://${site.value}` : undefined
}

/** Converts a record of a file to hits, enriched like hits that a server sends. */
import { addressIn } from '../../../runtime/outbound/network.ts'
import { isObject } from '../../../runtime/values/json.ts'
import type { NewHit } from '../../../storage/hits/new-hit.ts'
import {
  bareHost,
  claimedTime,
  engagedOf,
  type EnrichedFor,
  hitOf,
  type JsonObject,
  LIMITS,
  NO_NETWORK,
  type NetworkOf,
  objectOf,
  parseSent,
  type Place,
  scrollOf,
  type Sent,
  type SentHit,
  isChannel,
  text,
  visitOf,
  vitalsOf,
  withPageParameters,
} from '../../sites/collection/index.ts'
import { isNetworkKind } from '../../../storage/engine/vocabulary/networks.ts'
import { isBot } from '../../sites/crawlers/index.ts'
import { type FieldMap, type FieldName, fieldReader, type FieldValues } from './fields.ts'
import { localTimes } from './local-times.ts'
import { anyNames, isNone, type Named, type Names } from './names/names.ts'
import { countryIn, regionIn } from './names/places.ts'

export interface ReadFor extends Omit<EnrichedFor, 'currencies'> {
  readonly domain: string
}

/** The hits of a record, its main one first; or the reason of its refusal. */
export type ReadHit<Hit = NewHit> = { readonly hits: readonly [Hit, ...Hit[]] } | { readonly fault: string }

const tags = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const

/** Field names of the format's error messages, and the names that files use. */
const wordings: Readonly<Record<string, string>> = { vt: 'vitals', c: 'clicks' }

interface ReadOptions {
  /** Columns that have other names. */
  readonly map: Partial<FieldMap>
  /** Time zone of times without an offset. */
  readonly zone: string
}

interface Checked {
  readonly values: FieldValues
  readonly sent: SentHit
  readonly who: NonNullable<ReturnType<typeof identityOf>>
  readonly at: number
}

/** Checks a record. @returns its fields, or the reason of its refusal */
function checkedReader(
  { domain, currency, pageParameters }: ReadFor,
  { map, zone }: ReadOptions,
): (record: JsonObject) => Checked | { readonly fault: string } {
  const fieldsOf = fieldReader(map)
  const toTime = localTimes(zone)
  return record => {
    const values = fieldsOf(record)
    const parsed = parseSent(sentBy(values, { domain, currency }, toTime(values.timestamp)))
    const faults = 'errors' in parsed ? faultsIn(parsed.errors) : []
    const [received] = 'errors' in parsed ? [] : parsed.hits
    const sent = received && withPageParameters(received, pageParameters)
    const who = identityOf(values)
    if (values.timestamp === undefined) faults.push('timestamp is required')
    if (who === null) faults.push('visitor is required, or ip and user_agent')
    if (who && who.userAgent !== '' && isBot(who.userAgent)) faults.push('the user agent is a bot’s')
    if (!sent || !who || sent.claimed.at === null || faults.length > 0) return { fault: faults.join('; ') }
    return { values, sent, who, at: sent.claimed.at }
  }
}

/** Reads only the times of the hits that `hitReader` reads. */
export function timeReader(site: ReadFor, options: ReadOptions): (record: JsonObject) => ReadHit<Pick<NewHit, 'at' | 'kind'>> {
  const checked = checkedReader(site, options)
  return record => {
    const found = checked(record)
    return 'fault' in found ? found : { hits: [{ at: found.at, kind: found.sent.kind }] }
  }
}

/** Reads only the time that a record claims, without a check of its other fields. @returns undefined if it is none */
export function claimedTimeReader({ map, zone }: ReadOptions): (record: JsonObject) => number | undefined {
  const key = map.timestamp ?? 'timestamp'
  const toTime = localTimes(zone)
  return record => claimedTime(toTime(record[key])) ?? undefined
}

/**
 * @param names reads the names of browsers, systems and devices of the product
 */
export function hitReader(
  site: ReadFor,
  {
    names = anyNames,
    placeOf,
    networkOf = () => NO_NETWORK,
    ...options
  }: ReadOptions & { names?: Names | undefined; placeOf(ip: string): Place; networkOf?: NetworkOf },
): (record: JsonObject) => ReadHit {
  const checked = checkedReader(site, options)
  const visitOfSender = rememberedVisits(site)
  const enrichedFor: EnrichedFor = { ...site, currencies: new Map() } // every amount in a file has its currency: `revenueOf`

  return record => {
    const found = checked(record)
    if ('fault' in found) return found
    const { values, sent, who, at } = found
    const visit = visitOfSender(found, () => {
      const sender = { ...who, acceptLanguage: '' }
      return named(visitOf({ sent: withTags(sent, values), site: enrichedFor, sender, placeOf, networkOf }), values, names)
    })
    const main = hitOf({ sent: measured(sent, values), site: enrichedFor, at }, { visit, identity: who.identity })
    const vitals = separateVitals(main, values)
    return { hits: vitals ? [main, vitals] : [main] }
  }
}

function sentBy(values: FieldValues, site: Pick<ReadFor, 'domain' | 'currency'>, timestamp: unknown): Sent {
  return {
    name: values.name ?? 'pageview',
    url: values.url,
    hash: values.hash,
    domain: site.domain,
    referrer: values.referrer,
    props: values.props,
    interactive: lowerCase(values.interactive),
    revenue: revenueOf(values, site.currency),
    scroll: values.scroll,
    engaged: values.engaged_ms,
    vitals: objectOf(values.vitals) ?? undefined,
    clicks: listOf(values.clicks),
    screen: values.screen,
    language: values.language,
    ip: values.ip,
    userAgent: values.user_agent,
    timestamp,
  }
}

function faultsIn(errors: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(errors).flatMap(([name, messages]) => messages.map(message => `${wordings[name] ?? name} ${message}`))
}

/** Hashes a visitor key together with the word `visitor` instead of an address, so that no key can equal an address. */
function identityOf(values: FieldValues): { ip: string; userAgent: string; identity: NewHit['identity'] } | null {
  const [ip, userAgent] = [addressIn(text(values.ip)) ?? text(values.ip), text(values.user_agent, LIMITS.userAgent)]
  const key = values.visitor
  const visitor = typeof key === 'number' ? String(key) : text(key)
  if (visitor !== '') return { ip, userAgent, identity: { ip: 'visitor', userAgent: visitor } }
  return ip !== '' && userAgent !== '' ? { ip, userAgent, identity: { ip, userAgent } } : null
}

function withTags(sent: SentHit, values: FieldValues): SentHit {
  const tagPairs: (readonly [string, string])[] = []
  for (const tag of tags) {
    const value = text(values[tag])
    if (value !== '') tagPairs.push([tag, value])
  }
  const hostname = bareHost(text(values.hostname))
  const source = text(values.source)
  if (tagPairs.length === 0 && hostname === '' && source === '') return sent
  const isTagged = tagPairs.length > 0 || source !== ''
  const query = isTagged ? new URLSearchParams(sent.query) : sent.query
  if (source !== '') query.set('source', source)
  for (const [tag, value] of tagPairs) query.set(tag, value)
  return { ...sent, query, hostname: hostname || sent.hostname }
}

/** The fields that a visit takes from its first hit, as `named`, `withTags` and `visitOf` read them. */
const fieldsOfVisit: readonly FieldName[] = [
  ...['ip', 'user_agent', 'referrer', 'source', 'channel', 'hostname', ...tags, 'country', 'region', 'city', 'network', 'network_kind'],
  ...['browser', 'browser_version', 'os', 'os_version', 'device', 'screen', 'language', 'hash'],
] as FieldName[]

/** Most senders that are remembered. */
const MAX_SENDERS = 500

/** Remembers the visit of each sender, because the hits of a visit mostly have the same fields. */
function rememberedVisits({ channels }: Pick<EnrichedFor, 'channels'>): (of: Checked, read: () => NewHit['visit']) => NewHit['visit'] {
  const known = new Map<string, { readonly from: readonly unknown[]; readonly visit: NewHit['visit'] }>()
  const isSame = (from: readonly unknown[], values: FieldValues, rest: string): boolean => {
    for (let i = 0; i < fieldsOfVisit.length; i++) if (from[i] !== values[fieldsOfVisit[i] as FieldName]) return false
    return from[fieldsOfVisit.length] === rest
  }
  return ({ values, sent, who: { identity } }, readVisit) => {
    // Of the address, a visit has the host and the tags. Rules of the site may read its page.
    const rest = sent.query.size > 0 || channels ? sent.url : sent.hostname
    const key = `${identity.ip} ${identity.userAgent}`
    const before = known.get(key)
    if (before && isSame(before.from, values, rest)) return before.visit
    const visit = readVisit()
    const from = [...fieldsOfVisit.map(name => values[name]), rest]
    if (known.size >= MAX_SENDERS) known.clear()
    if (from.every(value => typeof value !== 'string' || value.length <= LIMITS.value)) known.set(key, { from, visit })
    return visit
  }
}

/** An invalid country falls back to the address; a record with a place of its own takes nothing from the address. */
function named(derived: NewHit['visit'], values: FieldValues, names: Names): NewHit['visit'] {
  const visit = { ...derived }
  const given = (name: FieldName) => {
    const value = values[name]
    return value === undefined ? undefined : text(typeof value === 'number' ? String(value) : value)
  }
  const country = countryIn(given('country') ?? '')
  if (country !== '') [visit.country, visit.region, visit.city] = [country, '', '']
  const channel = given('channel') ?? ''
  if (isChannel(channel)) [visit.channel, visit.source] = [channel, given('source') ?? '']
  const [region, city] = [given('region'), given('city')]
  if (region !== undefined) visit.region = regionIn(visit.country, region)
  if (city !== undefined) visit.city = isNone(city) ? '' : city
  const [network, kind] = [given('network'), given('network_kind')]
  if (network !== undefined || kind !== undefined) {
    visit.network = network ?? ''
    visit.network_kind = kind !== undefined && isNetworkKind(kind) ? kind : ''
  }
  const browser = nameAndVersion(names.browser, [given('browser'), given('browser_version')], [derived.browser, derived.browser_version])
  const system = nameAndVersion(names.system, [given('os'), given('os_version')], [derived.os, derived.os_version])
  const device = names.device(given('device') ?? '') ?? visit.device
  return {
    ...visit,
    browser: browser.name,
    browser_version: browser.version,
    os: system.name,
    os_version: system.version,
    device,
  }
}

/** Takes name and version from the record, and a missing one from the user agent: a version only if the name is the same. */
function nameAndVersion(
  read: Names['browser'],
  [name, version]: readonly [string | undefined, string | undefined],
  [ofAgent, versionOfAgent]: readonly [string, string],
): Named {
  const agent = { name: ofAgent, version: versionOfAgent }
  if (name === undefined && version === undefined) return agent
  const known = read(name ?? ofAgent, version ?? '')
  return known.version === '' && version === undefined && known.name === ofAgent ? agent : known
}

/** The record of a pageview may include later measurements. */
function measured(sent: SentHit, { engaged_ms, scroll }: FieldValues): SentHit {
  if (sent.kind !== 'pageview' || (engaged_ms === undefined && scroll === undefined)) return sent
  return { ...sent, engagedMs: engagedOf(engaged_ms), scroll: scrollOf(scroll) }
}

/** Returns its vitals as a separate hit. */
function separateVitals(main: NewHit, values: FieldValues): NewHit | null {
  const sent = main.kind === 'pageview' ? objectOf(values.vitals) : null
  const vitals = sent ? vitalsOf(sent) : {}
  if (Object.keys(vitals).length === 0) return null
  return { ...main, kind: 'vitals', props: [], revenue: 0, revenueFault: null, engagedMs: 0, scroll: 0, vitals }
}

function revenueOf(values: FieldValues, currency: string): unknown {
  const revenue = objectOf(values.revenue) ?? values.revenue
  if (revenue === undefined) return revenue
  const own = { currency: values.currency ?? currency }
  return isObject(revenue) ? { ...own, ...revenue } : { ...own, amount: revenue }
}

/** `False` of a file is the `false` of a hit that a script sends. */
function lowerCase(sent: unknown): unknown {
  return typeof sent === 'string' ? sent.toLowerCase() : sent
}

function listOf(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  try {
    return JSON.parse(sent)
  } catch {
    return undefined
  }
}

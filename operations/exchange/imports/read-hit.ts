/** Converts a record of a file to hits, enriched like hits that a server sends. */
import { addressIn } from '../../../runtime/outbound/network.ts'
import { isObject } from '../../../runtime/values/json.ts'
import type { NewHit } from '../../../storage/hits/new-hit.ts'
import {
  bareHost,
  engagedOf,
  enriched,
  type EnrichedFor,
  type JsonObject,
  LIMITS,
  NO_NETWORK,
  type NetworkOf,
  objectOf,
  parsePlausible,
  type Place,
  scrollOf,
  type SentHit,
  isChannel,
  text,
  vitalsOf,
  withPageParameters,
} from '../../sites/collection/index.ts'
import { isNetworkKind } from '../../../storage/engine/vocabulary/networks.ts'
import { isBot } from '../../sites/crawlers/index.ts'
import { type FieldMap, type FieldName, fieldReader } from './fields.ts'
import { localTimes } from './local-times.ts'
import { anyNames, isNone, type Named, type Names } from './names/names.ts'
import { countryIn, regionIn } from './names/places.ts'

export interface ReadFor extends Omit<EnrichedFor, 'currencies'> {
  readonly domain: string
}

/** The hits of a record, its main one first; or the reason of its refusal. */
export type ReadHit<Hit = NewHit> = { readonly hits: readonly [Hit, ...Hit[]] } | { readonly fault: string }

type Read = (name: FieldName) => unknown

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
  readonly read: Read
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
    const read = fieldsOf(record)
    const parsed = parsePlausible(bodyOf(read, { domain, currency }, toTime(read('timestamp'))))
    const faults = 'errors' in parsed ? faultsIn(parsed.errors) : []
    const [received] = 'errors' in parsed ? [] : parsed.hits
    const sent = received && withPageParameters(received, pageParameters)
    const who = identityOf(read)
    if (read('timestamp') === undefined) faults.push('timestamp is required')
    if (who === null) faults.push('visitor is required, or ip and user_agent')
    if (who && who.userAgent !== '' && isBot(who.userAgent)) faults.push('the user agent is a bot’s')
    if (!sent || !who || sent.claimed.at === null || faults.length > 0) return { fault: faults.join('; ') }
    return { read, sent, who, at: sent.claimed.at }
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
  const enrichedFor: EnrichedFor = { ...site, currencies: new Map() } // every amount in a file has its currency: `revenueOf`

  return record => {
    const found = checked(record)
    if ('fault' in found) return found
    const { read, sent, who, at } = found
    const tagged = withTags(sent, read)
    const hit = enriched({ sent: tagged, site: enrichedFor, sender: { ...who, acceptLanguage: '' }, at, placeOf, networkOf })
    const main: NewHit = { ...hit, ...measuredOf(hit, read), identity: who.identity, visit: visitOf(hit.visit, read, names) }
    const vitals = separateVitals(main, read)
    return { hits: vitals ? [main, vitals] : [main] }
  }
}

function bodyOf(read: Read, site: Pick<ReadFor, 'domain' | 'currency'>, timestamp: unknown): JsonObject {
  return {
    name: read('name') ?? 'pageview',
    url: read('url'),
    hashMode: read('hash'),
    domain: site.domain,
    referrer: read('referrer'),
    props: read('props'),
    interactive: lowerCase(read('interactive')),
    revenue: revenueOf(read, site.currency),
    sd: read('scroll'),
    e: read('engaged_ms'),
    vt: objectOf(read('vitals')) ?? undefined,
    c: listOf(read('clicks')),
    sc: read('screen'),
    l: read('language'),
    ip: read('ip'),
    user_agent: read('user_agent'),
    timestamp,
  }
}

function faultsIn(errors: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(errors).flatMap(([name, messages]) => messages.map(message => `${wordings[name] ?? name} ${message}`))
}

/** Hashes a visitor key together with the word `visitor` instead of an address, so that no key can equal an address. */
function identityOf(read: Read): { ip: string; userAgent: string; identity: NewHit['identity'] } | null {
  const [ip, userAgent] = [addressIn(text(read('ip'))) ?? text(read('ip')), text(read('user_agent'), LIMITS.userAgent)]
  const key = read('visitor')
  const visitor = typeof key === 'number' ? String(key) : text(key)
  if (visitor !== '') return { ip, userAgent, identity: { ip: 'visitor', userAgent: visitor } }
  return ip !== '' && userAgent !== '' ? { ip, userAgent, identity: { ip, userAgent } } : null
}

function withTags(sent: SentHit, read: Read): SentHit {
  const tagPairs = tags.flatMap(tag => {
    const value = text(read(tag))
    return value === '' ? [] : [[tag, value] as const]
  })
  const hostname = bareHost(text(read('hostname')))
  const source = text(read('source'))
  if (tagPairs.length === 0 && hostname === '' && source === '') return sent
  const isTagged = tagPairs.length > 0 || source !== ''
  const query = isTagged ? new URLSearchParams(sent.query) : sent.query
  if (source !== '') query.set('source', source)
  for (const [tag, value] of tagPairs) query.set(tag, value)
  return { ...sent, query, hostname: hostname || sent.hostname }
}

/** An invalid country falls back to the address; a record with a place of its own takes nothing from the address. */
function visitOf(derived: NewHit['visit'], read: Read, names: Names): NewHit['visit'] {
  const visit = { ...derived }
  const given = (name: FieldName) => {
    const value = read(name)
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
function measuredOf({ kind, engagedMs, scroll }: NewHit, read: Read): Pick<NewHit, 'engagedMs' | 'scroll'> {
  if (kind !== 'pageview') return { engagedMs, scroll }
  return { engagedMs: engagedOf(read('engaged_ms')) ?? 0, scroll: scrollOf(read('scroll')) ?? 0 }
}

/** Returns its vitals as a separate hit. */
function separateVitals(main: NewHit, read: Read): NewHit | null {
  const sent = main.kind === 'pageview' ? objectOf(read('vitals')) : null
  const vitals = sent ? vitalsOf(sent) : {}
  if (Object.keys(vitals).length === 0) return null
  return { ...main, kind: 'vitals', props: [], revenue: 0, revenueFault: null, engagedMs: 0, scroll: 0, vitals }
}

function revenueOf(read: Read, currency: string): unknown {
  const revenue = objectOf(read('revenue')) ?? read('revenue')
  if (revenue === undefined) return revenue
  const own = { currency: read('currency') ?? currency }
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

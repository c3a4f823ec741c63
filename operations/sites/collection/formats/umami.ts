/** `POST /api/send` and `/api/batch`: messages of Umami's script and its server-side clients. */
import { setImmediate } from 'node:timers/promises'
import { isObject } from '../../../../runtime/values/json.ts'
import type { HitKind } from '../../../../storage/hits/new-hit.ts'
import { LIMITS, type Parsed, type SentHit } from '../hit.ts'
import { bareHost, urlOf, type Address } from './address.ts'
import { claimsOf } from './claims.ts'
import { addFault, isFaulty, type Faults } from './faults.ts'
import { objectOf, type JsonObject } from './json-object.ts'
import { engagedOf, screenOf, vitalsOf } from './measures.ts'
import { personOf } from './person.ts'
import { propsOf } from './props.ts'
import { nameOf, pageOf } from './required.ts'
import { revenueOf } from './revenue.ts'
import { siteOf } from './site.ts'
import { text } from './text.ts'

/**
 * The kind of a message. `identify` names a person: it counts as an engagement with the page, which extends a visit but starts
 * none. An event without a name is a pageview.
 */
const KINDS = new Map<unknown, HitKind>([
  ['event', 'event'],
  ['identify', 'engagement'],
  ['engagement', 'engagement'],
  ['performance', 'vitals'],
])

/** Levels to which objects in `data` are flattened. */
const DEPTH = 3

/** The base for a path in a message without a host (RFC 6761: the name cannot exist). */
const NO_HOST = 'nowhere.invalid'

/** Reads one decoded message, `{type, payload}`: its hit, or all of its faults. */
export function parseUmami(body: unknown): Parsed {
  if (!isObject(body)) return { errors: { request: ['must be a JSON object in UTF-8'] } }
  const { type, payload } = body
  if (!isObject(payload)) return { errors: { payload: ['must be an object'] } }
  const faults: Faults = {}

  const name = nameOf(payload.name, faults)
  const kind = kindOf(type, name, faults)
  const website = text(payload.website)
  if (website === '') addFault(faults, 'website', 'is required')
  const vitals = vitalsFor(kind, payload, faults)
  const claimed = claimsOf({ ip: payload.ip, userAgent: payload.userAgent, timestamp: payload.timestamp }, faults)
  const address = addressFor(kind, payload, faults)
  if (!address || isFaulty(faults)) return { errors: faults }

  const data = objectOf(payload.data)
  const counts = kind === 'pageview' || kind === 'event'
  return {
    hits: [
      {
        site: siteOf(website),
        kind,
        name: kind === 'event' ? name : '',
        url: address.url,
        hostname: address.hostname,
        page: address.page,
        query: address.query,
        referrer: text(payload.referrer, LIMITS.url),
        props: counts ? propsOf(data, DEPTH) : [],
        revenue: kind === 'event' && data ? revenueOf({ currency: data.currency, amount: data.revenue }) : null,
        interactive: counts,
        screen: screenOf(payload.screen),
        width: null,
        language: text(payload.language, LIMITS.language),
        title: text(payload.title),
        tag: text(payload.tag),
        scroll: null,
        engagedMs: kind === 'engagement' ? engagedOf(payload.engagement) : null,
        vitals,
        clicks: [],
        user: personOf({ user: payload.id, traits: type === 'identify' ? data : {}, consent: payload.consent }),
        claimed,
      },
    ],
  }
}

/** Reads a decoded batch. Returns the result of each message, in order, so that an invalid one does not affect the others. */
export async function parseUmamiBatch(body: unknown): Promise<readonly Parsed[] | { readonly errors: Record<string, string[]> }> {
  if (!Array.isArray(body)) return { errors: { request: ['must be a JSON array of messages in UTF-8'] } }
  if (body.length > LIMITS.batch) return { errors: { request: [`must contain at most ${LIMITS.batch} messages`] } }
  const parsed: Parsed[] = []
  for (const message of body) {
    parsed.push(parseUmami(message))
    await setImmediate() // a single message may be as large as a batch
  }
  const sites = new Set(parsed.flatMap(each => ('hits' in each ? each.hits.map(({ site }) => `${site.by} ${site.value}`) : [])))
  if (sites.size > LIMITS.sitesOfBatch) return { errors: { request: [`must name at most ${LIMITS.sitesOfBatch} websites`] } }
  return parsed
}

function kindOf(type: unknown, name: string, faults: Faults): HitKind {
  const kind = KINDS.get(type)
  if (!kind) addFault(faults, 'type', `must be one of ${[...KINDS.keys()].join(', ')}`)
  return kind === 'event' && name === '' ? 'pageview' : (kind ?? 'event')
}

function vitalsFor(kind: HitKind, payload: JsonObject, faults: Faults): SentHit['vitals'] {
  if (kind !== 'vitals') return {}
  const vitals = vitalsOf(payload)
  if (Object.keys(vitals).length === 0) addFault(faults, 'payload', 'must have one of lcp, inp, fcp, ttfb, cls')
  return vitals
}

/** Reads the address. Its `hostname` takes precedence over the URL's host; only a pageview must have an address. */
function addressFor(kind: HitKind, payload: JsonObject, faults: Faults): Address | null {
  const named = bareHost(urlOf(`https://${text(payload.hostname)}`)?.hostname ?? '')
  if (kind !== 'pageview' && text(payload.url) === '') {
    return { url: '', hostname: named, page: '', query: new URLSearchParams() }
  }
  const address = pageOf({ sent: payload.url, fragment: 'routes', base: `https://${named || NO_HOST}`, faults })
  if (!address) return null
  const { url, hostname, page, query } = address
  return { url, hostname: named || (hostname === NO_HOST ? '' : hostname), page, query }
}

/** Makes a hit of a message of another product. */
import type { HitKind } from '../../../../storage/hits/new-hit.ts'
import { yieldWhereDue } from '../../../../storage/system/event-loop.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { addressOf, bareHost, urlOf } from '../formats/address.ts'
import { claimsOf } from '../formats/claims.ts'
import { engagedOf, screenOf, scrollOf, vitalsOf } from '../formats/measures.ts'
import { personOf } from '../formats/person.ts'
import { propsOf } from '../formats/props.ts'
import { siteOf } from '../formats/site.ts'
import { text } from '../formats/text.ts'
import { LIMITS, SITE_CURRENCY, type SentHit } from '../hit.ts'
import type { Message } from './format.ts'

/** The fields of a message, as it has them; missing ones are left out. */
export interface MessageFields {
  /** Product whose id the message names: `matomo`. */
  readonly product: string
  /** The id of the site there, or a name of the site here. */
  readonly id?: unknown
  readonly kind: HitKind
  readonly name?: unknown
  /** Address of the page, or its path on `host`. */
  readonly url?: unknown
  readonly host?: unknown
  readonly referrer?: unknown
  readonly title?: unknown
  readonly props?: unknown
  readonly revenue?: SentHit['revenue']
  readonly interactive?: boolean
  readonly screen?: unknown
  readonly language?: unknown
  readonly tag?: unknown
  readonly engagedMs?: unknown
  readonly scroll?: unknown
  readonly vitals?: unknown
  readonly user?: unknown
  readonly traits?: unknown
  readonly consent?: unknown
  readonly ip?: unknown
  readonly userAgent?: unknown
  readonly at?: unknown
  readonly refused?: SentHit['refused']
}

/** Levels to which objects in properties are flattened. */
const DEPTH = 3

/** Reads messages one by one, so that a long list does not hold other requests up. */
export async function messagesOf<T>(list: readonly T[], read: (each: T) => Message): Promise<Message[]> {
  const messages: Message[] = []
  for (const each of list) {
    messages.push(read(each))
    await yieldWhereDue()
  }
  return messages
}

/** A message counts for the site of its page. Its own id counts if no site has this host, or if it names a site of ours. */
export function hitOf(fields: MessageFields): Message {
  const host = hostIn(fields.host)
  const sent = text(fields.url, Infinity)
  const address = sent === '' || sent.length > LIMITS.url ? null : addressOf(sent, 'routes', host === '' ? undefined : `https://${host}`)
  const site = siteNamed(fields, address?.hostname ?? host)
  const counts = fields.kind === 'pageview' || fields.kind === 'event'
  const name = fields.kind === 'event' ? text(fields.name).slice(0, LIMITS.name) : ''
  const vitals = fields.kind === 'vitals' && isObject(fields.vitals) ? vitalsOf(fields.vitals) : {}
  if (site === undefined) return 'invalid'
  if (fields.refused === undefined) {
    if (!address && (sent !== '' || fields.kind === 'pageview')) return 'invalid'
    if (fields.kind === 'event' && name === '') return 'invalid'
    if (fields.kind === 'vitals' && Object.keys(vitals).length === 0) return 'invalid'
  }
  return {
    site,
    refused: fields.refused,
    kind: fields.kind,
    name,
    url: address?.url ?? '',
    hostname: address?.hostname ?? host,
    page: address?.page ?? '',
    query: address?.query ?? new URLSearchParams(),
    referrer: text(fields.referrer, LIMITS.url),
    props: counts ? propsOf(fields.props, DEPTH) : [],
    revenue: counts ? (fields.revenue ?? null) : null,
    interactive: counts && fields.interactive !== false,
    screen: screenOf(fields.screen),
    width: null,
    language: text(fields.language, LIMITS.language),
    title: text(fields.title),
    tag: text(fields.tag),
    scroll: fields.kind === 'engagement' ? scrollOf(fields.scroll) : null,
    engagedMs: fields.kind === 'engagement' ? engagedOf(fields.engagedMs) : null,
    vitals,
    clicks: [],
    user: personOf({ user: fields.user, traits: fields.traits, consent: fields.consent }),
    claimed: claimed(fields),
  }
}

/** An invalid claim of a server is left out: these products have no way to say so. */
function claimed({ ip, userAgent, at }: MessageFields): SentHit['claimed'] {
  return claimsOf({ ip, userAgent, timestamp: at }, {})
}

function hostIn(sent: unknown): string {
  const host = text(sent)
  return host === '' ? '' : bareHost(urlOf(/^https?:\/\//i.test(host) ? host : `https://${host}`)?.hostname ?? '')
}

function siteNamed({ product, id }: MessageFields, host: string): SentHit['site'] | undefined {
  const named = text(typeof id === 'number' ? String(id) : id)
  const own = named === '' ? undefined : siteOf(named)
  if (own && own.by !== 'domain') return own
  const alias = own ? ({ by: 'domain', value: `${product}:${own.value}` } as const) : undefined
  if (host !== '') return { by: 'domain', value: host, ...(alias && { or: named.includes('.') ? own : alias }) }
  return named.includes('.') ? own : alias
}

/** An amount of a product without currencies, or with an optional one. */
export function moneyOf(amount: unknown, currency?: unknown): SentHit['revenue'] {
  const number = typeof amount === 'number' ? amount : typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : Number.NaN
  if (!Number.isFinite(number) || number === 0) return null
  const named = text(currency, 10).toUpperCase()
  return { amount: number, currency: named === '' ? SITE_CURRENCY : named }
}

/** The smallest GIF: one transparent pixel. */
export const PIXEL = new Uint8Array(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))
export const pixel = (status = 200) => ({ status, headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store' }, body: PIXEL })
export const empty = { status: 204, headers: { 'Cache-Control': 'no-store' } } as const

/** A visit's source and channel, from the query and referrer of its first hit. */
import { parse } from 'tldts'
import type { SentHit } from '../hit.ts'
import { bareHost, urlOf } from '../formats/address.ts'
import { text } from '../formats/text.ts'
import { channelOf, type Channel } from './channels.ts'
import { clickIdOf } from './click-ids.ts'
import { type IgnoringReferrers, isIgnoredReferrer } from './ignored-referrers.ts'
import { type Referrer, referrerOf } from './referrer.ts'
import { sourceOfTag } from './sources.ts'

export interface Acquisition {
  /** Display name, '' for a direct visit; for example "Google", "blog.example.org", or the tag's own text. */
  readonly source: string
  /** Host and path of the referring page, without `www.` and query. */
  readonly referrer: string
  readonly channel: Channel
  readonly utm_source: string
  readonly utm_medium: string
  readonly utm_campaign: string
  readonly utm_content: string
  readonly utm_term: string
  /** Only the name of the parameter, for example "gclid". */
  readonly click_id: string
}

/** Values of tags that mean "no source". */
export const NO_SOURCE = /^\((direct|none|not set)\)$/i

/**
 * The source is utm_source, source or ref; otherwise the referrer, unless it is the site's own host; otherwise the network of the
 * link's click id. Known spellings are normalized, so that `fb` and m.facebook.com count together.
 */
export function acquisitionOf(hit: Pick<SentHit, 'query' | 'referrer' | 'hostname'>, ignoring?: IgnoringReferrers): Acquisition {
  const { query } = hit
  const isTagged = query.size > 0
  const sent = (name: string) => (isTagged ? text(query.get(name)) : '')
  const utm_source = sent('utm_source')
  const utm_medium = sent('utm_medium')
  const utm_campaign = sent('utm_campaign')
  const tag = named(utm_source || sent('source') || sent('ref'), hit.hostname, ignoring)
  const referrer = sourceReferrer(hit.referrer, hit.hostname, ignoring)
  const click = isTagged ? clickIdOf(query) : undefined

  const known = tag ? sourceOfTag(tag) : referrer ? referrer.source : click && sourceOfTag(click.sources[0])
  const source = known?.name ?? (tag || referrer?.host || '')
  return {
    source,
    referrer: referrer?.page ?? '',
    channel: channelOf({
      kind: known?.kind,
      source: source.toLowerCase(),
      medium: utm_medium.toLowerCase(),
      campaign: utm_campaign.toLowerCase(),
      ad: known?.paid === true || (click?.paid === true && click.sources.includes(source)),
    }),
    utm_source,
    utm_medium,
    utm_campaign,
    utm_content: sent('utm_content'),
    utm_term: sent('utm_term'),
    click_id: click?.name ?? '',
  }
}

/** A host in letters, `bücher.example`. */
const HOST_IN_LETTERS = /^(?=.*[^ -~])[\p{L}\p{M}\p{N}.-]+\.[\p{L}\p{M}-]{2,}$/u
/** An address with its scheme, or without: `https://example.org`, `//example.org`, `www.example.org`. */
const ADDRESS = /^(?:(?:https?:|android-app:|ios-app:)?\/\/(?=.)|www\.(?=.+\.))/i
/** A host and a path, `example.org/list`, if there are such hosts. */
const HOST_AND_PATH = /^([a-z\d-]+(?:\.[a-z\d-]+)+)\//i

/**
 * The source that a tag names: an address names its host (`ref=https://example.org/list`), and the site's own address names no
 * source. A host in letters becomes the host that a referrer would have.
 */
function named(tag: string, hostname: string, ignoring: IgnoringReferrers | undefined): string {
  if (tag === '') return ''
  if (HOST_IN_LETTERS.test(tag)) return bareHost(tag)
  const [, host] = HOST_AND_PATH.exec(tag) ?? []
  const isAddress = ADDRESS.test(tag) || (host !== undefined && parse(host).isIcann === true)
  if (!isAddress) return tag.replace(NO_SOURCE, '')
  const url = /^[a-z-]+:/i.test(tag) ? tag : `https://${tag.replace(/^\/\//, '')}`
  const of = bareHost(urlOf(url)?.hostname ?? '')
  const isOwn = of === bareHost(hostname) || (ignoring !== undefined && isIgnoredReferrer(of, ignoring))
  return isOwn ? '' : (referrerOf(url, hostname)?.host ?? tag)
}

/** The referrer, unless the site ignores its host. */
function sourceReferrer(referrer: string, hostname: string, ignoring: IgnoringReferrers | undefined): Referrer | null {
  const found = referrerOf(referrer, hostname)
  return found && ignoring && isIgnoredReferrer(found.host, ignoring) ? null : found
}

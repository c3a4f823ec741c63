import { domainToASCII } from 'node:url'
import { readable } from '../../../../runtime/values/readable-path.ts'
import { cachedByAddress } from './cached-addresses.ts'
import { text } from './text.ts'

export interface Address {
  /** As sent. */
  readonly url: string
  readonly hostname: string
  readonly page: string
  readonly query: URLSearchParams
}

/** How to treat a fragment: keep it, keep it if it is a route (`#/…`, `#!…`), or drop it. */
export type FragmentRule = 'keep' | 'routes' | 'drop'

const FRAGMENT: Readonly<Record<FragmentRule, RegExp>> = {
  keep: /^#[^?]*/,
  routes: /^#[/!][^?]*/,
  drop: /^$/,
}

/** Fragments that do not name a route: routers with fragments turn `/` into `/#/` automatically. */
const NO_ROUTE = /^#!?\/?$/

/** Schemes that contain content instead of a location. */
const NO_PLACE = /^(data|javascript|blob):$/

/** Returns a path in stored form. Paths in requests are converted to the same form. */
export const storedPath = (path: string): string => text(readable(path))

/** Parses a URL, absolute or against a base; null if invalid. */
export function urlOf(url: string, base?: string): URL | null {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

/** A host in normal form: lower case, ASCII (RFC 3492), without `www.` and a trailing dot. */
export function bareHost(host: string): string {
  const lower = host.toLowerCase()
  const ascii = /[^\x21-\x7e]/.test(lower) ? domainToASCII(lower) || lower : lower
  const isBare = !ascii.startsWith('www.') && !ascii.endsWith('.')
  return text(isBare ? ascii : ascii.replace(/^www\.(?=.)|(?<=.)\.$/g, ''))
}

/**
 * Parses the address of a hit. A bare path needs a base (`https://example.com`). Null if it is not the address of a page: not
 * a URL, or one without a path (`about:blank`, `data:…`).
 */
export function addressOf(url: string, fragment: FragmentRule, base?: string): Address | null {
  if (base !== undefined) return parsedAddress(url, fragment, base)
  const end = url.indexOf('?')
  if (end < 0 || !PLAIN.test(url)) return withoutBase[fragment](url)
  const place = withoutBase[fragment](url.slice(0, end))
  return place && { url, hostname: place.hostname, page: place.page, query: new URLSearchParams(url.slice(end)) }
}

/** Without a fragment, and without what a URL has in another form: the part before the query can be read by itself. */
const PLAIN = /^[\x21\x22\x24-\x7e]*$/

const withoutBase: Readonly<Record<FragmentRule, (url: string) => Address | null>> = {
  keep: cachedByAddress(url => parsedAddress(url, 'keep')),
  routes: cachedByAddress(url => parsedAddress(url, 'routes')),
  drop: cachedByAddress(url => parsedAddress(url, 'drop')),
}

function parsedAddress(url: string, fragment: FragmentRule, base?: string): Address | null {
  const parsed = urlOf(url, base)
  if (!parsed || NO_PLACE.test(parsed.protocol)) return null
  const path = parsed.pathname || '/'
  if (!path.startsWith('/')) return null
  const [route = ''] = FRAGMENT[fragment].exec(parsed.hash) ?? []
  addQuery(parsed.searchParams, route === '' ? '' : parsed.hash.slice(route.length))
  return {
    url,
    hostname: bareHost(parsed.hostname),
    page: storedPath(NO_ROUTE.test(route) ? path : path + route),
    query: parsed.searchParams,
  }
}

/** Adds the query of a route, `#/pricing?utm_source=a`. The query of the URL itself takes precedence. */
function addQuery(query: URLSearchParams, ofRoute: string): void {
  if (!ofRoute.startsWith('?')) return
  const sent = new Set(query.keys())
  for (const [name, value] of new URLSearchParams(ofRoute)) if (!sent.has(name)) query.append(name, value)
}

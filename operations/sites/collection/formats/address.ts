import { domainToASCII } from 'node:url'
import { text } from './text.ts'

export interface Address {
  /** As sent. */
  readonly url: string
  readonly hostname: string
  readonly page: string
  readonly query: URLSearchParams
}

/** What becomes of a fragment: kept whole, kept where it is a route (`#/…`, `#!…`), or dropped as a mere anchor. */
export type FragmentRule = 'keep' | 'routes' | 'drop'

const FRAGMENT: Readonly<Record<FragmentRule, RegExp>> = {
  keep: /^#[^?]*/,
  routes: /^#[/!][^?]*/,
  drop: /^$/,
}

/**
 * Escapes that are written as the characters they stand for: those beyond ASCII, and of ASCII all but `%25`, `%2F`, `%3F`
 * and `%23`, without which two pages would become one, and control characters.
 */
const ESCAPES = /(?:%[89a-f][0-9a-f])+|%(?!25|2f|3f|23|7f)[2-7][0-9a-f]/gi

/** Schemes that carry content instead of naming a place. */
const NO_PLACE = /^(data|javascript|blob):$/

/** A path as people write it: `/caf%C3%A9%20au%20lait` is `/café au lait`. What is no UTF-8 stays. */
export function readable(path: string): string {
  return path.replace(ESCAPES, escapes => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

/** A path as it is stored: what is asked for is brought into the same form. */
export const storedPath = (path: string): string => text(readable(path))

/** A URL, absolute or against a base; null when it is none. */
export function urlOf(url: string, base?: string): URL | null {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

/** A host in the form all hosts are kept in: lower case, ASCII (RFC 3492), without `www.` and a final dot. */
export function bareHost(host: string): string {
  const lower = host.toLowerCase()
  const ascii = /[^\x21-\x7e]/.test(lower) ? domainToASCII(lower) || lower : lower
  return text(ascii.replace(/^www\.(?=.)|(?<=.)\.$/g, ''))
}

/**
 * Where a hit happened. A path alone needs a base (`https://example.com`). Null for what is no address of a page:
 * not a URL, or one without a path of its own (`about:blank`, `data:…`).
 */
export function addressOf(url: string, fragment: FragmentRule, base?: string): Address | null {
  const parsed = urlOf(url, base)
  if (!parsed || NO_PLACE.test(parsed.protocol)) return null
  const path = parsed.pathname || '/'
  if (!path.startsWith('/')) return null
  const [route = ''] = FRAGMENT[fragment].exec(parsed.hash) ?? []
  return {
    url,
    hostname: bareHost(parsed.hostname),
    page: storedPath(path + route),
    query: parsed.searchParams,
  }
}

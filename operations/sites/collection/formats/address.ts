import { domainToASCII } from 'node:url'
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

/**
 * Escapes that are decoded: bytes beyond ASCII, and all of ASCII but control characters and `%25`, `%2F`, `%3F`, `%23`:
 * decoding those would make two pages one.
 */
const ESCAPES = /(?:%[89a-f][0-9a-f])+|%(?!25|2f|3f|23|7f)[2-7][0-9a-f]/gi

/** Schemes that contain content instead of a location. */
const NO_PLACE = /^(data|javascript|blob):$/

/** A path in readable form: `/caf%C3%A9%20au%20lait` is `/café au lait`. Bytes that are not UTF-8 stay escaped. */
export function readable(path: string): string {
  return path.replace(ESCAPES, escapes => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

/** A path as it is stored. Paths in requests are brought into the same form. */
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
  return text(ascii.replace(/^www\.(?=.)|(?<=.)\.$/g, ''))
}

/**
 * The address of a hit. A mere path needs a base (`https://example.com`). Null if it is not the address of a page: not
 * a URL, or one without a path (`about:blank`, `data:…`).
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

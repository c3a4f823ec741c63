/** Cookies that servers set while one call is redirected, as a browser would send them back (RFC 6265 §5). */
import { isIP } from 'node:net'
import { getPublicSuffix } from 'tldts'
import { hostOf } from './target.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  /** Whether subdomains get it, too. */
  readonly isShared: boolean
  readonly path: string
  readonly isSecure: boolean
}

/** Most cookies, and most bytes of one, that are kept. */
const limits = { cookies: 50, bytes: 4_096 }

export interface CookieJar {
  /** @param lines `Set-Cookie` headers of the answer from this URL */
  keep(lines: readonly string[], from: URL): void
  /** @returns the `Cookie` header; undefined if no cookie belongs to this URL */
  headerFor(to: URL): string | undefined
}

/** Makes a jar that lives as long as one call, so a cookie's expiry matters only if it lies in the past. */
export function cookieJar(): CookieJar {
  let jar: readonly Cookie[] = []
  return {
    keep(lines, from) {
      for (const line of lines) {
        const cookie = line.length <= limits.bytes ? cookieIn(line, from) : undefined
        if (cookie === undefined) continue
        const others = jar.filter(({ name, domain, path }) => !(name === cookie.name && domain === cookie.domain && path === cookie.path))
        jar = isDeletion(line) ? others : [...others, cookie].slice(-limits.cookies)
      }
    },
    headerFor(to) {
      const sent = jar.filter(cookie => belongs(cookie, to)).sort((one, other) => other.path.length - one.path.length)
      return sent.length === 0 ? undefined : sent.map(({ name, value }) => (name === '' ? value : `${name}=${value}`)).join('; ')
    },
  }
}

function cookieIn(line: string, from: URL): Cookie | undefined {
  const [pair = ''] = line.split(';')
  const at = pair.indexOf('=')
  const [name, value] = at < 0 ? ['', pair.trim()] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  if (name === '' && value === '') return undefined
  const host = hostOf(from).name
  const domain = attribute(line, 'domain')?.replace(/^\./, '').toLowerCase() ?? ''
  const isShared = domain !== '' && !(domain === host && isIP(host) > 0)
  if (isShared && !(isWithin(host, domain) && (domain === host || getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain)))
    return undefined
  const path = attribute(line, 'path') ?? ''
  return {
    name,
    value,
    domain: isShared ? domain : host,
    isShared,
    path: path.startsWith('/') ? path : from.pathname.replace(/\/[^/]*$/, '') || '/',
    isSecure: /;\s*secure\s*(;|$)/i.test(line),
  }
}

/** The last value of an attribute counts. */
function attribute(line: string, name: string): string | undefined {
  const attributes = line.split(';').slice(1)
  const values = attributes.flatMap(text => {
    const [key = '', ...rest] = text.split('=')
    return key.trim().toLowerCase() === name ? [rest.join('=').trim()] : []
  })
  return values.at(-1)
}

function isDeletion(line: string): boolean {
  const age = attribute(line, 'max-age')
  if (age !== undefined && /^-?\d+$/.test(age)) return Number(age) <= 0
  return Date.parse(attribute(line, 'expires') ?? '') < Date.UTC(2000, 0) // what servers write to delete one lies at 1970
}

function belongs({ domain, isShared, path, isSecure }: Cookie, to: URL): boolean {
  const host = hostOf(to).name
  if (!(host === domain || (isShared && isWithin(host, domain)))) return false
  if (isSecure && to.protocol !== 'https:') return false
  return to.pathname === path || to.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

const isWithin = (host: string, domain: string): boolean => host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))

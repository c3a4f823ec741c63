/** Redirect URIs: rules for registration and for comparison. On loopback, any port matches (RFC 8252 §7.3). */

const maxLength = 1_000
/** The characters of a URL (RFC 3986 §2), without a fragment. */
const plain = /^[a-z][a-z0-9+.-]*:[!$-;=?-Z[\]_a-z~]+$/
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/
/** Schemes of browsers and operating systems: no client can own them. */
const others: ReadonlySet<string> = new Set([
  ...['about', 'blob', 'chrome', 'content', 'data', 'file', 'filesystem', 'ftp', 'intent', 'jar', 'javascript', 'mailto'],
  ...['ms-appx', 'res', 'resource', 'sms', 'tel', 'vbscript', 'view-source', 'ws', 'wss'],
])

/**
 * Returns why a URI is unsuitable as a redirect; undefined if it is suitable. The text must equal its browser form
 * (URL Standard §4.5): other spellings, such as `https:host`, mean different addresses to different parsers.
 * @param schemes private-use schemes without a dot that the operator allows
 */
export function redirectFault(uri: string, schemes: readonly string[]): string | undefined {
  if (uri.length > maxLength) return `is longer than ${maxLength} characters`
  if (!plain.test(uri) || !URL.canParse(uri)) return 'is not an absolute URL without a fragment'
  if (uri.includes('*')) return 'contains "*", but wildcards are not supported: URIs are compared character by character'
  const { protocol, username, password, href } = new URL(uri)
  if (username !== '' || password !== '') return 'contains a user name or password'
  if (protocol === 'http:' && !loopback.test(uri)) return 'must be https, or http to 127.0.0.1, [::1] or localhost'
  if (protocol !== 'https:' && protocol !== 'http:') {
    const fault = schemeFault(protocol.slice(0, -1), schemes)
    if (fault !== undefined) return fault
    if (!uri.startsWith(`${protocol}/`)) return 'needs a "/" after the ":" of its private-use scheme'
  }
  return href === uri || href === `${uri}/` ? undefined : `is not in normal form: write ${href}`
}

/** A scheme belongs to a client if it begins with a reversed domain: `com.example.app` (RFC 8252 §7.1, §8.4). */
function schemeFault(scheme: string, schemes: readonly string[]): string | undefined {
  if (isOthers(scheme)) return `has the scheme ${scheme}:, which belongs to no client`
  return scheme.includes('.') || schemes.includes(scheme)
    ? undefined
    : `has the scheme ${scheme}:, which any program can claim: use https, loopback, or a reversed domain, such as com.example.app:`
}

export const isOthers = (scheme: string): boolean => others.has(scheme)

/** Compared as text, since parsers differ. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  const asked = loopback.exec(uri)
  return asked !== null && registered.some(each => sameButPort(asked, loopback.exec(each)))
}

const sameButPort = ([, host, rest]: RegExpExecArray, other: RegExpExecArray | null): boolean =>
  other !== null && host === other[1] && rest === other[2]

export const isLoopback = (uri: string): boolean => loopback.test(uri)

/** Adds the answer to the query of the URI. */
export function answerUrl(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

/**
 * Sources that the policy of the consent page must allow so that the answer arrives (CSP 3, `form-action`). Browsers apply it
 * to every further redirect of the client as well, so it lists schemes, not origins.
 */
export function leadsTo(uri: string): string[] {
  const [scheme = ''] = uri.split('/')
  return scheme === 'http:' ? ['http:', 'https:'] : [...new Set([scheme, 'https:'])]
}

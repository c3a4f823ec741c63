/** Redirect URIs: which may be registered, and which match. On loopback any port does (RFC 8252 §7.3). */

const longest = 1_000
/** The characters of a URL (RFC 3986 §2), without a fragment. */
const plain = /^[a-z][a-z0-9+.-]*:[!$-;=?-Z[\]_a-z~]+$/
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/
/** Schemes of browsers and operating systems: no client can own them. */
const others: ReadonlySet<string> = new Set([
  ...['about', 'blob', 'chrome', 'content', 'data', 'file', 'filesystem', 'ftp', 'intent', 'jar', 'javascript', 'mailto'],
  ...['ms-appx', 'res', 'resource', 'sms', 'tel', 'vbscript', 'view-source', 'ws', 'wss'],
])

/**
 * Why a client cannot have its answers sent there; undefined where it can. The text has to be the one that browsers make of
 * it (URL Standard §4.5): what is written otherwise, such as `https:host`, means another address to another reader.
 * @param schemes private-use schemes without a dot that the operator lets in
 */
export function redirectFault(uri: string, schemes: readonly string[]): string | undefined {
  if (uri.length > longest) return `is longer than ${longest} characters`
  if (!plain.test(uri) || !URL.canParse(uri)) return 'is no absolute URL without a fragment'
  if (uri.includes('*')) return 'has a "*" in it, which is no wildcard: addresses are compared letter by letter'
  const { protocol, username, password, href } = new URL(uri)
  if (username !== '' || password !== '') return 'has a user name or password in it'
  if (protocol === 'http:' && !loopback.test(uri)) return 'must be https, or http to 127.0.0.1, [::1] or localhost'
  if (protocol !== 'https:' && protocol !== 'http:') {
    const fault = schemeFault(protocol.slice(0, -1), schemes)
    if (fault !== undefined) return fault
    if (!uri.startsWith(`${protocol}/`)) return 'of a private-use scheme must have a "/" after the ":"'
  }
  return href === uri || href === `${uri}/` ? undefined : `is read by browsers as ${href}: write it like that`
}

/** A scheme is a client's own if it begins with a domain turned around: `com.example.app` (RFC 8252 §7.1, §8.4). */
function schemeFault(scheme: string, schemes: readonly string[]): string | undefined {
  if (isOthers(scheme)) return `has the scheme ${scheme}:, which belongs to no client`
  return scheme.includes('.') || schemes.includes(scheme)
    ? undefined
    : `has the scheme ${scheme}:, which any program may take: use https, loopback, or a domain turned around, such as com.example.app:`
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

/** The address with an answer in its query. */
export function answerUrl(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

/**
 * Sources that the policy of the consent page must allow for the answer to arrive (CSP 3, `form-action`). Browsers apply it
 * to every further redirect of the client as well, so it names schemes, not origins.
 */
export function leadsTo(uri: string): string[] {
  const [scheme = ''] = uri.split('/')
  return scheme === 'http:' ? ['http:', 'https:'] : [...new Set([scheme, 'https:'])]
}

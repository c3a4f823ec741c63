/** Checks whether a Content-Security-Policy lets a page load the script and send hits (CSP Level 3 §6.7.2). */

type Directive = 'script-src' | 'connect-src'
/** Directives in order of precedence. */
const fallbacks: Readonly<Record<Directive, readonly string[]>> = {
  'script-src': ['script-src-elem', 'script-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
}

interface Allows {
  readonly policies: readonly string[]
  readonly directive: Directive
  readonly target: URL
  readonly page: URL
  readonly nonce?: string | null | undefined
}

/**
 * @param policies as sent; all of them must allow it
 * @param nonce of the tag; null for a script that another script inserts
 */
export function allows({ policies, directive, target, page, nonce }: Allows): boolean {
  return policies.every(policy => {
    const sources = sourcesOf(policy, directive)
    if (sources === undefined) return true
    // With 'strict-dynamic', allowed hosts are ignored: trusted scripts may load others (CSP Level 3 §8.2).
    const isStrict = directive === 'script-src' && sources.some(source => source.toLowerCase() === "'strict-dynamic'")
    if (isStrict && nonce === null) return true
    return sources.some(source => (!isStrict || isNonce(source)) && matches({ source, target, page, nonce: nonce ?? undefined }))
  })
}

const isNonce = (source: string): boolean => source.toLowerCase().startsWith("'nonce-")

function sourcesOf(policy: string, directive: Directive): string[] | undefined {
  const directives = new Map<string, string[]>()
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/)
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  for (const name of fallbacks[directive]) {
    const sources = directives.get(name)
    if (sources) return sources
  }
  return undefined
}

interface Matches {
  readonly source: string
  readonly target: URL
  readonly page: URL
  readonly nonce: string | undefined
}

function matches({ source, target, page, nonce }: Matches): boolean {
  const text = source.toLowerCase()
  if (text === '*') return /^https?:$/.test(target.protocol)
  if (text === "'self'") return target.origin === page.origin
  if (isNonce(source)) return nonce !== undefined && source.slice(7, -1) === nonce
  if (text.startsWith("'")) return false
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return target.protocol === text || (text === 'http:' && target.protocol === 'https:')
  const [, scheme, host = '', port, path = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(text) ?? []
  if (host === '') return false
  const protocol = scheme === undefined ? page.protocol : `${scheme}:`
  const isSecured = protocol === 'http:' && target.protocol === 'https:'
  if (protocol !== target.protocol && !isSecured) return false
  const isHost = host.startsWith('*.') ? target.hostname.endsWith(host.slice(1)) : host === target.hostname
  const isPort =
    port === undefined ? target.port === '' : port === '*' || port === (target.port || (target.protocol === 'https:' ? '443' : '80'))
  const isPath =
    path === '' || path === '/' || (path.endsWith('/') ? target.pathname.startsWith(path) : target.pathname.toLowerCase() === path)
  return isHost && isPort && isPath
}

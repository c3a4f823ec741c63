/** Looks at a page of the site as a browser would, and says what keeps hits from coming. */
import {
  type Guard,
  guardedFetch,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
} from '../../../../runtime/outbound/outbound.ts'
import { lookup } from 'node:dns/promises'
import { isObject } from '../../../../runtime/values/json.ts'
import { isNear } from '../../../../runtime/outbound/network.ts'
import type { Check, CheckCode } from '../records.ts'
import { allows } from './csp.ts'
import { metaPolicies, namedScript, PAGE_BYTES, type ScriptTag, scriptTags } from './page.ts'

interface Expected {
  readonly siteId: string
  readonly domain: string
  /** The address of this service, whose own addresses need not be looked up. */
  readonly baseUrl: string
  readonly scriptPath: string
  readonly userAgent: string
}

const NOT_FOUND = 'Put the snippet into the page (tracking_snippet). If a tag manager loads it, open verify_url.'
/** Names under which the script is at home without settings. */
const GENERAL = /\/(?:js\/(?:footfall|script(?:\.[\w-]+)*|pa-[\w-]+)|script)\.js$/
/** Attributes that consent tools put on scripts that they hold back. */
const HELD_BACK = ['data-cookieconsent', 'data-cookiecategory', 'data-category', 'data-usercentrics', 'data-consent']

/** @returns the checks that could be made, in order */
export async function lookAtPage(url: string, expected: Expected, guard: Guard): Promise<Check[]> {
  const checks: Check[] = []
  const say = (code: CheckCode, ok: boolean, message: string, remedy: string | null = null) => {
    checks.push({ code, ok, message, remedy: ok ? null : remedy })
    return ok
  }
  const fetched = await get(url, guard, expected.userAgent)
  if ('fault' in fetched) {
    const isName = fetched.fault.code === 'dns_error'
    say(
      isName ? 'dns' : 'http_status',
      false,
      `${url}: ${fetched.fault.message}.`,
      isName ? 'Check the domain’s DNS records, or give the url of a page.' : 'Check that the page can be opened from the internet.',
    )
    return checks
  }
  const { answer } = fetched
  say('dns', true, 'The name resolves.')
  const isPage = answer.status >= 200 && answer.status < 300
  if (!say('http_status', isPage, `The page answers ${answer.status}.`, 'Give the url of a page that answers 200 without a sign-in.'))
    return checks

  const html = answer.body.toString('utf8')
  const page = new URL(answer.url)
  const loaded = scriptTags(html).filter(tag => isOurs(tag, page, expected))
  const named = loaded.length > 0 ? undefined : namedScript(html, expected.scriptPath)
  const tags = named ? [named] : loaded
  const [first] = tags
  if (!first) {
    say('snippet_found', false, 'The HTML of the page does not name the script.', NOT_FOUND)
    return checks
  }
  say('snippet_found', true, `The page loads ${first.src.slice(0, 200)}.`)
  const wrong = wrongDomain(first, expected)
  say('wrong_domain', wrong === undefined, wrong ?? 'The snippet is the site’s.', `Its data-domain must be ${expected.domain}.`)
  say(
    'duplicate',
    tags.length === 1,
    `The script is in the page ${tags.length === 1 ? 'once' : `${tags.length} times`}.`,
    'Leave one: two different scripts count everything twice.',
  )
  const held = heldBack(first)
  say(
    'consent_gate',
    held === undefined,
    held ?? 'Nothing holds the script back.',
    'The script sets no cookies: let the consent tool load it always, or expect to count only those who agree.',
  )

  const script = new URL(first.src, page)
  const endpoint = endpointOf(script, expected)
  const policies = [...policiesIn(answer), ...metaPolicies(html)]
  const nonce = first.attributes.get('nonce') ?? (named ? null : undefined)
  say(
    'csp_script',
    allows(policies, 'script-src', script, page, nonce),
    policiesSaid('script-src', script),
    `Add ${script.origin} to script-src of the Content-Security-Policy, or give the tag its nonce.`,
  )
  say(
    'csp_connect',
    allows(policies, 'connect-src', endpoint, page),
    policiesSaid('connect-src', endpoint),
    `Add ${endpoint.origin} to connect-src of the Content-Security-Policy.`,
  )
  if (script.origin === new URL(expected.baseUrl).origin) {
    say('script_reachable', true, 'The script comes from this service itself.')
    say('endpoint_reachable', true, 'Hits go to this service itself.')
    return checks
  }
  await lookAtProxy(script, endpoint, expected, guard, say)
  return checks
}

type Say = (code: CheckCode, ok: boolean, message: string, remedy?: string | null) => boolean

async function lookAtProxy(script: URL, endpoint: URL, { userAgent }: Expected, guard: Guard, say: Say): Promise<void> {
  const got = await get(script.href, guard, userAgent)
  const isScript = 'answer' in got && got.answer.status === 200 && /javascript/.test(got.answer.headers['content-type'] ?? '')
  const seen =
    'fault' in got ? got.fault.message : `it answers ${got.answer.status}, ${got.answer.headers['content-type'] ?? 'without a type'}`
  say(
    'script_reachable',
    isScript,
    isScript ? 'The proxy serves the script.' : `${script.href.slice(0, 200)}: ${seen}.`,
    'Check the rule of the proxy: tracking_snippet has it.',
  )
  const sent = await get(endpoint.href, guard, userAgent, { method: 'POST', body: JSON.stringify({ n: 'verify', nonce: '' }) })
  const told = 'answer' in sent && sent.answer.status === 202 ? ipIn(sent.answer) : undefined
  const isReached = told !== undefined
  const said = 'fault' in sent ? sent.fault.message : `it answers ${sent.answer.status}`
  say(
    'endpoint_reachable',
    isReached,
    isReached ? 'The proxy passes hits on.' : `POST ${endpoint.href.slice(0, 200)}: ${said}.`,
    'The proxy must pass POST to the same path without .js.',
  )
  if (!isReached) return
  const own = await lookup(endpoint.hostname, { all: true }).then(
    found => found.map(({ address }) => address),
    () => [],
  )
  const isProxy = isNear(told) || own.some(address => address === told)
  say(
    'proxy_address',
    !isProxy,
    isProxy ? 'Hits seem to come from the proxy itself.' : 'The proxy says whose hits it passes on.',
    'Let it send X-Forwarded-For, and name it in TRUSTED_PROXIES of this service; for Cloudflare, Vercel and Netlify take the snippet, which has a key.',
  )
}

function ipIn({ body }: OutboundAnswer): string | undefined {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'))
    return isObject(read) && typeof read.ip === 'string' ? read.ip : undefined
  } catch {
    return undefined
  }
}

function isOurs({ src }: ScriptTag, page: URL, { scriptPath, baseUrl }: Expected): boolean {
  if (!URL.canParse(src, page)) return false
  const { pathname, origin } = new URL(src, page)
  return (
    pathname.endsWith(`/${scriptPath}.js`) ||
    (origin === new URL(baseUrl).origin && (GENERAL.test(pathname) || /^\/[a-z]\d[0-9a-z]{10}\.js$/.test(pathname)))
  )
}

function wrongDomain({ src, attributes }: ScriptTag, { scriptPath, domain, siteId }: Expected): string | undefined {
  if (src.includes(`/${scriptPath}.js`)) return undefined
  if (!GENERAL.test(src.replace(/[?#].*/, ''))) return 'The script in the page is another site’s, or of before its path was changed.'
  const named = attributes.get('data-domain')
  if (named === undefined) return undefined
  const names = named.split(',').map(name =>
    name
      .trim()
      .toLowerCase()
      .replace(/^www\./, ''),
  )
  return names.includes(domain) || names.includes(siteId) ? undefined : `The snippet names ${named.slice(0, 100)}.`
}

function heldBack({ attributes }: ScriptTag): string | undefined {
  const type = attributes.get('type')?.toLowerCase() ?? ''
  if (type !== '' && !/^(module|(text|application)\/(java|ecma)script)$/.test(type))
    return `Its type is ${type.slice(0, 50)}: browsers do not run it until a consent tool changes that.`
  const mark = HELD_BACK.find(name => attributes.has(name))
  if (mark !== undefined || !attributes.has('src')) return `A consent tool holds it back (${mark ?? 'data-src'}).`
  return undefined
}

const endpointOf = (script: URL, { scriptPath, baseUrl }: Expected): URL =>
  script.pathname.endsWith(`/${scriptPath}.js`)
    ? new URL(script.href.replace(/\.js([?#].*)?$/, ''))
    : new URL('/api/event', script.origin === 'null' ? baseUrl : script)

const policiesIn = ({ headers }: OutboundAnswer): string[] =>
  (headers['content-security-policy'] ?? '').split(',').filter(policy => policy.trim() !== '')
const policiesSaid = (directive: string, { origin }: URL): string => `${directive} of the page, for ${origin}.`

async function get(
  url: string,
  guard: Guard,
  userAgent: string,
  more: Partial<Pick<OutboundRequest, 'method' | 'body'>> = {},
): Promise<{ answer: OutboundAnswer } | { fault: OutboundError }> {
  try {
    const answer = await guardedFetch(url, {
      ...guard,
      method: 'GET',
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', 'content-type': 'text/plain' },
      timeoutMs: 10_000,
      connectMs: 5_000,
      maxBytes: PAGE_BYTES,
      redirects: 5,
      ...more,
    })
    return { answer }
  } catch (thrown) {
    return { fault: thrown instanceof OutboundError ? thrown : new OutboundError('protocol_error') }
  }
}

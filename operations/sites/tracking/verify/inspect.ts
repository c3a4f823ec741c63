/** Checks a page of the site as a browser would, and reports problems that prevent hits. */
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
import { foreignTag, type ForeignTag, writtenTags } from './foreign-tags.ts'
import { metaPolicies, namedScript, PAGE_BYTES, type ScriptTag, scriptTags } from './page.ts'
import { fieldTerm, type Message, operationTerm } from '../../../../runtime/texts/message.ts'
import { m } from '../messages.ts'

interface Expected {
  readonly siteId: string
  readonly domain: string
  /** Other names that count for the site. */
  readonly aliases: readonly string[]
  /** URL of this service. Its own URLs need not be requested. */
  readonly baseUrl: string
  readonly scriptPath: string
  readonly userAgent: string
}

const snippet = operationTerm('tracking_snippet')
/** Paths of the script that do not name a site. */
const GENERIC_SCRIPT = /\/(?:js\/(?:footfall|script(?:\.[\w-]+)*|pa-[\w-]+)|script)\.js$/
/** Attributes that consent tools add to scripts that they block. */
const HELD_BACK = ['data-cookieconsent', 'data-cookiecategory', 'data-category', 'data-usercentrics', 'data-consent']

/** Requests a page and checks it. @returns the checks that could be made, in order */
export async function checkPage(url: string, expected: Expected, guard: Guard): Promise<Check[]> {
  const checks: Check[] = []
  const say: Say = (code, { ok, message, remedy = null }) => {
    checks.push({ code, ok, message, remedy: ok ? null : remedy })
    return ok
  }
  const fetched = await get(url, { guard, userAgent: expected.userAgent })
  if ('fault' in fetched) {
    const isName = fetched.fault.code === 'dns_error'
    say(isName ? 'dns' : 'http_status', {
      ok: false,
      message: m.page_not_reached({ url, fault: fetched.fault.sentence }),
      remedy: isName ? m.check_dns({ url: fieldTerm('url') }) : m.check_reachable(),
    })
    return checks
  }
  const { answer } = fetched
  say('dns', { ok: true, message: m.name_resolves() })
  const isPage = answer.status >= 200 && answer.status < 300
  if (
    !say('http_status', { ok: isPage, message: m.page_answers({ status: answer.status }), remedy: m.give_page({ url: fieldTerm('url') }) })
  )
    return checks

  const html = answer.body.toString('utf8')
  const page = new URL(answer.url)
  const scripts = scriptTags(html)
  const foreign = [...scripts.flatMap(tag => foreignTag(tag, page) ?? []), ...writtenTags(html, page)]
  const policies = [...policiesIn(answer), ...metaPolicies(html)]
  const loaded = scripts.filter(tag => isOurs(tag, page, expected) && !foreignTag(tag, page))
  const named = loaded.length > 0 ? undefined : namedScript(html, expected.scriptPath)
  const tags = named ? [named] : loaded
  const [first] = tags
  if (!first) {
    const [sendsHere, ...others] = foreign.filter(({ to }) => to.origin === new URL(expected.baseUrl).origin)
    if (sendsHere) checkForeign(sendsHere, { count: 1 + others.length, page, policies, expected, say })
    else say('snippet_found', notFound(foreign[0], expected))
    return checks
  }
  say('snippet_found', { ok: true, message: m.page_loads({ script: first.src.slice(0, 200) }) })
  checkTag(first, { count: tags.length, expected, say })
  const script = new URL(first.src, page)
  const endpoint = endpointOf(script, expected)
  const nonce = first.attributes.get('nonce') ?? (named ? null : undefined)
  checkPolicies({ policies, page, script, endpoint, nonce, say })
  if (script.origin === new URL(expected.baseUrl).origin) {
    say('script_reachable', { ok: true, message: m.script_from_service() })
    say('endpoint_reachable', { ok: true, message: m.hits_to_service() })
    return checks
  }
  await checkProxy({ script, endpoint, expected, guard, say })
  return checks
}

interface TagCheck {
  readonly count: number
  readonly expected: Expected
  readonly say: Say
}

/** Checks the attributes of our tag, and that it is the only one. */
function checkTag(first: ScriptTag, { count, expected, say }: TagCheck): void {
  const wrong = wrongDomain(first, expected)
  say('wrong_domain', { ok: wrong === undefined, message: wrong ?? m.own_snippet(), remedy: m.domain_must_be({ domain: expected.domain }) })
  say('duplicate', { ok: count === 1, message: m.script_count({ count }), remedy: m.leave_one() })
  const held = heldBack(first)
  say('consent_gate', { ok: held === undefined, message: held ?? m.not_held_back(), remedy: m.always_load() })
}

interface PolicyCheck {
  readonly policies: readonly string[]
  readonly page: URL
  readonly script: URL | undefined
  readonly endpoint: URL
  readonly nonce?: string | null | undefined
  readonly say: Say
}

/** Checks that the policies of the page let it load the script, if there is one, and send hits to the endpoint. */
function checkPolicies({ policies, page, script, endpoint, nonce, say }: PolicyCheck): void {
  if (script)
    say('csp_script', {
      ok: allows({ policies, directive: 'script-src', target: script, page, nonce }),
      message: m.policy({ directive: 'script-src', origin: script.origin }),
      remedy: m.add_script_src({ origin: script.origin }),
    })
  say('csp_connect', {
    ok: allows({ policies, directive: 'connect-src', target: endpoint, page }),
    message: m.policy({ directive: 'connect-src', origin: endpoint.origin }),
    remedy: m.add_connect_src({ origin: endpoint.origin }),
  })
}

/** The fault of a page without our script. @param tag of another product on that page */
function notFound(tag: ForeignTag | undefined, { baseUrl }: Expected): Found {
  return tag
    ? {
        ok: false,
        message: m.foreign_tag({ product: tag.product, host: tag.to.host.slice(0, 100) }),
        remedy: m.change_address({ product: tag.product, origin: new URL(baseUrl).host }),
      }
    : { ok: false, message: m.script_not_named(), remedy: m.add_snippet({ snippet, verify_url: fieldTerm('verify_url') }) }
}

interface ForeignCheck {
  readonly count: number
  readonly page: URL
  readonly policies: readonly string[]
  readonly expected: Expected
  readonly say: Say
}

/** Checks a tag of another product that sends to this service. */
function checkForeign(tag: ForeignTag, { count, page, policies, expected, say }: ForeignCheck): void {
  say('snippet_found', { ok: true, message: m.counts_here({ product: tag.product }) })
  const names = [expected.domain, expected.siteId, ...expected.aliases]
  const id = tag.id?.toLowerCase() ?? page.hostname.replace(/^www\./, '')
  say('wrong_domain', {
    ok: names.includes(id),
    message: names.includes(id) ? m.own_snippet() : m.foreign_id({ product: tag.product, id: id.slice(0, 100) }),
    remedy: m.add_alias({ id: id.slice(0, 100), aliases: fieldTerm('aliases') }),
  })
  say('duplicate', { ok: count === 1, message: m.script_count({ count }), remedy: m.leave_one() })
  checkPolicies({ policies, page, script: tag.script, endpoint: tag.to, say })
  say('endpoint_reachable', { ok: true, message: m.hits_to_service() })
}

interface Found {
  readonly ok: boolean
  readonly message: Message
  /** The remedy for the case that `ok` is false. */
  readonly remedy?: Message
}
type Say = (code: CheckCode, found: Found) => boolean

interface ProxyCheck {
  readonly script: URL
  readonly endpoint: URL
  readonly expected: Expected
  readonly guard: Guard
  readonly say: Say
}

async function checkProxy({ script, endpoint, expected: { userAgent }, guard, say }: ProxyCheck): Promise<void> {
  const got = await get(script.href, { guard, userAgent })
  const isScript = 'answer' in got && got.answer.status === 200 && /javascript/.test(got.answer.headers['content-type'] ?? '')
  const seen = 'fault' in got ? got.fault.sentence : answered(got.answer)
  say('script_reachable', {
    ok: isScript,
    message: isScript ? m.proxy_serves() : m.proxy_serves_not({ url: script.href.slice(0, 200), fault: seen }),
    remedy: m.check_proxy({ snippet }),
  })
  const sent = await get(endpoint.href, { guard, userAgent, more: { method: 'POST', body: JSON.stringify({ n: 'verify', nonce: '' }) } })
  const reportedIp = 'answer' in sent && sent.answer.status === 202 ? ipIn(sent.answer) : undefined
  const isReached = reportedIp !== undefined
  const reason = 'fault' in sent ? sent.fault.sentence : m.answers({ status: sent.answer.status })
  say('endpoint_reachable', {
    ok: isReached,
    message: isReached ? m.proxy_passes() : m.proxy_passes_not({ url: endpoint.href.slice(0, 200), fault: reason }),
    remedy: m.pass_post(),
  })
  if (!isReached) return
  const own = await lookup(endpoint.hostname, { all: true }).then(
    found => found.map(({ address }) => address),
    () => [],
  )
  const isProxy = isNear(reportedIp) || own.some(address => address === reportedIp)
  say('proxy_address', {
    ok: !isProxy,
    message: isProxy ? m.proxy_seems_visitor() : m.proxy_says_visitor(),
    remedy: m.name_proxy(),
  })
}

function answered({ status, headers }: OutboundAnswer): Message {
  const type = headers['content-type']
  return type === undefined ? m.answers_without_type({ status }) : m.answers_with_type({ status, type })
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
    (origin === new URL(baseUrl).origin && (GENERIC_SCRIPT.test(pathname) || /^\/[a-z]\d[0-9a-z]{10}\.js$/.test(pathname)))
  )
}

function wrongDomain({ src, attributes }: ScriptTag, { scriptPath, domain, aliases, siteId }: Expected): Message | undefined {
  if (src.includes(`/${scriptPath}.js`)) return undefined
  if (!GENERIC_SCRIPT.test(src.replace(/[?#].*/, ''))) return m.other_script()
  const domains = attributes.get('data-domain')
  if (domains === undefined) return undefined
  const names = domains.split(',').map(name =>
    name
      .trim()
      .toLowerCase()
      .replace(/^www\./, ''),
  )
  return [domain, siteId, ...aliases].some(name => names.includes(name)) ? undefined : m.snippet_names({ domain: domains.slice(0, 100) })
}

function heldBack({ attributes }: ScriptTag): Message | undefined {
  const type = attributes.get('type')?.toLowerCase() ?? ''
  if (type !== '' && !/^(module|(text|application)\/(java|ecma)script)$/.test(type)) return m.held_back_by_type({ type: type.slice(0, 50) })
  const mark = HELD_BACK.find(name => attributes.has(name))
  if (mark !== undefined || !attributes.has('src')) return m.held_back_by_tool({ mark: mark ?? 'data-src' })
  return undefined
}

const endpointOf = (script: URL, { scriptPath, baseUrl }: Expected): URL =>
  script.pathname.endsWith(`/${scriptPath}.js`)
    ? new URL(script.href.replace(/\.js([?#].*)?$/, ''))
    : new URL('/api/event', script.origin === 'null' ? baseUrl : script)

const policiesIn = ({ headers }: OutboundAnswer): string[] =>
  (headers['content-security-policy'] ?? '').split(',').filter(policy => policy.trim() !== '')

interface Get {
  readonly guard: Guard
  readonly userAgent: string
  readonly more?: Partial<Pick<OutboundRequest, 'method' | 'body'>> | undefined
}

async function get(url: string, { guard, userAgent, more = {} }: Get): Promise<{ answer: OutboundAnswer } | { fault: OutboundError }> {
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

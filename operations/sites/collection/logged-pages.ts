/** Which requests of a server's log are views of pages, and the hit that a script would have sent for them. */
import { addressIn } from '../../../runtime/outbound/network.ts'
import { isBot, type LoggedRequest } from '../crawlers/index.ts'
import type { JsonObject } from './formats/json-object.ts'

/** Why a request is not a view of a page. */
export const noPage = ['bot', 'no_user_agent', 'file', 'method', 'status', 'background'] as const
export type NoPage = (typeof noPage)[number]

/** Statuses with which a browser shows a page; 304 if it has the page already. Redirects lead to a request of their own. */
const SHOWN: ReadonlySet<number> = new Set([200, 203, 304])
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** Endings of pages that programs write. Other endings of up to eight letters are files. */
const PAGE = /\.(?:[xs]?html?|php\d?|aspx?|jspx?|jsf|cfm|cgi|do|action|pl|py|rb|md)$/i
const FILE = /\.(?:[a-z]{1,8}\d?|[a-z]\d[a-z0-9]{0,2}|7z|3gp|woff2|mp[34])$/i
/** Paths that browsers and programs request without showing a page; Matomo's tag among them, if it is on the same host. */
const BACKGROUND =
  /^\/(?:\.|cdn-cgi\/|wp-json\/|wp-admin\/admin-ajax\.php|wp-cron\.php|xmlrpc\.php|api\/|_next\/(?:data|static|image)|(?:.*\/)?(?:matomo|piwik)\.php$)/
const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/i

/** @returns the fields of a hit, the reason why it is none, or undefined for a faulty line */
export function loggedPage({
  at,
  ip,
  method,
  url,
  status,
  userAgent,
  referrer = '',
  host = '',
  type = '',
}: LoggedRequest): JsonObject | NoPage | undefined {
  if (!url.startsWith('/') || addressIn(ip) === undefined) return undefined
  if (method !== 'GET') return 'method'
  if (!SHOWN.has(status)) return 'status'
  const [path = ''] = url.split(/[?#]/, 1)
  if (BACKGROUND.test(path)) return 'background'
  if (type === '' ? FILE.test(path.slice(-12)) && !PAGE.test(path.slice(-12)) : !HTML.test(type)) return 'file'
  if (userAgent.trim() === '') return 'no_user_agent'
  if (isBot(userAgent)) return 'bot'
  return {
    timestamp: at,
    ip,
    user_agent: userAgent,
    url: HOST.test(host) ? `https://${host}${url}` : url,
    ...(/^https?:\/\//i.test(referrer) && { referrer }),
  }
}

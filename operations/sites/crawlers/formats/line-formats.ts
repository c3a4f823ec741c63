/** Formats of logs: `combined` of Apache and nginx, Caddy, Cloudflare Logpush, standard logs of CloudFront. */
import { isObject } from '../../../../runtime/values/json.ts'
import { count, type ReadLine, textOf } from './request.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const TIME = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/

/**
 * Quotes inside quoted fields are escaped as `\"` or `\x22`. `vhost_combined` of Apache begins with the host and its port. Other
 * logs of several hosts lack the port, so there the next field has to be an address.
 */
const COMBINED =
  /^(?:([\w.-]{1,253})(?::\d{1,5} | (?=(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}:[\da-f:.]{1,40}) \S{1,64} \S{1,64} \[)))?(\S{1,64}) \S+ [^[]{0,200}\[([^\]]{20,40})\] "([A-Z]{3,10}) ((?:[^"\\]|\\.){0,8000})" (\d{3}) (\d{1,15}|-)(?: "((?:[^"\\]|\\.){0,8000})" "((?:[^"\\]|\\.){0,8000})")?/

const combined: ReadLine = line => {
  const [, host = '', ip = '', time = '', method = '', target = '', status, bytes, referrer = '', userAgent = ''] =
    COMBINED.exec(line) ?? []
  const at = clock(time)
  if (at === undefined) return undefined
  const url = target.replace(/ HTTP\/[\d.]+$/, '')
  return {
    at,
    ip,
    method,
    url,
    status: Number(status),
    bytes: count(bytes) ?? 0,
    userAgent: unquoted(userAgent),
    referrer: unquoted(referrer),
    host,
  }
}

const unquoted = (text: string): string => (text === '-' ? '' : text.replace(/\\"/g, '"'))

function clock(text: string): number | undefined {
  const [, day, month = '', year, time, hours, minutes] = TIME.exec(text) ?? []
  const number = months.indexOf(month) + 1
  const at = Date.parse(`${year}-${String(number).padStart(2, '0')}-${day}T${time}${hours}:${minutes}`)
  return number === 0 || Number.isNaN(at) ? undefined : at
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(line)
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Parses ISO 8601 or a Unix time in s, ms, µs or ns. @returns epoch ms, or undefined if `value` is neither */
export function instant(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^[\d.]+$/.test(value)) {
    const at = Date.parse(value)
    return Number.isNaN(at) ? undefined : at
  }
  let at = Number(value)
  if (!Number.isFinite(at) || at <= 0 || value === '' || value === null || typeof value === 'boolean') return undefined
  if (at < 1e11) return Math.round(at * 1_000)
  while (at > 1e14) at /= 1_000
  return Math.round(at)
}

/** Before version 2.5, Caddy logs only the address with its port. */
const PORT = /:\d{1,5}$/

const caddy: ReadLine = line => {
  const entry = objectIn(line)
  const { ts, request, status, size } = entry ?? {}
  const at = instant(ts)
  if (at === undefined || !isObject(request)) return undefined
  const headers = isObject(request.headers) ? request.headers : {}
  const answered = entry && isObject(entry.resp_headers) ? entry.resp_headers : {}
  return {
    at,
    ip:
      textOf(request.client_ip) ||
      textOf(request.remote_ip) ||
      textOf(request.remote_addr)
        .replace(PORT, '')
        .replace(/^\[|\]$/g, ''),
    method: textOf(request.method),
    url: textOf(request.uri),
    status: count(status) ?? 0,
    bytes: count(size) ?? 0,
    userAgent: firstOf(headers['User-Agent']),
    referrer: firstOf(headers.Referer),
    host: textOf(request.host),
    type: firstOf(answered['Content-Type']),
  }
}

const firstOf = (values: unknown): string => textOf(Array.isArray(values) ? values[0] : values)

const cloudflare: ReadLine = line => {
  const entry = objectIn(line)
  const at = instant(entry?.EdgeStartTimestamp)
  if (!entry || at === undefined) return undefined
  return {
    at,
    ip: textOf(entry.ClientIP),
    method: textOf(entry.ClientRequestMethod),
    url: textOf(entry.ClientRequestURI) || textOf(entry.ClientRequestPath),
    status: count(entry.EdgeResponseStatus) ?? 0,
    bytes: count(entry.EdgeResponseBytes) ?? 0,
    userAgent: textOf(entry.ClientRequestUserAgent),
    referrer: textOf(entry.ClientRequestReferer),
    host: textOf(entry.ClientRequestHost),
    type: textOf(entry.EdgeResponseContentType),
  }
}

/** Fields of standard logs, unless a comment at the start of the log has others. */
const CLOUDFRONT =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query ' +
  'cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ' +
  'ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte ' +
  'x-edge-detailed-result-type sc-content-type'
const NAMED = /^#Fields:\s{0,10}(.{1,4000})/

/** Reads a log from its start: a comment names the fields of the lines after it. */
export function cloudfrontReader(): ReadLine {
  let columns = indexes(CLOUDFRONT)
  return line => {
    if (line.startsWith('#')) {
      const [, names] = NAMED.exec(line) ?? []
      if (names !== undefined) columns = indexes(names)
      return null
    }
    const cells = line.split('\t', 200)
    const cell = (name: string) => {
      const value = cells[columns.get(name) ?? -1] ?? ''
      return value === '-' ? '' : value
    }
    const at = Date.parse(`${cell('date')}T${cell('time')}Z`)
    const status = count(cell('sc-status'))
    if (Number.isNaN(at) || status === undefined || status === 0) return undefined
    const query = cell('cs-uri-query')
    return {
      at,
      ip: cell('c-ip'),
      method: cell('cs-method'),
      url: cell('cs-uri-stem') + (query === '' ? '' : `?${query}`),
      status,
      bytes: count(cell('sc-bytes')) ?? 0,
      userAgent: decoded(decoded(cell('cs(User-Agent)'))),
      referrer: decoded(cell('cs(Referer)')),
      host: cell('x-host-header'),
      type: cell('sc-content-type'),
    }
  }
}

const indexes = (names: string): ReadonlyMap<string, number> =>
  new Map(
    names
      .trim()
      .split(/\s+/)
      .map((name, i) => [name, i]),
  )

/** Decodes once. CloudFront encodes spaces as `%20`; older logs encode that again as `%2520`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const standard = cloudfrontReader()
/** A line by itself: other fields than the standard ones need the start of the log. */
const cloudfront: ReadLine = line => (line.startsWith('#') ? null : standard(line))

/** Reads the lines of a log in any of the formats, from its start. */
export function logReader(): ReadLine {
  const fields = cloudfrontReader()
  return line => {
    if (line.startsWith('{')) return caddy(line) ?? cloudflare(line)
    return line.startsWith('#') || /^\d{4}-\d\d-\d\d\t/.test(line) ? fields(line) : combined(line)
  }
}

export const lineFormats = { combined, caddy, cloudflare, cloudfront } as const satisfies Record<string, ReadLine>
export type LineFormat = keyof typeof lineFormats

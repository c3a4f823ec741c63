/** Formats of logs: `combined` of Apache and nginx, Caddy, Cloudflare Logpush, standard logs of CloudFront. */
import { isObject } from '../../../../runtime/values/json.ts'
import { count, type ReadLine, textOf } from './request.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const TIME = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/

/** Quotes inside quoted fields are escaped as `\"` or `\x22`. */
const COMBINED =
  /^(\S{1,64}) \S+ [^[]{0,200}\[([^\]]{20,40})\] "([A-Z]{3,10}) ((?:[^"\\]|\\.){0,8000})" (\d{3}) (\d{1,15}|-)(?: "(?:[^"\\]|\\.){0,8000}" "((?:[^"\\]|\\.){0,8000})")?/

const combined: ReadLine = line => {
  const [, ip = '', time = '', method = '', target = '', status, bytes, userAgent = ''] = COMBINED.exec(line) ?? []
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
    userAgent: userAgent === '-' ? '' : userAgent.replace(/\\"/g, '"'),
  }
}

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

const caddy: ReadLine = line => {
  const entry = objectIn(line)
  const { ts, request, status, size } = entry ?? {}
  const at = instant(ts)
  if (at === undefined || !isObject(request)) return undefined
  const headers = isObject(request.headers) ? request.headers : {}
  const agents: unknown = headers['User-Agent']
  return {
    at,
    ip: textOf(request.client_ip) || textOf(request.remote_ip),
    method: textOf(request.method),
    url: textOf(request.uri),
    status: count(status) ?? 0,
    bytes: count(size) ?? 0,
    userAgent: textOf(Array.isArray(agents) ? agents[0] : agents),
  }
}

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
  }
}

const cloudfront: ReadLine = line => {
  if (line.startsWith('#')) return null
  const [date = '', time = '', , bytes, ip = '', method = '', , path = '', status, , agent = ''] = line.split('\t', 12)
  const at = Date.parse(`${date}T${time}Z`)
  const code = count(status)
  if (Number.isNaN(at) || code === undefined) return undefined
  return { at, ip, method, url: path, status: code, bytes: count(bytes) ?? 0, userAgent: agent === '-' ? '' : decoded(decoded(agent)) }
}

/** Decodes once. CloudFront encodes spaces as `%20`; older logs encode that again as `%2520`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const lineFormats = { combined, caddy, cloudflare, cloudfront } as const satisfies Record<string, ReadLine>
export type LineFormat = keyof typeof lineFormats

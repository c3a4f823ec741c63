/** Reads from a request who sent it, and whether it is a view of a page. */
import type { Visitor } from '../npm/server.d.ts'

export type Header = (name: string) => string | undefined

/** A request, as frameworks describe it. */
export interface Incoming {
  readonly method: string
  readonly url: string
  readonly header: Header
  /** Address of the connection, if the runtime has it. */
  readonly ip?: string | undefined
}

export function visitorOf({ url, header, ip }: Incoming, addressHeader: string | undefined): Visitor {
  const named = addressHeader === undefined ? undefined : header(addressHeader)?.split(',').at(-1)?.trim()
  return {
    url,
    referrer: header('referer'),
    ip: addressOf(named || ip),
    userAgent: header('user-agent'),
    language: header('accept-language')?.split(/[,;]/, 1)[0],
  }
}

/** IPv4 in its own spelling (`::ffff:192.0.2.1`), without a port or a zone. */
function addressOf(sent: string | undefined): string | undefined {
  if (sent === undefined) return undefined
  const bare = sent.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return bare.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

/** Whether a browser asked for a page that it shows now, and not in advance. */
export function isPageRequest({ method, header }: Incoming): boolean {
  if (method !== 'GET') return false
  if (/prefetch|prerender/.test(header('sec-purpose') ?? header('purpose') ?? header('x-purpose') ?? header('x-moz') ?? '')) return false
  const destination = header('sec-fetch-dest')
  return destination === undefined ? /text\/html/.test(header('accept') ?? '') : destination === 'document'
}

/** 304: the browser has the page already. Redirects lead to a request of their own. */
export const isShown = (status: number, type: string | null | undefined): boolean =>
  (status === 304 || (status >= 200 && status < 300)) && (type ? /^(text\/html|application\/xhtml\+xml)\b/i.test(type) : status === 304)

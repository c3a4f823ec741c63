/**
 * HTTP to the outside: one guarded connection for each hop, a limited body; no proxy, cookies, retries, decompression.
 */
import type { Socket } from 'node:net'
import type { DetailedPeerCertificate } from 'node:tls'
import { type buildConnector, Client } from 'undici'
import { connectTo, type Guard } from './connect.ts'
import { within } from './deadline.ts'
import { OutboundError, outboundError } from './fault.ts'
import { hostOf, targetUrl } from './target.ts'

export interface OutboundRequest extends Guard {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Limit for everything: DNS, connections, redirects and the body. */
  readonly timeoutMs: number
  /** Limit for DNS, connection and TLS handshake of one hop. */
  readonly connectMs: number
  /** Most bytes of the body to read. */
  readonly maxBytes: number
  /** Redirects to follow, 0 to 5; with 0 a 3xx is the answer. */
  readonly redirects: number
}

export interface OutboundAnswer {
  readonly status: number
  /** By lower-case name; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** As received: still compressed if the server did that unasked. */
  readonly body: Buffer
  readonly truncated: boolean
  /** The final URL, after redirects. */
  readonly url: string
  /** From the start to the last byte read, ms. */
  readonly ms: number
  /** Certificate of the last hop, with its chain in `issuerCertificate`; null without TLS. */
  readonly certificate: DetailedPeerCertificate | null
}

interface Hop {
  readonly url: URL
  readonly method: OutboundRequest['method']
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** @throws OutboundError */
export async function guardedFetch(target: string, request: OutboundRequest): Promise<OutboundAnswer> {
  const began = performance.now()
  const { method, headers = {}, body } = request
  try {
    let hop: Hop = { url: targetUrl(target), method, headers: { ...headers }, body }
    return await within(request.timeoutMs, request.signal, async signal => {
      for (let left = request.redirects; ; left--) {
        const answer = await send(hop, { ...request, signal })
        const next = request.redirects > 0 ? redirected(hop, answer) : undefined
        if (!next) return { ...answer, url: hop.url.href, ms: Math.round(performance.now() - began) }
        if (left === 0) throw new OutboundError('too_many_redirects')
        hop = next
      }
    })
  } catch (thrown) {
    throw outboundError(thrown)
  }
}

type Answer = Omit<OutboundAnswer, 'url' | 'ms'>

type Sending = OutboundRequest & { readonly signal: AbortSignal }

async function send({ url, method, headers, body }: Hop, request: Sending): Promise<Answer> {
  const secure = url.protocol === 'https:'
  const port = Number(url.port || (secure ? 443 : 80))
  const limits = { connectMs: request.connectMs, tls: secure }
  const { socket, certificate } = await connectTo(hostOf(url), port, limits, request)
  const client = new Client(url.origin, { connect: once(socket), headersTimeout: 0, bodyTimeout: 0 })
  try {
    const {
      statusCode: status,
      headers: received,
      body: stream,
    } = await client.request({
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      signal: request.signal,
      reset: true,
    })
    return { status, headers: joined(received), ...(await upTo(request.maxBytes, stream)), certificate }
  } finally {
    socket.destroy()
    client.destroy().catch(() => {})
  }
}

/** undici reconnects when a connection ends early; there is only the one checked socket. */
function once(socket: Socket): buildConnector.connector {
  let used = false
  return (_, done) => {
    const again = used
    used = true
    // Deferred: undici does not send queued requests while its connect call is still running.
    queueMicrotask(() => (again ? done(new OutboundError('connection_reset'), null) : done(null, socket)))
  }
}

async function upTo(maxBytes: number, stream: AsyncIterable<Buffer>): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes }
}

/** The next hop of a redirect, as in browsers (fetch.spec.whatwg.org §4.4); it is checked like the first. */
function redirected({ url, method, headers, body }: Hop, { status, headers: { location } }: Answer): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const next = targetUrl(location, url)
  const reads = status === 303 || (method === 'POST' && status < 307)
  // Headers meant for one server are not sent to another.
  const kept = Object.entries(headers).filter(([name]) => {
    if (/^(authorization|cookie)$/i.test(name)) return next.origin === url.origin
    return !reads || !/^content-/i.test(name)
  })
  const to = { url: next, headers: Object.fromEntries(kept) }
  return reads ? { ...to, method: method === 'HEAD' ? 'HEAD' : 'GET', body: undefined } : { ...to, method, body }
}

type Received = Readonly<Record<string, string | string[] | undefined>>
function joined(headers: Received): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]))
}

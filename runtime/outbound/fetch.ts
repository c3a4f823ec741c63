/**
 * HTTP to the outside: one guarded connection for each hop, a limited body; no proxy, cookies, retries, decompression.
 */
import type { Socket } from 'node:net'
import type { DetailedPeerCertificate } from 'node:tls'
import type { buildConnector, Client } from 'undici'
import { isObject } from '../values/json.ts'
import { connectTo, type Guard } from './connect.ts'
import { within } from './deadline.ts'
import { OutboundError, outboundError } from './fault.ts'
import { hostOf, targetUrl } from './target.ts'

export interface OutboundRequest extends Guard {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
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
  readonly body: string | Uint8Array | undefined
}

/** @throws OutboundError */
export function guardedFetch(target: string, request: OutboundRequest): Promise<OutboundAnswer> {
  return fetched(target, request, async ({ status, headers, stream, certificate, url, ms }) => {
    const read = await upTo(request.maxBytes, stream)
    return { status, headers, ...read, url, ms: ms(), certificate }
  })
}

export interface Download {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The final URL, after redirects. */
  readonly url: string
  /** As received. It is read only inside of `take`. */
  readonly pieces: AsyncIterable<Buffer>
}

/**
 * A body of any size, as it comes.
 * @param request.idleMs limit for the time without any byte
 * @param take gets the last answer; what it throws is thrown as it is
 * @throws OutboundError
 */
export async function guardedDownload(
  target: string,
  request: Omit<OutboundRequest, 'maxBytes' | 'method' | 'body'> & { readonly idleMs: number },
  take: (answer: Download) => Promise<void>,
): Promise<void> {
  let thrownByTaker: { error: unknown } | undefined
  await fetched(target, { ...request, method: 'GET', maxBytes: 0 }, async ({ status, headers, url, stream }) => {
    async function* pieces(): AsyncGenerator<Buffer> {
      try {
        yield* stream
      } catch (thrown) {
        throw outboundError(thrown)
      }
    }
    await take({ status, headers, url, pieces: pieces() }).catch(error => {
      thrownByTaker = { error }
    })
  })
  if (thrownByTaker) throw thrownByTaker.error
}

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly stream: AsyncIterable<Buffer>
  readonly certificate: DetailedPeerCertificate | null
  readonly url: string
  /** Since the start. */
  ms(): number
}

/** @param read the answer that is no redirect, while its connection is open */
async function fetched<T>(
  target: string,
  request: OutboundRequest & { readonly idleMs?: number },
  read: (received: Received) => Promise<T>,
): Promise<T> {
  const { Client } = (await import('undici')).default // the first time takes a tenth of a second, which is not the server's
  const began = performance.now()
  const { method, headers = {}, body } = request
  try {
    let hop: Hop = { url: targetUrl(target), method, headers: { ...headers }, body }
    return await within(request.timeoutMs, request.signal, async signal => {
      for (let left = request.redirects; ; left--) {
        const { url } = hop
        const answer = await send({
          Connection: Client,
          hop,
          request: { ...request, signal },
          read: async received => {
            const next = request.redirects > 0 ? redirected(hop, received) : undefined
            if (next) return { isDone: false as const, next }
            return {
              isDone: true as const,
              value: await read({ ...received, url: url.href, ms: () => Math.round(performance.now() - began) }),
            }
          },
        })
        if (answer.isDone) return answer.value
        if (left === 0) throw new OutboundError('too_many_redirects')
        hop = answer.next
      }
    })
  } catch (thrown) {
    throw outboundError(thrown)
  }
}

type Answer = Omit<Received, 'url' | 'ms'>

type Sending = OutboundRequest & { readonly signal: AbortSignal; readonly idleMs?: number }

async function send<T>({
  Connection,
  hop: { url, method, headers, body },
  request,
  read,
}: {
  Connection: typeof Client
  hop: Hop
  request: Sending
  read: (answer: Answer) => Promise<T>
}): Promise<T> {
  const secure = url.protocol === 'https:'
  const port = Number(url.port || (secure ? 443 : 80))
  const limits = { connectMs: request.connectMs, tls: secure }
  const { socket, certificate } = await connectTo({ host: hostOf(url), port, limits, guard: request })
  endWhilePaused(socket)
  const client = new Connection(url.origin, { connect: once(socket), headersTimeout: 0, bodyTimeout: request.idleMs ?? 0 })
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
    return await read({ status, headers: joined(received), stream, certificate })
  } finally {
    socket.destroy()
    client.destroy().catch(() => {})
  }
}

/**
 * If the other side ends while a slow reader has paused undici's parser, undici (7.30) fails an assertion in an event of
 * the socket, which would end the process. Here the request fails instead.
 */
function endWhilePaused(socket: Socket): void {
  for (const event of ['end', 'error', 'close']) {
    socket.on(event, () => {
      for (const symbol of Object.getOwnPropertySymbols(socket)) {
        const parser: unknown = symbol.description === 'parser' && Reflect.get(socket, symbol)
        if (isObject(parser) && parser.paused === true) parser.finish = () => new OutboundError('connection_reset')
      }
    })
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

type Headers = Readonly<Record<string, string | string[] | undefined>>
function joined(headers: Headers): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]))
}

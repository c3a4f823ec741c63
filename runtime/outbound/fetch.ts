/**
 * HTTP to the outside: one guarded connection for each hop, a limited body; no proxy and no retries. Answers are
 * decompressed, even those that were compressed unasked.
 */
import type { DetailedPeerCertificate } from 'node:tls'
import type { Guard } from './connect.ts'
import { cookieJar } from './cookies.ts'
import { within } from './deadline.ts'
import { decoded, upTo } from './decode.ts'
import { OutboundError, outboundError } from './fault.ts'
import { type Hop, type HopAnswer, type Method, send } from './hop.ts'
import { targetUrl } from './target.ts'
import { type Span, tracer } from '../observability/tracing.ts'

export interface OutboundRequest extends Guard {
  readonly method: Method
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  /** Limit for everything: DNS, connections, redirects and the body. */
  readonly timeoutMs: number
  /** Limit for DNS, connection and TLS handshake of one hop. */
  readonly connectMs: number
  /** Most bytes of the body to read, and of the body once it is decompressed. */
  readonly maxBytes: number
  /** Redirects to follow, 0 to 5; with 0 a 3xx is the answer. */
  readonly redirects: number
  /** Whether cookies that one answer sets are sent along its redirects. */
  readonly cookies?: boolean
}

export interface OutboundAnswer {
  readonly status: number
  /** By lower-case name; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed; as received if nothing of it can be decoded. */
  readonly body: Buffer
  /** False if the body, or its end, is not encoded as `Content-Encoding` says, or in a way that is not known. */
  readonly isDecoded: boolean
  /** Whether there is more than `maxBytes`. */
  readonly truncated: boolean
  /** The final URL, after redirects. */
  readonly url: string
  /** From the start to the last byte read, ms. */
  readonly ms: number
  /** Certificate of the last hop, with its chain in `issuerCertificate`; null without TLS. */
  readonly certificate: DetailedPeerCertificate | null
}

/** @throws OutboundError */
export function guardedFetch(target: string, request: OutboundRequest): Promise<OutboundAnswer> {
  return fetched(target, request, async ({ status, headers, stream, certificate, url, ms }) => {
    const raw = await upTo(request.maxBytes, stream)
    const arrived = ms()
    // A part of a file (206) is a part of its compressed bytes.
    const plain = await decoded(raw, status === 206 ? '' : (headers['content-encoding'] ?? ''), request.maxBytes)
    return { status, headers, ...plain, url, ms: arrived, certificate }
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

type Given = OutboundRequest & { readonly idleMs?: number }

/** @param read the answer that is not a redirect, while its connection is open */
function fetched<T>(target: string, request: Given, read: (received: Received) => Promise<T>): Promise<T> {
  const traced = tracer()
  if (!traced) return fetchedUntraced(target, request, read)
  const { method, headers } = request
  const start = { name: method, kind: 'client', attributes: { 'http.request.method': method, ...serverIn(target) } } as const
  return traced.span(start, span => {
    const readNoting = (received: Received) => {
      noteStatus(span, received.status)
      return read(received)
    }
    return fetchedUntraced(target, { ...request, headers: { ...traced.headers(), ...headers } }, readNoting)
  })
}

/** The server's name and no more of the address, which may hold a secret. */
function serverIn(target: string): { 'server.address'?: string } {
  return URL.canParse(target) ? { 'server.address': new URL(target).hostname } : {}
}

function noteStatus(span: Span, status: number): void {
  span.set({ 'http.response.status_code': status })
  if (status >= 400) span.fail(String(status))
}

async function fetchedUntraced<T>(target: string, request: Given, read: (received: Received) => Promise<T>): Promise<T> {
  const began = performance.now()
  const { method, headers = {}, body, connectMs, idleMs, cookies } = request
  const jar = cookies === true ? cookieJar() : undefined
  try {
    let hop: Hop = { url: targetUrl(target), method, headers: { ...headers }, body }
    return await within(request.timeoutMs, request.signal, async signal => {
      const limits = { connectMs, ...(idleMs !== undefined && { idleMs }), guard: request, signal }
      for (let left = request.redirects; ; left--) {
        const { url } = hop
        const cookie = jar?.headerFor(url)
        const sent = cookie === undefined ? hop : { ...hop, headers: { ...hop.headers, cookie } }
        const answer = await send(sent, limits, async ({ status, headers, stream, certificate }) => {
          jar?.keep(headers['set-cookie'] ?? [], url)
          const next = request.redirects > 0 ? redirected(hop, status, headers) : undefined
          if (next) return { isDone: false as const, next }
          const ms = () => Math.round(performance.now() - began)
          const value = await read({ status, headers: joined(headers), stream, certificate, url: url.href, ms })
          return { isDone: true as const, value }
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

/** The next hop of a redirect, as in browsers (fetch.spec.whatwg.org §4.4); it is checked like the first. */
function redirected({ url, method, headers, body }: Hop, status: number, answered: HopAnswer['headers']): Hop | undefined {
  const [location] = answered.location ?? []
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const next = targetUrl(location, url)
  const becomesGet = status === 303 || (method === 'POST' && status < 307)
  // Headers meant for one server are not sent to another.
  const kept = Object.entries(headers).filter(([name]) => {
    if (/^(authorization|cookie)$/i.test(name)) return next.origin === url.origin
    return !becomesGet || !/^content-/i.test(name)
  })
  const to = { url: next, headers: Object.fromEntries(kept) }
  return becomesGet ? { ...to, method: method === 'HEAD' ? 'HEAD' : 'GET', body: undefined } : { ...to, method, body }
}

function joined(headers: HopAnswer['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(', ')]))
}

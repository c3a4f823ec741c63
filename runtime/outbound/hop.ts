/** One request over one guarded connection, and its answer. */
import { isUtf8 } from 'node:buffer'
import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { DetailedPeerCertificate } from 'node:tls'
import { connectTo, type Guard } from './connect.ts'
import { OutboundError } from './fault.ts'
import { hostOf } from './target.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'

export interface Hop {
  readonly url: URL
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

export interface HopLimits {
  /** Limit for DNS, connection and TLS handshake, ms. */
  readonly connectMs: number
  /** Limit for the time without any byte of the body, while the reader waits for one; ms. */
  readonly idleMs?: number
  readonly guard: Guard
  /** Ends the request. */
  readonly signal: AbortSignal
}

export interface HopAnswer {
  readonly status: number
  /** By lower-case name; all values of repeated headers. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly stream: AsyncIterable<Buffer>
  readonly certificate: DetailedPeerCertificate | null
}

/** @param read reads the answer while its connection is open @throws OutboundError, or an error of Node that has a code */
export async function send<T>(hop: Hop, limits: HopLimits, read: (answer: HopAnswer) => Promise<T>): Promise<T> {
  const { url } = hop
  const secure = url.protocol === 'https:'
  const port = Number(url.port || (secure ? 443 : 80))
  const { connectMs, guard, signal, idleMs } = limits
  const { socket, certificate } = await connectTo({
    host: hostOf(url),
    port,
    limits: { connectMs, tls: secure },
    guard: { ...guard, signal },
  })
  try {
    const answer = await answerTo(hop, socket, signal)
    return await read({
      status: answer.statusCode ?? 0,
      headers: headersOf(answer),
      stream: idleMs === undefined ? answer : unlessIdle(answer, idleMs),
      certificate,
    })
  } finally {
    socket.destroy()
  }
}

/**
 * Interim answers are skipped, asked for or not (RFC 9110 §15.2), and the time limit of the call covers them. Node takes
 * no proxy from the environment, reuses no connection and adds no header but `Connection` and `Content-Length`.
 */
function answerTo({ url, method, headers, body }: Hop, socket: Socket, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      method,
      path: url.pathname + url.search,
      setHost: false,
      headers: { host: url.host, ...headers },
      createConnection: () => socket,
      signal,
    })
    request
      .on('error', reject)
      .on('upgrade', () => {
        reject(new OutboundError('connection_reset')) // 101, which is an answer only to what we never ask for
        socket.destroy()
      })
      .on('response', answer => {
        answer.on('error', () => {}) // what breaks after the reader has left
        resolve(answer)
      })
      .end(body)
  })
}

/**
 * Node reads header values as Latin-1; today's servers send UTF-8, for example in `Location`. Cookies go back
 * byte by byte.
 */
function headersOf({ rawHeaders }: IncomingMessage): HopAnswer['headers'] {
  // Not `headersDistinct`, which throws in older versions of Node if a server sends `__proto__` or `constructor`.
  const byName = new Map<string, string[]>()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]?.toLowerCase() ?? '', rawHeaders[i + 1] ?? '']
    const values = byName.get(name) ?? []
    byName.set(name, values)
    values.push(name === 'set-cookie' ? value : asUtf8(value))
  }
  return Object.fromEntries(byName)
}

function asUtf8(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : latin1
}

/** Ends the body if no byte comes in time. The time in which the reader is busy does not count. */
async function* unlessIdle(body: IncomingMessage, ms: number): AsyncGenerator<Buffer> {
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  for (;;) {
    const timer = setTimeout(() => body.destroy(new OutboundError('timeout')), ms)
    const { done, value } = await pieces.next().finally(() => clearTimeout(timer))
    if (done) return
    yield value
  }
}

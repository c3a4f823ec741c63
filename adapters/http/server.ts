/**
 * The HTTP server. It answers requests that cannot be parsed or routed in the format of all errors: Node's own answers to
 * them have no body.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { type ErrorCode, Failure } from '../../runtime/table/errors.ts'
import type { App } from '../../runtime/app.ts'
import { basePath, within } from '../../runtime/values/base-path.ts'
import type { Web } from './web.ts'
import { securityHeaders } from './security.ts'
import { type BodyLimits, bodyLimits, endSlowBodies } from './slow-bodies.ts'

/** Error codes of Node's parser and timers; any other is a request that cannot be read. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Node needs more time for the head of a request than for an idle connection, ms. */
const HEAD_MS = 10_000

interface ServerOf {
  readonly app: Pick<App, 'answerTo' | 'config' | 'closing'>
  readonly hostname: string
  readonly bodies?: BodyLimits | undefined
}

/**
 * Sends all answers of one turn of the event loop together, in the next turn. If each was sent between two calls, it would wake up its
 * client or proxy separately, which costs as much as the call.
 */
export function answersTogether<P extends readonly unknown[]>(
  fetch: (...request: P) => Response | Promise<Response>,
): (...request: P) => Promise<Response> {
  let ready: (() => void)[] = []
  const sendAll = () => {
    const sends = ready
    ready = []
    for (const send of sends) send()
  }
  const together = (response: Response) =>
    new Promise<Response>(send => {
      if (ready.push(() => send(response)) === 1) setImmediate(sendAll)
    })
  return (...request) => {
    const answer = fetch(...request) // what it throws is thrown at once
    return answer instanceof Promise ? answer.then(together) : together(answer)
  }
}

/** @param hostname the Host for requests of HTTP/1.0 without one */
export function serverOf(web: Web, { app, hostname, bodies = bodyLimits }: ServerOf): Server {
  const refusal = (code: ErrorCode, message?: string) => {
    const id = randomUUID()
    const { status, body } = app.answerTo(new Failure(code, message), id, 'body')
    const text = JSON.stringify(body)
    const headers = {
      ...securityHeaders(app.config.BASE_URL),
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(text)),
      'X-Request-Id': id,
      Connection: 'close',
    }
    return { status, headers, text }
  }
  const handle = getRequestListener(answersTogether(web.fetch), {
    hostname,
    errorHandler() {
      const { status, headers, text } = refusal('bad_request', 'The Host header or the address of the request cannot be read.')
      return new Response(text, { status, headers })
    },
  })

  const base = basePath(app.config.BASE_URL)
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    if (base !== '' && incoming.url !== undefined) incoming.url = within(incoming.url, base)
    const fault = hostFault(incoming)
    watch(incoming)
    if (app.closing()) outgoing.shouldKeepAlive = false
    if (fault === undefined) return handle(incoming, outgoing)
    const { status, headers, text } = refusal('bad_request', fault)
    outgoing.writeHead(status, headers).end(text)
  })
  server.keepAliveTimeout = app.config.KEEP_ALIVE_SECONDS * 1_000
  server.headersTimeout = server.keepAliveTimeout + HEAD_MS
  const watch = endSlowBodies(server, bodies, ({ socket }) => {
    server.emit('clientError', Object.assign(new Error('a body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  })
  server.on('checkExpectation', (_, outgoing) => {
    const { status, headers, text } = refusal('expectation_failed')
    outgoing.writeHead(status, headers).end(text)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const { status, headers, text } = refusal(codes[error.code ?? ''] ?? 'bad_request')
    const lines = Object.entries({ ...headers, Date: new Date().toUTCString() }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  })
  return server
}

/** Requires exactly one Host, or at most one in HTTP/1.0 (RFC 9112 §3.2): of two, a proxy in front may use the other one. */
function hostFault({ rawHeaders, httpVersionMinor }: IncomingMessage): string | undefined {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return `A request must have only one Host header. This one has ${hosts}.`
  return hosts === 0 && httpVersionMinor > 0 ? 'A request must have a Host header.' : undefined
}

/** Whether the head of an answer was sent on this connection: a second head would become part of its body. */
function isAnswering(socket: Duplex): boolean {
  const message: unknown = '_httpMessage' in socket ? socket._httpMessage : undefined // as Node's own handler checks
  return typeof message === 'object' && message !== null && 'headersSent' in message && message.headersSent === true
}

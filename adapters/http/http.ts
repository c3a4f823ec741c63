/** Projects the table onto Hono routes. Knows no operation by name and decides nothing: `app.call` does. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { type Context, Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import type { Answer, App, CallRequest } from '../../runtime/app.ts'
import { callMeter } from '../../runtime/call-meter.ts'
import type { Endpoint } from '../../runtime/endpoint.ts'
import { Failure } from '../../runtime/errors.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { readObject, readText } from './body.ts'
import { clientIp, isUnnamedProxy } from './client-ip.ts'
import { decodeQuery } from './query.ts'
import { securityHeaders } from './security.ts'

/** What @hono/node-server hands over; absent in tests that call `app.request()`. */
export type Env = { Bindings: { incoming?: Pick<IncomingMessage, 'headers' | 'socket'> } | undefined; Variables: { requestId: string | undefined } }
export type Web = Hono<Env>

/** Where an adapter of its own (MCP, the OpenAPI file) joins in. */
export type Mount = (web: Web, app: App) => void

export function createWeb(app: App, mounts: readonly Mount[] = []): Web {
  // `.json` may be appended to every path (decisions.md §1): it is taken off before the routes are asked.
  const options = { getPath: (request: Request) => getPath(request).replace(/\.json$/, '') }
  const web: Web = new Hono<Env>(options)
  const beside: Web = new Hono<Env>(options)
  const always = securityHeaders(app.config.BASE_URL)

  /** Every header is there when the answer is made: touching one afterwards costs as much as the rest of the call. */
  const send: Send = (c, status, headers, body) =>
    new Response(body, { status, headers: Object.assign({ 'X-Request-Id': requestId(c) }, always, headers) }) // a spread takes 20 times as long
  const answer = (c: Context<Env>, { status, body, headers: own }: Answer, media?: NamedOperation['media']) => {
    const picture = media !== undefined && status === 200
    const text = picture ? String(body) : JSON.stringify(body)
    const headers: Record<string, string> = Object.assign({}, own)
    if (c.req.method === 'GET' && status === 200 && !('Cache-Control' in own)) {
      headers.ETag = tagOf(text)
      headers['Cache-Control'] = picture ? 'public, max-age=300' : 'private, no-cache'
      if (matchesTag(headerOf(c, 'if-none-match'), headers.ETag)) return send(c, 304, headers, null)
    }
    headers['Content-Type'] = picture ? `${media}; charset=utf-8` : json
    if (picture) headers['Cross-Origin-Resource-Policy'] = 'cross-origin' // pages of others show it
    return send(c, status, headers, text)
  }
  const refusal = (c: Context<Env>, thrown: unknown) => answer(c, app.answerTo(thrown, requestId(c), 'body'))

  // One handler a route: Hono runs two only through its composer.
  for (const operation of app.table.operations.values()) {
    if (operation.surfaces.includes('http')) web.on(operation.method, honoPath(operation.path), async c => answer(c, await app.call(callOf(app, operation, c)), operation.media))
  }
  for (const endpoint of app.table.endpoints) mountEndpoint(web, app, endpoint, send)
  web.notFound(c => beside.fetch(c.req.raw, c.env))
  web.onError((thrown, c) => refusal(c, thrown))

  // What is no operation: its answers are made elsewhere, and get the headers of all afterwards.
  beside.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries({ ...always, 'X-Request-Id': requestId(c) })) if (!c.res.headers.has(name)) c.header(name, value)
  })
  for (const mount of mounts) mount(beside, app)
  for (const [path, methods] of methodsByPath(web, beside)) {
    beside.all(path, c => refusal(c, new Failure('method_not_allowed', undefined, [], { Allow: methods.join(', ') })))
  }
  beside.notFound(c => refusal(c, new Failure('not_found')))
  beside.onError((thrown, c) => refusal(c, thrown))
  return web
}

const json = 'application/json; charset=utf-8'

function callOf(app: App, operation: NamedOperation, c: Context<Env>): CallRequest {
  return {
    operation,
    surface: 'http',
    authorization: headerOf(c, 'authorization'),
    ip: addressOf(c, app),
    requestId: requestId(c),
    idempotencyKey: headerOf(c, 'idempotency-key'),
    path: c.req.param(),
    input: async () => (operation.method === 'GET' ? decodeQuery(operation.input, queryOf(c.req.url)) : readObject(c.req.raw, headerOf(c, 'content-length'), headerOf(c, 'content-type'))),
  }
}

/** Undefined where there is none: most reads of a record. */
function queryOf(url: string): URLSearchParams | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : new URLSearchParams(url.slice(start))
}

/** Weak: it says that the answer is the same, which a checksum and the length can. */
function tagOf(text: string): string {
  return `W/"${text.length.toString(36)}-${crc32(text).toString(36)}"`
}

/** Weak comparison of a list of tags, or `*` (RFC 9110 §13.1.2). */
function matchesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some(each => each.trim() === '*' || each.trim().replace(/^(W\/)?/, 'W/') === tag)
}

type Send = (c: Context<Env>, status: number, headers: Readonly<Record<string, string>>, body: BodyInit | null) => Response

function mountEndpoint(web: Web, app: App, endpoint: Endpoint, send: Send): void {
  const [method = '', path = ''] = endpoint.route.split(' ')
  const cors: Record<string, string> = endpoint.crossOrigin ? { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}
  const meter = callMeter(app.metrics, endpoint.route)
  const counted = (status: number, began: number) => { meter('http', status, performance.now() - began) }
  web.on(method, path, async c => {
    const began = performance.now()
    try {
      const { status, headers, body } = await endpoint.handle({
        url: c.req.url,
        header: name => headerOf(c, name),
        ip: addressOf(c, app),
        id: requestId(c),
        text: () => readText(c.req.raw, headerOf(c, 'content-length'), endpoint.maxBytes),
      }, app)
      counted(status, began)
      return send(c, status, Object.assign({}, cors, headers), body ?? null)
    } catch (thrown) {
      const { status, headers, body } = app.answerTo(thrown, requestId(c), 'body')
      counted(status, began)
      return send(c, status, { 'Content-Type': json, ...cors, ...headers }, JSON.stringify(body))
    }
  })
  if (endpoint.crossOrigin) {
    const admitted = ['Content-Type', ...endpoint.crossOrigin.headers].join(', ')
    web.options(path, c => send(c, 204, {
      ...cors, 'Access-Control-Allow-Methods': method, 'Access-Control-Allow-Headers': admitted, 'Access-Control-Max-Age': '86400',
    }, null))
  }
}

/** For 405 with Allow (RFC 9110 §15.5.6): what each path answers. */
function methodsByPath(...webs: readonly Web[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of webs.flatMap(web => web.routes)) {
    if (method === 'ALL' || path.includes('*')) continue
    const known = methods.get(path) ?? []
    methods.set(path, known)
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) if (!known.includes(each)) known.push(each)
  }
  return methods
}

export function addressOf(c: Context<Env>, app: App): string {
  const [socket, forwarded] = [c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1', headerOf(c, 'x-forwarded-for')]
  warnOnce(c, app, socket, forwarded)
  return clientIp(socket, forwarded ?? null, app.config.TRUSTED_PROXIES)
}

const warned = new WeakSet<App['config']>()
/** Servers that pass on whose hit it is send the header as well, and a token. */
function warnOnce(c: Context<Env>, { config, log }: App, peer: string, forwarded: string | undefined): void {
  if (forwarded === undefined || warned.has(config) || headerOf(c, 'authorization') !== undefined) return
  if (!isUnnamedProxy(peer, config.TRUSTED_PROXIES)) return
  warned.add(config)
  log.warn({ peer }, 'X-Forwarded-For is not believed: if a proxy sends it, name its address in TRUSTED_PROXIES, or all visitors seem to be the proxy')
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** A request header, as Node has parsed it already: a Headers object for three of them costs as much as the call. */
export function headerOf(c: Context<Env>, name: string): string | undefined {
  const incoming = c.env?.incoming
  if (!incoming) return c.req.header(name)
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** A sender's own id is kept where it is harmless, so that logs on both sides meet. */
export function requestId(c: Context<Env>): string {
  let id = c.get('requestId')
  if (id === undefined) {
    const given = headerOf(c, 'x-request-id')
    c.set('requestId', id = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID())
  }
  return id
}

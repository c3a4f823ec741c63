/** Middleware of frameworks: counts pages that were answered, and offers the calls of each visitor. It never throws. */
import type * as Api from '../npm/server.d.ts'
import { incomingOf, type Inside, insideOf } from './footfall.ts'
import { type Incoming, isPageRequest, isShown } from './visitor.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Of `node:http`, with what Express and Fastify add. */
interface NodeRequest {
  readonly method?: string
  readonly url?: string
  readonly originalUrl?: string
  readonly headers: Headers
  readonly protocol?: string
  readonly ip?: string
  readonly socket?: { readonly remoteAddress?: string; readonly encrypted?: boolean }
  footfall?: Api.Calls
}
interface NodeResponse {
  readonly statusCode: number
  getHeader(name: string): unknown
  once(event: 'finish', listener: () => void): void
}

const isRequest = (request: object): request is NodeRequest => 'headers' in request
const isResponse = (response: object): response is NodeResponse => 'getHeader' in response && 'once' in response
const isFastify = (instance: object): instance is FastifyInstance => 'addHook' in instance && 'decorateRequest' in instance
const isHono = (context: object): context is HonoContext => 'req' in context && 'set' in context

const pathOf = (url: string): string => new URL(url).pathname

const counts = ({ include }: Inside, request: Incoming): boolean => isPageRequest(request) && include(pathOf(request.url))

/** Runs one of our steps, whose errors must not fail the request. */
function attempt<T>({ onError }: Inside, step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)))
    return undefined
  }
}

function ofNode(request: NodeRequest): Incoming {
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join() : value
  }
  const protocol = request.protocol ?? (request.socket?.encrypted ? 'https' : 'http')
  return {
    method: request.method ?? 'GET',
    url: `${protocol}://${header('host') ?? 'localhost'}${request.originalUrl ?? request.url ?? '/'}`,
    header,
    ip: request.ip ?? request.socket?.remoteAddress,
  }
}

export const forExpress: typeof Api.forExpress = footfall => {
  const inside = insideOf(footfall)
  return (request, response, next) => {
    attempt(inside, () => {
      if (!isRequest(request) || !isResponse(response)) return
      const incoming = ofNode(request)
      const calls = inside.calls(incoming)
      request.footfall = calls
      if (!counts(inside, incoming)) return
      response.once('finish', () => attempt(inside, () => isShown(response.statusCode, sentType(response)) && calls.pageview()))
    })
    next?.()
  }
}

/** Node does not show headers that were passed to `writeHead()`, except in the head as it was sent. */
function sentType(response: NodeResponse): string | undefined {
  const head: unknown = Reflect.get(response, '_header')
  const sent = typeof head === 'string' ? /^content-type: *(.*)$/im.exec(head)?.[1] : undefined
  return typeOf(response.getHeader('content-type')) ?? sent
}

interface FastifyInstance {
  decorateRequest(name: string, value: null): void
  addHook(name: 'onRequest' | 'onResponse', hook: (request: NodeRequest, reply: NodeResponse, done: () => void) => void): void
  addHook(name: 'onClose', hook: () => Promise<void>): void
}

export const forFastify: typeof Api.forFastify = footfall => {
  const inside = insideOf(footfall)
  const plugin = (instance: object, _: unknown, done: () => void) => {
    if (!isFastify(instance)) throw new TypeError('forFastify() makes a plugin of Fastify')
    instance.decorateRequest('footfall', null)
    instance.addHook('onRequest', (request, _, done) => {
      attempt(inside, () => (request.footfall = inside.calls(ofNode(request))))
      done()
    })
    instance.addHook('onResponse', (request, reply, done) => {
      attempt(inside, () => {
        if (isShown(reply.statusCode, typeOf(reply.getHeader('content-type'))) && counts(inside, ofNode(request)))
          request.footfall?.pageview()
      })
      done()
    })
    instance.addHook('onClose', () => footfall.flush())
    done()
  }
  // For all routes, not only for routes of its own scope.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true, [Symbol.for('fastify.display-name')]: 'footfall' })
}

const typeOf = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined)

interface HonoContext {
  readonly req: { readonly raw: Request }
  readonly res: Response
  readonly env: unknown
  readonly executionCtx: unknown
  set(name: 'footfall', value: Api.Calls): void
}

export const forHono: typeof Api.forHono = footfall => {
  const inside = insideOf(footfall)
  return async (context, next) => {
    if (!isHono(context)) return next()
    const [incoming, calls] =
      attempt(inside, () => {
        const incoming = incomingOf(context.req.raw, connectionOf(context.req.raw, context.env))
        const calls = inside.calls(incoming, laterOf(executionOf(context)))
        context.set('footfall', calls)
        return [incoming, calls] as const
      }) ?? []
    await next()
    if (incoming && calls) countAnswer(inside, incoming, calls, context.res)
  }
}

export const forFetch: typeof Api.forFetch = (footfall, handler) => {
  const inside = insideOf(footfall)
  return async (request, ...rest) => {
    const incoming = incomingOf(request, connectionOf(request, rest[0]))
    const answer = await handler(request, ...rest)
    attempt(inside, () =>
      countAnswer(
        inside,
        incoming,
        inside.calls(
          incoming,
          rest.map(laterOf).find(later => later),
        ),
        answer,
      ),
    )
    return answer
  }
}

export const forNext: typeof Api.forNext = footfall => {
  const inside = insideOf(footfall)
  return (request, event) => {
    attempt(inside, () => {
      // Next has no address of the connection; its server names it in this header.
      const forwarded = inside.addressHeader === undefined ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
      const incoming = incomingOf(request, forwarded)
      if (counts(inside, incoming) && !/^\/(_next|api)\/|\.\w{1,8}$/.test(pathOf(incoming.url))) {
        inside.calls(incoming, promise => event.waitUntil(promise)).pageview()
      }
    })
    return undefined
  }
}

function countAnswer(inside: Inside, incoming: Incoming, calls: Api.Calls, { status, headers }: Response): void {
  attempt(inside, () => isShown(status, headers.get('content-type')) && counts(inside, incoming) && calls.pageview())
}

/** Of the context that Cloudflare and others pass with a request: takes work that goes on after the answer. */
function laterOf(context: unknown): ((promise: Promise<unknown>) => void) | undefined {
  if (typeof context !== 'object' || context === null) return undefined
  const waitUntil: unknown = Reflect.get(context, 'waitUntil')
  return typeof waitUntil === 'function' ? promise => waitUntil.call(context, promise) : undefined
}

/** Hono throws if there is none. */
function executionOf(context: HonoContext): unknown {
  try {
    return context.executionCtx
  } catch {
    return undefined
  }
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Address of the connection, by the value that the runtime passes with the request: Node with Hono, Deno, Bun. */
function connectionOf(request: Request, runtime: unknown): string | undefined {
  const requestIp = inside(runtime, 'requestIP')
  const address = [
    inside(inside(inside(runtime, 'incoming'), 'socket'), 'remoteAddress'),
    inside(inside(runtime, 'remoteAddr'), 'hostname'),
    typeof requestIp === 'function' ? inside(requestIp.call(runtime, request), 'address') : undefined,
  ].find(each => typeof each === 'string')
  return typeof address === 'string' ? address : undefined
}

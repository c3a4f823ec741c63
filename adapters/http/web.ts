/** Shared by all HTTP handlers: the type of a request, and functions that read it. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, Hono } from 'hono'
import type { App } from '../../runtime/app.ts'
import { clientIp, isUnnamedProxy } from './client-ip.ts'

/** Set by @hono/node-server; undefined in tests that call `web.request()`. */
export type Env = {
  Bindings: { incoming?: IncomingMessage } | undefined
  Variables: { requestId: string | undefined }
}
export type Web = Hono<Env>

/** Adds routes other than operations: MCP, the OpenAPI file, health. */
export type Mount = (web: Web, app: App) => void

/** A request header as Node parsed it: making a `Headers` object for three of them costs as much as the call. */
export function headerOf(c: Context<Env>, name: string): string | undefined {
  const incoming = c.env?.incoming
  if (!incoming) return c.req.header(name)
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The client's own id if it is valid, to match the logs of both sides; otherwise a new one. */
export function requestId(c: Context<Env>): string {
  let id = c.get('requestId')
  if (id === undefined) {
    const given = headerOf(c, 'x-request-id')
    c.set('requestId', (id = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()))
  }
  return id
}

export function addressOf(c: Context<Env>, app: App): string {
  const [socket, forwarded] = [c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1', headerOf(c, 'x-forwarded-for')]
  warnOnce(c, { app, peer: socket, forwarded })
  return clientIp(socket, forwarded ?? null, app.config.TRUSTED_PROXIES)
}

const warned = new WeakSet<App['config']>()
/** Skips requests with a token: servers that forward hits set the header too. */
function warnOnce(
  c: Context<Env>,
  { app: { config, log }, peer, forwarded }: { app: App; peer: string; forwarded: string | undefined },
): void {
  if (forwarded === undefined || warned.has(config) || headerOf(c, 'authorization') !== undefined) return
  if (!isUnnamedProxy(peer, config.TRUSTED_PROXIES)) return
  warned.add(config)
  log.warn(
    { peer },
    'X-Forwarded-For is not believed: if a proxy sends it, name its address in TRUSTED_PROXIES, or all visitors seem to be the proxy',
  )
}

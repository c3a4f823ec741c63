/**
 * Watches requests from the outside: the line of each in the request log, and its span in a trace. Both are off by default. They name
 * the route, not the address, which may hold names of sites, keys and texts that someone typed.
 */
import type { Context } from 'hono'
import type { App } from '../../runtime/app.ts'
import { tracer } from '../../runtime/observability/tracing.ts'
import { type Env, headerOf, requestId } from './web.ts'

export type Handler = (c: Context<Env>) => Response | Promise<Response>

/** Wraps the handler of a route, such as `GET /sites/{site_id}`. */
export type Watch = (route: string, handler: Handler) => Handler

/** Requests of load balancers and of Prometheus would be most of all traces. */
const untraced = new Set(['GET /healthz', 'GET /readyz', 'GET /metrics'])

/** @param refused makes the answer for what a handler throws */
export function watching({ config, log }: App, refused: (c: Context<Env>, thrown: unknown) => Promise<Response>): Watch {
  const isLogged = config.REQUEST_LOG
  const traced = tracer()
  if (!isLogged && !traced) return (_, handler) => handler

  const inSpan = (route: string, c: Context<Env>, answer: () => Promise<Response>): Promise<Response> => {
    if (!traced || untraced.has(route)) return answer()
    const [method = '', path = ''] = route.split(' ')
    const start = { name: route, kind: 'server', header: (name: string) => headerOf(c, name) } as const
    return traced.span({ ...start, attributes: { 'http.request.method': method, 'http.route': path } }, async span => {
      const response = await answer()
      span.set({ 'http.response.status_code': response.status })
      if (response.status >= 500) span.fail(String(response.status))
      return response
    })
  }
  return (route, handler) => async c => {
    const began = performance.now()
    const response = await inSpan(route, c, async () => {
      try {
        return await handler(c)
      } catch (thrown) {
        return refused(c, thrown)
      }
    })
    if (isLogged) {
      const ms = Math.round(performance.now() - began)
      log.info({ request: requestId(c), route, status: response.status, ms }, 'answered')
    }
    return response
  }
}

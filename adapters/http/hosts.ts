/** Serves pages and endpoints at hosts of users (runtime/table/hosted.ts). These routes come before our own of the same path. */
import type { Context } from 'hono'
import type { App } from '../../runtime/app.ts'
import type { Hosted } from '../../runtime/table/hosted.ts'
import { type Env, headerOf } from './web.ts'

type Params = Readonly<Record<string, string>>
type Serve = (c: Context<Env>, path: Params) => Response | Promise<Response>

export interface HostedRoute {
  readonly hosted: Hosted
  readonly serve: Serve
}

/** The answer at a user's host; undefined at our own host, which costs no query, and at an unknown host. */
export async function atHost(app: App, routes: readonly HostedRoute[], c: Context<Env>): Promise<Response | undefined> {
  const host = headerOf(c, 'host')
  if (host === undefined || host.length > 300 || host === new URL(app.config.BASE_URL).host) return undefined
  for (const { hosted, serve } of routes) {
    const path = await hosted.find(host, app.store.read)
    if (path) return serve(c, path)
  }
  return undefined
}

/** Routes by their path at the user's host. */
export function byHostedPath(routes: readonly HostedRoute[]): Map<string, HostedRoute[]> {
  const found = new Map<string, HostedRoute[]>()
  for (const route of routes) found.set(route.hosted.path, [...(found.get(route.hosted.path) ?? []), route])
  return found
}

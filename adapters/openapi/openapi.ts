/** `/openapi.json`: readable without a token, and from pages of any origin. */
import { createHash } from 'node:crypto'
import { cors } from 'hono/cors'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Mount } from '../http/http.ts'
import { describeApi, specText } from './describe.ts'

export const openapi: Mount = (web, app) => {
  const text = specText(describeApi(app.table))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'public, no-cache', // revalidated each time, sent only when it changed
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
  }
  const readable = cors({ origin: '*', allowMethods: ['GET'], exposeHeaders: ['ETag'] })
  const crossOrigin = ['access-control-allow-origin', 'cross-origin-resource-policy']
  const tagged = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...crossOrigin] })
  // `.json` is removed before routing.
  web.on(['GET', 'OPTIONS'], '/openapi', readable, tagged, c => c.body(text, 200, headers))
}

/** `/openapi.json`: readable without a token, and from pages of any origin. */
import { crossOrigin, preflight } from '../http/cross-origin.ts'
import { matchesTag, strongTagOf } from '../http/etag.ts'
import { headerOf, type Mount } from '../http/http.ts'
import { respond } from '../http/respond.ts'
import { describeApi, specText } from './describe.ts'

export const openapi: Mount = (web, app) => {
  const text = specText(describeApi(app.table))
  const tag = strongTagOf(text)
  const headers = {
    ...crossOrigin,
    'Access-Control-Expose-Headers': 'ETag',
    'Cache-Control': 'public, no-cache', // revalidated each time, sent only when it changed
    ETag: tag,
  }
  // `.json` is removed before routing.
  web.options('/openapi', c => c.body(null, 204, preflight('GET', ['If-None-Match'])))
  web.get('/openapi', c =>
    matchesTag(headerOf(c, 'if-none-match'), tag)
      ? respond(c, 304, headers, null)
      : respond(c, 200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, text),
  )
}

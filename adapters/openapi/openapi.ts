/** `/openapi.json`: readable without a token, and from pages of any origin. */
import { crossOrigin, preflight } from '../http/cross-origin.ts'
import { matchesTag, strongTagOf } from '../http/etag.ts'
import { headerOf, type Mount } from '../http/web.ts'
import { respond } from '../http/respond.ts'
import { describeApi, specText } from './describe.ts'

export const openapi: Mount = (web, app) => {
  let written: { readonly text: string; readonly tag: string } | undefined
  /** Made at the first request: few clients request it, and it takes a tenth of a second. */
  const file = () => {
    if (written) return written
    const text = specText(describeApi(app.table))
    return (written = { text, tag: strongTagOf(text) })
  }
  // `.json` is removed before routing.
  web.options('/openapi', c => c.body(null, 204, preflight('GET', ['If-None-Match'])))
  web.get('/openapi', c => {
    const { text, tag } = file()
    const headers = {
      ...crossOrigin,
      'Access-Control-Expose-Headers': 'ETag',
      'Cache-Control': 'public, no-cache', // revalidated each time, and sent only if it changed
      ETag: tag,
    }
    return matchesTag(headerOf(c, 'if-none-match'), tag)
      ? respond(c, { status: 304, headers, body: null })
      : respond(c, { status: 200, headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, body: text })
  })
}

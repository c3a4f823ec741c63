/** Health checks: whether the process is alive, and whether to send it requests. */
import type { Mount } from './http.ts'

export const health: Mount = (web, app) => {
  web.get('/healthz', c => c.text('ok'))
  web.get('/readyz', async c => {
    if (app.closing()) return c.text('closing', 503)
    const outage = await app.outages.now()
    return outage === undefined ? c.text('ready') : c.text(outage, 503)
  })
}

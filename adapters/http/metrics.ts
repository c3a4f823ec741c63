/** `/metrics` for Prometheus. It covers the whole installation, so access is restricted. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { App } from '../../runtime/app.ts'
import { bearer } from '../../runtime/call/credentials.ts'
import { fail } from '../../runtime/table/errors.ts'
import { readGauges } from '../../runtime/tasks/gauges.ts'
import { isNear } from '../../runtime/outbound/network.ts'
import { addressOf, type Env, type Mount } from './web.ts'

export const metrics: Mount = (web, app) => {
  web.get('/metrics', async c => {
    authorise(c, app)
    const { contentType, text } = await app.metrics.expose(await readGauges(app))
    return c.body(text, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' })
  })
}

/** @throws Failure if the caller may not see the metrics */
function authorise(c: Context<Env>, app: App): void {
  const { METRICS_TOKEN: wanted, TRUSTED_PROXIES } = app.config
  if (wanted !== '') {
    const given = bearer(c.req.header('authorization'))
    if (given === undefined) {
      fail('authentication_required', 'Send the METRICS_TOKEN as a bearer token.', { headers: { 'WWW-Authenticate': 'Bearer' } })
    }
    if (timingSafeEqual(digest(given), digest(wanted))) return
    fail('invalid_token', undefined, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })
  }
  // Behind a proxy that is missing in TRUSTED_PROXIES the client is unknown, and could be anyone.
  const forwarded = c.req.header('x-forwarded-for') ?? c.req.header('forwarded')
  const hidden = TRUSTED_PROXIES.length === 0 && forwarded !== undefined
  if (!hidden && isNear(addressOf(c, app))) return
  fail('ip_not_allowed', 'Without a METRICS_TOKEN, /metrics answers this machine and private networks only.')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

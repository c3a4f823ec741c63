/** Health checks: whether the process is alive, and whether to send it requests. */
import { checksOf } from '../../runtime/table/check.ts'
import { clusterAnswers } from '../../runtime/settings/cluster.ts'
import { readVersion } from '../../runtime/settings/version.ts'
import type { Mount } from './web.ts'

export const health: Mount = (web, app) => {
  const faults = checksOf(app, app.table.checks)
  web.get('/healthz', c => (c.req.query('verbose') === undefined ? c.text('ok') : c.json({ status: 'ok', ...readVersion() })))
  web.get('/readyz', async c => {
    if (app.closing()) return c.text('closing', 503)
    const outage = await app.outages.now()
    if (outage !== undefined) {
      const outlasts = app.table.checks.some(each => each.outlastsDatabase?.(app))
      return outlasts ? c.text(`ready for hits, but ${outage}`) : c.text(outage, 503)
    }
    const [fault] = await faults()
    if (fault?.isUnready) return c.text(fault.reason, 503)
    if (fault) return c.text(`ready, but ${fault.reason}`)
    // The process stays ready: hits are still stored, and reports of recent days answered.
    return c.text((await clusterAnswers(app)) === false ? 'ready, but the ClickHouse cluster does not answer' : 'ready')
  })
}

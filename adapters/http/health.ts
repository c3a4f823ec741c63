/** What a platform asks: is the process alive, and should it be sent requests. */
import type { Mount } from './http.ts'
import { sql } from 'kysely'

export const health: Mount = (web, app) => {
  web.get('/healthz', c => c.text('ok'))
  web.get('/readyz', async c => {
    if (app.closing()) return c.text('closing', 503)
    try {
      await sql`select 1`.execute(app.store.read)
      return c.text('ready')
    } catch {
      return c.text('the database does not answer', 503)
    }
  })
}

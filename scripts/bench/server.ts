/**
 * The service, and on the same port bare Hono routes to compare with: `/bare/read` answers the same JSON as the
 * measured read, `/bare/hit` only parses a hit. `/bare/reads` answers the reads that pages made since it was last asked, as
 * addresses of the API. Prints one JSON line when it listens.
 */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createWeb } from '../../adapters/http/http.ts'
import { securityHeaders } from '../../adapters/http/security.ts'
import { answersTogether } from '../../adapters/http/server.ts'
import { mounts } from '../../adapters/index.ts'
import { table } from '../../operations/index.ts'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { createApp } from '../../runtime/create-app.ts'
import { openLog } from '../../runtime/observability/log.ts'
import { command, openDatabase, random, creationServices } from '../machine.ts'
import { withRecord } from './record.ts'

await command(async config => {
  const store = await openDatabase(config)
  const made = await setUp(
    store,
    { email: 'bench@example.com', workspace: 'Bench', site: 'bench.example.com', timezone: 'Europe/Berlin' },
    await creationServices(),
  )
  const app = createApp({ store, config, table, log: openLog('warn'), now: Date.now, random })
  const { app: recorded, taken } = withRecord(app)
  const web = createWeb(recorded, mounts)
  const read = await (await web.request(`/sites/${made.site_id}.json`, { headers: { Authorization: `Bearer ${made.token}` } })).json()
  const headers = { ...securityHeaders(config.BASE_URL), 'X-Request-Id': 'bare' } // as every answer of the server has
  const bare = new Hono()
    .get('/bare/reads', c => c.json(taken()))
    .get('/bare/read', c => c.json(read, 200, headers))
    .post('/bare/hit', async c => {
      await c.req.json()
      return c.text('ok', 202, headers)
    })
  const ours = answersTogether(web.fetch)
  const server = serve(
    {
      fetch: (request, env) => (request.url.includes('/bare/') ? bare.fetch(request, env) : ours(request, env)),
      port: config.PORT,
      hostname: config.HOST,
    },
    () => process.stdout.write(`${JSON.stringify({ ...made, port: (server.address() as AddressInfo).port })}\n`),
  )
  process.once('SIGTERM', () =>
    server.close(
      () =>
        void app
          .close()
          .then(() => store.close())
          .then(() => process.exit(0)),
    ),
  )
})

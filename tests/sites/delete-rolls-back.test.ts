/** If a site cannot be deleted, the changes of subscribers are rolled back too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWeb } from '../../adapters/http/http.ts'
import { site_deleted } from '../../operations/sites/sites/index.ts'
import { createApp } from '../../runtime/create-app.ts'
import { onEvent } from '../../runtime/events/subscriber.ts'
import { onEachEngine } from '../support/engines.ts'
import { makeWorld, request, startService } from '../support/world.ts'

onEachEngine('a site that cannot be deleted', engine => {
  test('if a subscriber fails after the others, nothing is deleted and no event is sent', async () => {
    const service = await startService(engine)
    try {
      const world = await makeWorld(service)
      const { table, store } = service.app
      const failing = onEvent(site_deleted, async () => {
        throw new Error('no')
      })
      const app = createApp({ ...service.app, table: { ...table, subscribers: [...table.subscribers, failing] } })
      const counted = async () => {
        const rows: number[] = []
        for (const name of ['uptime_checks', 'alerts', 'alert_incidents', 'events', 'webhook_deliveries', 'audit_entries'] as const) {
          rows.push(
            (
              await store.read
                .selectFrom(name)
                .select(({ lit }) => lit(1).as('one'))
                .execute()
            ).length,
          )
        }
        return rows
      }
      const before = await counted()
      const path = `/sites/${world.ids.site}`
      const body = { confirm: world.ids.domain }
      assert.equal((await request({ ...service, app, web: createWeb(app) }, 'DELETE', path, { token: world.token, body })).status, 500)
      assert.deepEqual(await counted(), before)
      assert.equal((await request(service, 'GET', path, { token: world.token })).status, 200)
      assert.equal((await request(service, 'DELETE', path, { token: world.token, body })).status, 200)
      assert.notDeepEqual(await counted(), before, 'it would have shown')
    } finally {
      await service.close()
    }
  })
})

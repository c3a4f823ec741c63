/** A site is deleted by a mark on its row, which no foreign key sees: a write on it and its end wait for each other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { callHttp, fill, makeWorld, request, startService } from '../support/world.ts'

onEachEngine('a site that is deleted while something is added to it', engine => {
  test('has nothing added: what was in time ends with it, what comes later is 404', { skip: engine.name === 'sqlite' }, async () => {
    const service = await startService(engine)
    const other = openStore(service.url, { connections: 2 })
    try {
      const creates = [...service.app.table.operations.values()].filter(
        ({ effect, on }) => effect === 'create' && on.some(({ name }) => name === 'site'),
      )
      assert.ok(creates.length >= 5)
      for (const row of creates) {
        const world = await makeWorld(service)
        let pending: ReturnType<typeof callHttp> | undefined
        // Another process deletes the site; the call begins when that is written and not yet committed.
        await other.transaction(async trx => {
          await trx
            .updateTable('sites')
            .set({ deleted_at: service.clock.now, domain: null, umami_id: null })
            .where('id', '=', world.ids.site ?? '')
            .execute()
          pending = callHttp(service, row, fill(row.examples[0]?.input ?? {}, world), world.token)
          await sleep(100)
        })
        const reply = await pending
        assert.deepEqual([reply?.status, reply?.body.error?.code], [404, 'not_found'], `${row.id}: ${reply?.text}`)
      }
    } finally {
      await other.close()
      await service.close()
    }
  })

  test('changes and deletes that meet do not wait for each other in a circle', async () => {
    const service = await startService(engine)
    const world = await makeWorld(service)
    const path = `/sites/${world.ids.site}`
    const call = (method: string, at: string, body?: object) => request(service, method, at, { token: world.token, body })
    const replies = await Promise.all([
      ...Array.from({ length: 6 }, (_, i) => call('PATCH', path, { name: `Name ${i}` })),
      ...Array.from({ length: 6 }, (_, i) => call('POST', `${path}/notes`, { text: `Note ${i}` })),
    ])
    assert.deepEqual([...new Set(replies.map(({ status }) => status))].sort(), [200, 201])
    await service.close()
  })
})

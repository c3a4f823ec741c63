/** A workspace of hundreds of sites is deleted at once, and others have turns meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addSite } from '../../operations/sites/sites/index.ts'
import { makeId } from '../../runtime/values/ids.ts'
import { randomBytes } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { turnsDuring } from '../support/event-loop-turns.ts'
import { makeWorld, request, startService } from '../support/world.ts'

const SITES = 400

onAnyEngine('a workspace of many sites', engine => {
  test('a deleted workspace is gone for everyone when the answer arrives, without a long turn of the event loop', async t => {
    const service = await startService(engine)
    const world = await makeWorld(service)
    const { clock, store } = service
    const workspace = world.ids.workspace ?? ''
    await store.transaction(async trx => {
      const by = { now: clock.now, newId: (kind: { prefix: string }) => makeId(kind, clock.now, randomBytes(14)), emit: async () => {} }
      const site = { workspace_id: workspace, name: 'x', timezone: 'UTC', currency: 'USD', public: 0, week_start: 1, umami_id: null }
      for (let i = 0; i < SITES; i++) await addSite(trx, by, { ...site, domain: `site${i}.${world.ids.domain}` })
    })
    const call = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, body })
    await call('GET', `/workspaces/${workspace}`)

    const { count, longest } = await turnsDuring(async () => {
      const { status } = await call('DELETE', `/workspaces/${workspace}`, { confirm: 'Acme' })
      assert.equal(status, 200)
    })
    t.diagnostic(`${count} turns, ${longest.toFixed(2)} of the work in the longest`)
    assert.ok(longest < 0.5, `${longest} of the work in one turn`)
    assert.ok(count >= SITES)

    assert.equal((await call('GET', `/workspaces/${workspace}`)).status, 401)
    const other = await makeWorld(service)
    const taken = await request(service, 'POST', `/workspaces/${other.ids.workspace}/sites`, {
      token: other.token,
      body: { domain: `site7.${world.ids.domain}` },
    })
    assert.equal(taken.status, 201, 'its domains are free')
    const left = await store.read
      .selectFrom('sites')
      .select('id')
      .where('workspace_id', '=', workspace)
      .where('deleted_at', 'is', null)
      .execute()
    assert.deepEqual(left, [])
    await service.close()
  })
})

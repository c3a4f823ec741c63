/** Reads of one request authenticate once; what decides still decides for each of them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { together } from '../../../runtime/call/shared-reads.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makeSite, makeWorld, startService, type TestService, type World } from '../../support/world.ts'

onEachEngine('Reads together', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
  })
  after(() => service.close())

  const call = (id: string, path: Record<string, string>, session: string, shared = together(), input = {}) => {
    const operation = service.app.table.operations.get(id) ?? assert.fail(id)
    const header = (name: string) => (name === 'cookie' ? `session=${session}` : name === 'sec-fetch-site' ? 'same-origin' : undefined)
    return service.app.call({
      operation,
      surface: 'pages',
      header,
      ip: '127.0.0.1',
      id: 'r',
      path,
      together: shared,
      input: async () => input,
    })
  }
  const site = () => ({ site_id: world.ids.site ?? '' })

  test('a session that ends between two of them is that of the request; the next request, and a write, are refused', async () => {
    const session = await world.sessionFor('owner')
    const shared = together()
    assert.equal((await call('sites_get', site(), session, shared)).status, 200)
    await service.store.write.deleteFrom('sessions').execute()
    assert.equal((await call('goals_list', site(), session, shared)).status, 200)
    assert.equal((await call('goals_create', site(), session, shared, { kind: 'page', path: '/x' })).status, 401)
    assert.equal((await call('sites_get', site(), session)).status, 401)
  })

  test('permission and tenant are looked at for each of them', async () => {
    const session = await world.sessionFor('viewer')
    const shared = together()
    assert.equal((await call('sites_get', site(), session, shared)).status, 200)
    const workspace = { workspace_id: world.ids.workspace ?? '' }
    assert.equal((await call('audit_list', workspace, session, shared)).status, 403)
    const other = await makeWorld(service)
    for (let twice = 0; twice < 2; twice++)
      assert.equal((await call('sites_get', { site_id: other.ids.site ?? '' }, session, shared)).status, 404)
  })
})

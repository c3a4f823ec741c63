/** Workspaces: a token is limited to one, and their data is isolated. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { column } from '../support/replies.ts'
import { makeSite, makeWorld, request, startService, type TestService } from '../support/world.ts'
import { allSitesOf } from '../../operations/sites/sites/records.ts'

onAnyEngine('Workspaces', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  test('a token sees its own workspace, and no other', async () => {
    const [world, other] = [await makeSite(service), await makeWorld(service)]
    const { body } = await call('GET', '/workspaces.json', world.token)
    const own = { id: world.ids.workspace, name: 'Acme', created_at: new Date(service.clock.now).toISOString() }
    assert.deepEqual(body, { data: [own], meta: { page: 1, per_page: 25, total: 1, total_pages: 1 } })
    assert.deepEqual((await call('GET', `/workspaces/${own.id}`, world.token)).body.data, own)
    assert.equal((await call('GET', `/workspaces/${other.ids.workspace}`, world.token)).status, 404)
  })

  test('a workspace that was read can be sent back, and a name can be changed', async () => {
    const world = await makeSite(service)
    const path = `/workspaces/${world.ids.workspace}`
    const before = (await call('GET', path, world.token)).body.data
    const change = async (body: object) => (await call('PATCH', path, world.token, body)).body.data
    assert.deepEqual(await change(before), before)
    assert.deepEqual(await change({}), before)
    assert.deepEqual(await change({ name: 'Acme & Co' }), { ...before, name: 'Acme & Co' })
    for (const name of ['', 'x'.repeat(101), null]) {
      assert.equal((await call('PATCH', path, world.token, { name })).status, 422)
    }
  })

  test('a new workspace is owned by its maker and comes with a token that is no stronger', async () => {
    const world = await makeSite(service)
    const weak = await world.tokenFor('owner', { permissions: ['workspace.manage', 'analytics.read'] })
    const made = await call('POST', '/workspaces', weak, { name: 'Second' })
    assert.equal(made.status, 201)
    const { id, token } = made.body.data
    const tokens = await call('GET', `/workspaces/${id}/api_tokens`, token)
    assert.deepEqual(column(tokens, 'permissions'), [['analytics.read', 'workspace.manage']])
    const brief = await world.tokenFor('owner', { expiresAt: service.clock.now + 60_000, allowedIps: ['127.0.0.0/8'] })
    const { token: first, id: other } = (await call('POST', '/workspaces', brief, { name: 'Third' })).body.data
    const [{ expires_at, allowed_ips }] = (await call('GET', `/workspaces/${other}/api_tokens`, first)).body.data
    assert.deepEqual([expires_at, allowed_ips], [new Date(service.clock.now + 60_000).toISOString(), ['127.0.0.0/8']])
    assert.equal((await call('GET', `/workspaces/${id}`, weak)).status, 404)
    assert.equal((await call('GET', `/workspaces/${world.ids.workspace}`, token)).status, 404)
    assert.equal((await call('DELETE', `/workspaces/${id}`, token, { confirm: 'Second' })).status, 403)
    assert.equal((await call('DELETE', `/workspaces/${other}`, first, { confirm: 'Third' })).status, 200)
  })

  test('a deleted workspace ends its tokens and frees the domains of its sites', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const viewer = await world.tokenFor('viewer')
    const path = `/workspaces/${world.ids.workspace}`
    assert.equal((await call('DELETE', path, await world.tokenFor('admin'))).status, 403)
    for (const confirm of ['acme', 'Acme ', world.ids.domain]) {
      const refused = (await call('DELETE', path, world.token, { confirm })).body.error
      assert.deepEqual([refused.code, refused.details[0].pointer], ['confirmation_mismatch', '/confirm'])
    }
    assert.equal((await call('DELETE', path, world.token)).body.error.details[0].code, 'required')
    assert.equal((await call('DELETE', path, world.token, { confirm: 'Acme' })).body.data.id, world.ids.workspace)
    for (const token of [world.token, viewer]) {
      assert.equal((await call('GET', '/account', token)).body.error.code, 'invalid_token')
    }
    const events = await service.store.read
      .selectFrom('events')
      .select(['type', 'site_id'])
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    const site_id = world.ids.site
    assert.deepEqual(events.slice(0, 2), [
      { type: 'site.deleted', site_id },
      { type: 'alert.resolved', site_id },
    ])
    assert.deepEqual(
      events.slice(2).sort((a, b) => ((a.site_id ?? '') < (b.site_id ?? '') ? -1 : 1)),
      [world.ids.site_group ?? '', allSitesOf(world.ids.workspace ?? '')].sort().map(site_id => ({ type: 'site.deleted', site_id })),
      'of its group, and of the group of all sites',
    )
    const body = { domain: world.ids.domain }
    const taken = await call('POST', `/workspaces/${other.ids.workspace}/sites`, other.token, body)
    assert.equal(taken.status, 201)
    assert.equal((await call('GET', `/sites/${other.ids.site}`, other.token)).status, 200)
  })
})

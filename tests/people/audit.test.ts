/** The audit log: one entry for each change, and no others. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { column } from '../support/replies.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('Audit log', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine, { TRUSTED_PROXIES: ['127.0.0.1'] })
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const list = (world: World, query = '', token = world.token) => call('GET', `/workspaces/${world.ids.workspace}/audit?${query}`, token)
  const operations = async (world: World, query = '') => column(await list(world, query), 'operation')
  const rename = (world: World, name: string, token = world.token, headers = {}) =>
    request(service, 'PATCH', `/sites/${world.ids.site}`, { token, body: { name }, headers })

  test('an entry says who did what, how and from where', async () => {
    const world = await makeSite(service)
    const { email, token } = await world.join('editor')
    const reply = await rename(world, 'Shop', token, { 'X-Forwarded-For': '203.0.113.9', 'X-Request-Id': 'deploy-7' })
    assert.equal(reply.status, 200)
    const { body } = await list(world)
    const { id, token_id, ...rest } = body.data[0]
    assert.match(id, /^aud_/)
    assert.match(token_id, /^[\da-f-]{36}$/)
    assert.deepEqual(rest, {
      at: new Date(service.clock.now).toISOString(),
      operation: 'sites_update',
      actor: email,
      subject_id: world.ids.site,
      site_id: world.ids.site,
      surface: 'http',
      door: 'api_token',
      outcome: 'done',
      ip: '203.0.113.9',
      request_id: 'deploy-7',
      input: { site_id: world.ids.site, name: 'Shop' },
      changes: [{ field: 'name', before: 'Example', after: 'Shop' }],
    })
    assert.equal(body.meta.total, 1)
  })

  test('reads, refusals and replays leave none', async () => {
    const world = await makeSite(service)
    const headers = { 'Idempotency-Key': 'one' }
    await rename(world, 'Shop', world.token, headers)
    await rename(world, 'Shop', world.token, headers)
    await rename(world, '')
    await rename(world, 'Other', await world.tokenFor('viewer'))
    await call('GET', `/sites/${world.ids.site}`, world.token)
    await list(world)
    assert.deepEqual(await operations(world), ['sites_update'])
  })

  test('a change that fails takes its entry with it', async () => {
    const world = await makeSite(service)
    await call('DELETE', `/workspaces/${world.ids.workspace}/members/${world.owner.memberId}`, world.token)
    assert.deepEqual(await operations(world), [])
  })

  test('newest first, narrowed by operation, member, subject and day', async () => {
    const world = await makeSite(service)
    const editor = await world.join('editor')
    const start = service.clock.now
    const on = async (day: string, change: () => Promise<unknown>) => {
      service.clock.now = Date.parse(day)
      await change()
    }
    const note = (text: string, token: string) => call('POST', `/sites/${world.ids.site}/notes`, token, { text })
    await on('2026-03-28T23:59:59.999Z', () => rename(world, 'A'))
    await on('2026-03-29T00:00:00.000Z', () => note('B', editor.token))
    await on('2026-03-29T23:59:59.999Z', () => rename(world, 'C', editor.token))
    await on('2026-03-30T00:00:00.000Z', () => note('D', world.token))
    service.clock.now = start
    const [notes, sites] = ['notes_create', 'sites_update']
    assert.deepEqual(await operations(world), [notes, sites, notes, sites])
    assert.deepEqual(await operations(world, `operation=${sites}`), [sites, sites])
    assert.deepEqual(await operations(world, `actor=${encodeURIComponent(editor.email)}`), [sites, notes])
    assert.deepEqual(await operations(world, `subject_id=${world.ids.site}&operation=${sites}`), [sites, sites])
    assert.deepEqual(await operations(world, 'from=2026-03-29&to=2026-03-29'), [sites, notes])
    assert.deepEqual(await operations(world, 'from=2026-03-30'), [notes])
    assert.deepEqual(await operations(world, 'operation=nothing_done'), [])
    assert.deepEqual((await list(world, 'per_page=3')).body.meta, { page: 1, per_page: 3, total: 4, total_pages: 2 })
    assert.equal((await list(world, 'from=2026-03-30&to=2026-03-29')).status, 422)
  })

  test('entries outlive what they are about, and stay in their workspace', async () => {
    const [world, other] = [await makeSite(service), await makeWorld(service)]
    const { memberId, email, token } = await world.join('editor')
    await rename(world, 'Shop', token)
    await call('DELETE', `/workspaces/${world.ids.workspace}/members/${memberId}`, world.token)
    await call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm: world.ids.domain })
    assert.deepEqual((await operations(world)).sort(), ['members_delete', 'sites_delete', 'sites_update'])
    assert.equal((await list(world, `actor=${encodeURIComponent(email)}`)).body.meta.total, 1)
    assert.deepEqual(await operations(other), [])
    assert.equal((await list(world, '', other.token)).status, 404)
  })

  test('only a member with workspace.manage reads the audit log, and never with a token restricted to sites', async () => {
    const world = await makeSite(service)
    const narrow = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    for (const token of [narrow, await world.tokenFor('editor')]) {
      assert.equal((await list(world, '', token)).status, 403)
    }
    assert.equal((await list(world, '', await world.tokenFor('admin'))).status, 200)
  })
})

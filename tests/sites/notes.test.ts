/** Notes on a site, and selecting them by day. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { column, faultsOf } from '../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('Notes', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World, id = '') => `/sites/${world.ids.site}/notes${id && `/${id}`}`
  const add = (world: World, body: object, token = world.token) => call('POST', pathOf(world), token, body)
  const list = (world: World, query = '') => call('GET', `${pathOf(world)}?${query}`, world.token)
  const texts = async (world: World, query = '') => column(await list(world, query), 'text')

  test('a deploy hook sends a text, and the time is now', async () => {
    const world = await makeWorld(service)
    const { status, body } = await add(world, { text: 'Deployed 2.1' })
    const now = new Date(service.clock.now).toISOString()
    assert.equal(status, 201)
    assert.match(body.data.id, /^note_/)
    assert.deepEqual(body.data, {
      id: body.data.id,
      site_id: world.ids.site,
      at: now,
      text: 'Deployed 2.1',
      author: 'The owner',
      created_at: now,
      updated_at: now,
    })
    assert.deepEqual((await call('GET', pathOf(world, body.data.id), world.token)).body, { data: body.data, meta: {} })
  })

  test('lists are sorted by the note’s time, latest first, not by creation', async () => {
    const world = await makeWorld(service)
    await add(world, { text: 'Later', at: '2030-01-01T00:00:00+01:00' })
    await add(world, { text: 'Before', at: '1999-12-31T23:59:59.999Z' })
    assert.deepEqual(await texts(world), ['Later', 'Deployed 2.0', 'Before'])
    assert.equal((await list(world)).body.data[0].at, '2029-12-31T23:00:00.000Z')
    assert.deepEqual((await list(world, 'per_page=1&page=3')).body.data[0].text, 'Before')
  })

  test('from and to are days of the site, both included, across a clock change', async () => {
    const world = await makeWorld(service) // Europe/Berlin: 2026-03-29 has 23 hours
    const times = {
      Saturday: '2026-03-28T22:59:59.999Z',
      First: '2026-03-28T23:00:00Z',
      Last: '2026-03-29T21:59:59.999Z',
      Monday: '2026-03-29T22:00:00Z',
    }
    for (const [text, at] of Object.entries(times)) await add(world, { text, at })
    assert.deepEqual(await texts(world, 'from=2026-03-29&to=2026-03-29'), ['Last', 'First'])
    assert.deepEqual(await texts(world, 'from=2026-03-30'), ['Monday'])
    assert.deepEqual(await texts(world, 'to=2026-03-28'), ['Saturday', 'Deployed 2.0'])
    assert.deepEqual(await texts(world, 'from=2026-04-01&to=9999-12-31'), [])
  })

  test('days that are none, or in the wrong order, are refused', async () => {
    const world = await makeWorld(service)
    const unreal = await list(world, 'from=2026-02-30&to=x')
    assert.deepEqual([unreal.status, unreal.body.error.details[0].in], [422, 'query'])
    assert.deepEqual(faultsOf(unreal), ['/from invalid_format', '/to invalid_format'])
    assert.deepEqual(faultsOf(await list(world, 'from=2026-03-02&to=2026-03-01')), ['/to too_small'])
  })

  test('a note that was read can be sent back; a change keeps the author and records its time', async () => {
    const world = await makeWorld(service)
    const path = pathOf(world, world.ids.note)
    const before = (await call('GET', path, world.token)).body.data
    service.clock.now += 5_000
    const editor = await world.join('editor')
    const same = (await call('PATCH', path, editor.token, before)).body.data
    assert.deepEqual(same, { ...before, updated_at: new Date(service.clock.now).toISOString() })
    const next = await call('PATCH', path, editor.token, { text: 'Rolled back' })
    assert.deepEqual(next.body.data, { ...same, text: 'Rolled back' })
  })

  test('a deleted note is gone', async () => {
    const world = await makeWorld(service)
    const path = pathOf(world, world.ids.note)
    assert.equal((await call('DELETE', path, world.token)).body.data.id, world.ids.note)
    assert.equal((await call('DELETE', path, world.token)).status, 404)
    assert.deepEqual(await texts(world), [])
  })

  test('a note has 1 to 500 characters, and only members with content.write write it', async () => {
    const world = await makeWorld(service)
    assert.equal((await add(world, { text: '🚀'.repeat(250) })).body.data.text, '🚀'.repeat(250))
    for (const text of ['', 'x'.repeat(501), 7, null]) assert.equal((await add(world, { text })).status, 422)
    assert.equal((await add(world, {})).body.error.details[0].code, 'required')
    assert.equal((await add(world, { text: 'x', at: 'yesterday' })).body.error.details[0].pointer, '/at')
    assert.equal((await add(world, { text: 'x' }, await world.tokenFor('viewer'))).status, 403)
  })

  test('a note is reached through its own site only', async () => {
    const [world, foreign] = [await makeWorld(service), await makeWorld(service)]
    const body = { domain: `second.${world.ids.domain}` }
    const second = (await call('POST', `/workspaces/${world.ids.workspace}/sites`, world.token, body)).body.data
    for (const path of [`/sites/${second.id}/notes/${world.ids.note}`, pathOf(world, foreign.ids.note)]) {
      assert.equal((await call('GET', path, world.token)).status, 404)
      assert.equal((await call('DELETE', path, world.token)).status, 404)
    }
    await call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm: world.ids.domain })
    assert.equal((await list(world)).status, 404)
  })
})

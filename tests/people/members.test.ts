/** Members and roles, and the effect of changes on their tokens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { roleNames, roles } from '../../runtime/table/permissions.ts'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, column } from '../support/replies.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('Members', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World, id = '') => `/workspaces/${world.ids.workspace}/members${id && `/${id}`}`
  const get = (world: World, id: string, token = world.token) => call('GET', pathOf(world, id), token)
  const change = (world: World, id: string, role: string, token = world.token) => call('PATCH', pathOf(world, id), token, { role })
  const remove = (world: World, id: string, token = world.token) => call('DELETE', pathOf(world, id), token)
  const addNote = (world: World, token: string) => call('POST', `/sites/${world.ids.site}/notes`, token, { text: 'x' })
  const setActive = (memberId: string, active: number) =>
    service.store.write.updateTable('members').set({ active }).where('id', '=', memberId).execute()

  test('members_list lists only members of the workspace', async () => {
    const [world, foreign] = [await makeSite(service), await makeWorld(service)]
    service.clock.now += 1_000
    const late = await world.join('viewer')
    const { body, text } = await call('GET', pathOf(world), world.token)
    assert.equal(body.meta.total, 3)
    assert.deepEqual(body.data.at(-1), {
      id: late.memberId,
      email: late.email,
      name: 'The viewer',
      role: 'viewer',
      status: 'active',
      created_at: new Date(service.clock.now).toISOString(),
    })
    assert.equal(text.includes(foreign.owner.email), false)
    assert.deepEqual((await get(world, late.memberId)).body.data, body.data.at(-1))
    assert.equal((await get(world, foreign.owner.memberId)).status, 404)
  })

  test('another role counts from the next call of every token, both ways', async () => {
    const world = await makeSite(service)
    const { memberId, token } = await world.join('viewer')
    assert.deepEqual(codeOf(await addNote(world, token)), [403, 'permission_denied'])
    assert.equal((await change(world, memberId, 'editor')).body.data.role, 'editor')
    assert.equal((await addNote(world, token)).status, 201)
    await change(world, memberId, 'billing')
    assert.deepEqual(codeOf(await addNote(world, token)), [403, 'permission_denied'])
    assert.deepEqual(codeOf(await call('GET', `/sites/${world.ids.site}`, token)), [403, 'permission_denied'])
  })

  test('a role gives a token no more than it was given', async () => {
    const world = await makeSite(service)
    const token = await world.tokenFor('owner', { permissions: ['analytics.read'] })
    assert.deepEqual(codeOf(await addNote(world, token)), [403, 'permission_denied'])
  })

  test('a member that was read can be sent back, even with values that the caller may not set', async () => {
    const world = await makeSite(service)
    const { token } = await world.join('admin')
    const before = (await get(world, world.owner.memberId, token)).body.data
    const path = pathOf(world, world.owner.memberId)
    const { status, body } = await call('PATCH', path, token, before)
    assert.deepEqual([status, body.data], [200, before])
    assert.deepEqual((await call('PATCH', path, token, {})).body.data, before)
  })

  test('only owners make, change and remove owners', async () => {
    const world = await makeSite(service)
    const admin = await world.join('admin')
    const second = await world.join('owner')
    const refused = [403, 'permission_denied']
    assert.deepEqual(codeOf(await change(world, admin.memberId, 'owner', admin.token)), refused)
    assert.deepEqual(codeOf(await change(world, second.memberId, 'viewer', admin.token)), refused)
    assert.deepEqual(codeOf(await remove(world, second.memberId, admin.token)), refused)
    assert.equal((await get(world, second.memberId)).body.data.role, 'owner')

    assert.equal((await change(world, admin.memberId, 'owner')).status, 200)
    assert.equal((await change(world, second.memberId, 'viewer', admin.token)).status, 200)
    assert.equal((await remove(world, world.owner.memberId, admin.token)).status, 200)
  })

  test('the last active owner is neither demoted nor removed', async () => {
    const world = await makeSite(service)
    const deactivated = await world.join('owner')
    await setActive(deactivated.memberId, 0)
    assert.deepEqual(codeOf(await change(world, world.owner.memberId, 'admin')), [422, 'invalid_state'])
    assert.deepEqual(codeOf(await remove(world, world.owner.memberId)), [422, 'invalid_state'])
    await setActive(deactivated.memberId, 1)
    assert.equal((await change(world, world.owner.memberId, 'admin')).status, 200)
  })

  test('two owners who demote each other at once do not both succeed', async () => {
    const world = await makeSite(service)
    const second = await world.join('owner')
    const replies = await Promise.all([
      change(world, second.memberId, 'viewer'),
      change(world, world.owner.memberId, 'viewer', second.token),
    ])
    // The other one is no longer an owner, or would have been the last.
    const [done, refused = 0] = replies.map(reply => reply.status).sort()
    assert.ok(done === 200 && [403, 422].includes(refused), `${done} ${refused}`)
    const owners = await service.store.read
      .selectFrom('members')
      .select('id')
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .where('role', '=', 'owner')
      .execute()
    assert.equal(owners.length, 1)
  })

  test('a removed member is gone at once, with every token; a second removal is refused', async () => {
    const world = await makeWorld(service)
    const { memberId, email, token } = await world.join('editor')
    assert.equal((await addNote(world, token)).status, 201)
    const { status, body } = await remove(world, memberId)
    assert.deepEqual([status, body.data.id, body.data.email], [200, memberId, email])
    assert.deepEqual(codeOf(await addNote(world, token)), [401, 'invalid_token'])
    assert.deepEqual(codeOf(await remove(world, memberId)), [404, 'not_found'])
    assert.deepEqual(codeOf(await get(world, memberId)), [404, 'not_found'])
    const tokens = await call('GET', `/workspaces/${world.ids.workspace}/api_tokens?include_revoked=true`, world.token)
    assert.equal(tokens.text.includes(email), false)
  })

  test('removed by two at once, a member is removed once', async () => {
    const world = await makeWorld(service)
    const { memberId } = await world.join('editor')
    const replies = await Promise.all([remove(world, memberId), remove(world, memberId)])
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 404])
  })

  test('a member may leave', async () => {
    const world = await makeWorld(service)
    const { memberId, token } = await world.join('admin')
    assert.equal((await remove(world, memberId, token)).status, 200)
    assert.deepEqual(codeOf(await get(world, memberId, token)), [401, 'invalid_token'])
  })

  test('tokens of a deactivated member are refused, and work again once active', async () => {
    const world = await makeSite(service)
    const { memberId, token } = await world.join('editor')
    await setActive(memberId, 0)
    assert.deepEqual(codeOf(await addNote(world, token)), [401, 'account_deactivated'])
    assert.equal((await get(world, memberId)).body.data.status, 'deactivated')
    await setActive(memberId, 1)
    assert.equal((await addNote(world, token)).status, 201)
  })

  test('a role that is none is refused, and a token restricted to sites sees no members', async () => {
    const world = await makeSite(service)
    const wrong = await change(world, world.ids.member ?? '', 'king')
    assert.deepEqual([wrong.status, wrong.body.error.details[0].code], [422, 'not_in_enum'])
    const token = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    assert.deepEqual(codeOf(await call('GET', pathOf(world), token)), [403, 'permission_denied'])
  })

  test('the roles are those that count, with what each may do', async () => {
    const world = await makeSite(service)
    const token = await world.tokenFor('billing', { permissions: [] })
    const { body } = await call('GET', `/workspaces/${world.ids.workspace}/roles`, token)
    assert.deepEqual(
      body.data,
      roleNames.map(name => ({ name, ...roles[name] })),
    )
    const page = await call('GET', `/workspaces/${world.ids.workspace}/roles?per_page=4&page=2`, token)
    assert.deepEqual(column(page, 'name'), ['viewer', 'billing'])
    assert.deepEqual(page.body.meta, { page: 2, per_page: 4, total: 6, total_pages: 2 })
  })
})

/** API tokens: their permissions, their secrets, and their end. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { permissionNames } from '../../runtime/table/permissions.ts'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, column, faultsOf } from '../support/replies.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

const DAY = 86_400_000

onAnyEngine('API tokens', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine, { TRUSTED_PROXIES: ['127.0.0.1'] })
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World) => `/workspaces/${world.ids.workspace}/api_tokens`
  const create = (world: World, body: object, token = world.token, headers = {}) =>
    request(service, 'POST', pathOf(world), { token, body: { name: 'New', ...body }, headers })
  const list = (world: World, query = '', token = world.token) => call('GET', `${pathOf(world)}?${query}`, token)
  const revoke = (world: World, id: string, token = world.token) => call('DELETE', `${pathOf(world)}/${id}`, token)
  const use = (token: string, headers = {}) => request(service, 'GET', '/account.json', { token, headers })
  const addSite = async (world: World) =>
    (
      await call('POST', `/workspaces/${world.ids.workspace}/sites`, world.token, {
        domain: `other.${world.ids.domain}`,
      })
    ).body.data

  test('a new token works and has everything its maker may do', async () => {
    const world = await makeSite(service)
    const made = await create(world, {})
    assert.equal(made.status, 201)
    assert.equal(made.headers.get('cache-control'), 'no-store, no-transform')
    const { id, token, created_at, ...rest } = made.body.data
    assert.match(token, /^pat_[0-9A-Za-z]{36}$/)
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.equal(created_at, new Date(service.clock.now).toISOString())
    assert.deepEqual(rest, {
      name: 'New',
      token_prefix: token.slice(0, 10),
      owner: world.owner.email,
      permissions: permissionNames,
      site_ids: [],
      allowed_ips: [],
      oauth_client: null,
      status: 'active',
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      replaced_by: null,
    })
    assert.equal((await use(token)).status, 200)
  })

  test('a token reads its member, its workspace and the permissions that it has at the time', async () => {
    const world = await makeSite(service)
    const made = await create(world, {
      permissions: ['analytics.read', 'members.manage'],
      site_ids: [world.ids.site],
      expires_at: '2099-12-31T00:00:00Z',
    })
    const { status, body } = await call('GET', '/caller', made.body.data.token)
    assert.equal(status, 200)
    const { name, workspace_name, ...caller } = body.data
    assert.ok(name && workspace_name)
    assert.deepEqual(caller, {
      server: service.app.config.BASE_URL,
      email: world.owner.email,
      workspace_id: world.ids.workspace,
      role: 'owner',
      credential: 'api_token',
      permissions: ['analytics.read'], // a token of sites does not manage members
      site_ids: [world.ids.site],
      allowed_ips: [],
      expires_at: '2099-12-31T00:00:00.000Z',
    })
    assert.equal((await request(service, 'GET', '/caller')).status, 401)
  })

  test('the secret is in the one answer, also when that is asked for again, and nowhere else', async () => {
    const world = await makeSite(service)
    const headers = { 'Idempotency-Key': 'once' }
    const first = await create(world, {}, world.token, headers)
    const { id, token } = first.body.data
    assert.equal((await create(world, {}, world.token, headers)).text, first.text)
    assert.equal((await list(world)).body.data.filter((each: { id: string }) => each.id === id).length, 1)

    const seen = [(await list(world)).text, (await revoke(world, id)).text]
    for (const table of ['api_tokens', 'audit_entries', 'idempotency_keys', 'events'] as const) {
      seen.push(JSON.stringify(await service.store.read.selectFrom(table).selectAll().execute()))
    }
    for (const text of seen) assert.equal(text.includes(token.slice(10)), false)
  })

  test('omitted permissions default to the calling token’s current permissions, not its owner’s', async () => {
    const world = await makeSite(service)
    const token = await world.tokenFor('admin', { permissions: ['tokens.manage', 'analytics.read', 'billing.manage'] })
    const made = await create(world, {}, token)
    assert.deepEqual(made.body.data.permissions.sort(), ['analytics.read', 'tokens.manage'])
  })

  test('a token that a token creates ends with it and has its addresses, unless the request narrows them', async () => {
    const world = await makeSite(service)
    const from = { 'X-Forwarded-For': '203.0.113.7' }
    const expiresAt = service.clock.now + DAY
    const maker = await world.tokenFor('owner', { expiresAt, allowedIps: ['203.0.113.0/24', '2001:db8::/32'] })
    const at = (ms: number) => new Date(service.clock.now + ms).toISOString()
    const make = async (body: object) => (await create(world, body, maker, from)).body.data
    for (const body of [{}, { allowed_ips: [], expires_at: null }, { expires_at: '' }]) {
      const { allowed_ips, expires_at } = await make(body)
      assert.deepEqual([allowed_ips, expires_at], [['203.0.113.0/24', '2001:db8::/32'], at(DAY)])
    }
    const narrow = { allowed_ips: ['203.0.113.8/29', '2001:db8:1::/48', '203.0.113.7'], expires_at: at(DAY - 1) }
    const { allowed_ips, expires_at } = await make(narrow)
    assert.deepEqual({ allowed_ips, expires_at }, narrow)
    const wide = { allowed_ips: ['203.0.112.0/23', '203.0.113.0/25', '0.0.0.0/0', '::/0', '2001:db9::1'], expires_at: at(DAY + 1) }
    assert.deepEqual(faultsOf(await create(world, wide, maker, from)), [
      '/allowed_ips/0 permission_required',
      '/allowed_ips/2 permission_required',
      '/allowed_ips/3 permission_required',
      '/allowed_ips/4 permission_required',
      '/expires_at too_large',
    ])
  })

  test('all faults of a token are reported at once', async () => {
    const [world, foreign] = [await makeSite(service), await makeWorld(service)]
    const before = (await list(world)).body.meta.total
    const token = await world.tokenFor('admin')
    const past = new Date(service.clock.now).toISOString()
    const semantic = await create(
      world,
      {
        permissions: ['analytics.read', 'billing.manage'],
        expires_at: past,
        site_ids: [world.ids.site, foreign.ids.site, 'nope', '\u0001'],
      },
      token,
    )
    assert.deepEqual(codeOf(semantic), [422, 'validation_failed'])
    assert.deepEqual(faultsOf(semantic), [
      '/permissions/1 permission_required',
      '/site_ids/1 not_found',
      '/site_ids/2 not_found',
      '/site_ids/3 not_found',
      '/expires_at too_small',
    ])
    const formal = await create(world, {
      name: '',
      permissions: [],
      allowed_ips: ['10.0.0.0/8', '10.0.0.0/33', 'home'],
      site_ids: 'pa_1',
      until: 1,
    })
    assert.deepEqual(faultsOf(formal).sort(), [
      '/allowed_ips/1 invalid_format',
      '/allowed_ips/2 invalid_format',
      '/name too_short',
      '/permissions too_short',
      '/site_ids invalid_type',
      '/until unknown_field',
    ])
    const when = await create(world, { expires_at: 'tomorrow' })
    assert.deepEqual([when.status, when.body.error.details[0].pointer], [422, '/expires_at'])
    assert.equal((await list(world)).body.meta.total, before + 1, 'only the token of the admin')
  })

  test('a deleted site is none to restrict a token to', async () => {
    const world = await makeWorld(service)
    assert.equal((await call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm: world.ids.domain })).status, 200)
    assert.deepEqual(faultsOf(await create(world, { site_ids: [world.ids.site] })), ['/site_ids/0 not_found'])
  })

  test('a token restricted to a site reaches only that site and creates no tokens, whatever its owner may', async () => {
    const world = await makeSite(service)
    const other = await addSite(world)
    const { token, site_ids } = (await create(world, { site_ids: [world.ids.site, world.ids.site] })).body.data
    assert.deepEqual(site_ids, [world.ids.site])
    assert.equal((await call('GET', `/sites/${world.ids.site}`, token)).status, 200)
    assert.equal((await call('GET', `/sites/${other.id}`, token)).status, 404)
    const sites = await call('GET', `/workspaces/${world.ids.workspace}/sites`, token)
    assert.deepEqual(column(sites, 'id'), [world.ids.site])
    for (const reply of [
      await create(world, { permissions: ['analytics.read'] }, token),
      await create(world, { site_ids: [world.ids.site] }, token),
      await revoke(world, world.ids.token ?? '', token),
    ])
      assert.deepEqual(codeOf(reply), [403, 'permission_denied'])
  })

  test('a token restricted to sites sees tokens of those sites only', async () => {
    const world = await makeSite(service)
    const other = await addSite(world)
    const own = (await create(world, { name: 'Own', site_ids: [world.ids.site] })).body.data
    await create(world, { name: 'Other', site_ids: [other.id] })
    const both = (await create(world, { name: 'Both', site_ids: [world.ids.site, other.id] })).body.data
    const names = async (token: string) => {
      const reply = await list(world, '', token)
      assert.equal(reply.body.meta.total, reply.body.data.length)
      return { names: column(reply, 'name').sort(), text: reply.text }
    }
    const narrow = await names(own.token)
    assert.deepEqual(narrow.names, ['Own'])
    assert.equal(narrow.text.includes(other.id), false)
    assert.deepEqual((await names(both.token)).names, ['Both', 'Other', 'Own'])
  })

  test('a token ends at its expiry', async () => {
    const world = await makeSite(service)
    const until = service.clock.now + DAY
    const { id, token, expires_at } = (await create(world, { expires_at: new Date(until).toISOString() })).body.data
    assert.equal(expires_at, new Date(until).toISOString())
    service.clock.now = until - 1
    assert.equal((await use(token)).status, 200)
    service.clock.now = until
    assert.deepEqual(codeOf(await use(token)), [401, 'token_expired'])
    assert.match((await use(token)).headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    assert.equal((await list(world)).text.includes(id), false)
    const ended = (await list(world, 'include_revoked=true')).body.data.find((each: { id: string }) => each.id === id)
    assert.deepEqual([ended.status, ended.revoked_at], ['expired', null])
  })

  test('an empty expiry and null mean never', async () => {
    const world = await makeSite(service)
    for (const expires_at of ['', null]) {
      const made = await create(world, { expires_at })
      assert.deepEqual([made.status, made.body.data.expires_at], [201, null])
    }
  })

  test('a revoked token is refused from the next request on; revoking it again changes nothing', async () => {
    const world = await makeSite(service)
    const { id, token } = (await create(world, {})).body.data
    assert.equal((await use(token)).status, 200)
    const at = new Date(service.clock.now).toISOString()
    const first = await revoke(world, id)
    assert.deepEqual([first.status, first.body.data.status, first.body.data.revoked_at], [200, 'revoked', at])
    assert.deepEqual(codeOf(await use(token)), [401, 'token_revoked'])
    service.clock.now += DAY
    const second = await revoke(world, id)
    assert.deepEqual([second.status, second.body.data.revoked_at], [200, at])
    assert.equal((await list(world)).text.includes(id), false)
    assert.equal((await list(world, 'include_revoked=1')).text.includes(id), true)
  })

  const rotate = (world: World, id: string, body: object = {}, { token = world.token, headers = {} } = {}) =>
    request(service, 'POST', `${pathOf(world)}/${id}/rotate`, { token, body, headers })
  const listed = async (world: World, id: string) =>
    (await list(world, 'include_revoked=true')).body.data.find((each: { id: string }) => each.id === id)

  test('a rotated token is accepted during the overlap, next to the one that replaces it', async () => {
    const world = await makeSite(service)
    const settings = { name: 'Shop', permissions: ['analytics.read'], site_ids: [world.ids.site], allowed_ips: ['127.0.0.0/8', '::1'] }
    const former = (await create(world, settings)).body.data
    const reply = await rotate(world, former.id, { overlap_hours: 2 })
    assert.equal(reply.status, 201)
    const { id, token, token_prefix, created_at, ...rest } = reply.body.data
    assert.notEqual(id, former.id)
    assert.match(token, /^pat_[0-9A-Za-z]{36}$/)
    assert.notEqual(token, former.token)
    assert.deepEqual([token_prefix, created_at], [token.slice(0, 10), new Date(service.clock.now).toISOString()])
    assert.deepEqual(rest, {
      ...settings,
      owner: world.owner.email,
      oauth_client: null,
      status: 'active',
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      replaced_by: null,
    })
    const end = new Date(service.clock.now + 2 * 3_600_000).toISOString()
    const { expires_at, replaced_by } = await listed(world, former.id)
    assert.deepEqual([expires_at, replaced_by], [end, id])
    for (const each of [former.token, token]) assert.equal((await call('GET', `/sites/${world.ids.site}`, each)).status, 200)
    service.clock.now = Date.parse(end)
    assert.deepEqual(codeOf(await call('GET', `/sites/${world.ids.site}`, former.token)), [401, 'token_expired'])
    assert.equal((await call('GET', `/sites/${world.ids.site}`, token)).status, 200)
  })

  test('without an overlap, the former token is refused from the next request on', async () => {
    const world = await makeSite(service)
    const former = (await create(world, {})).body.data
    assert.equal((await use(former.token)).status, 200)
    const { token } = (await rotate(world, former.id, { overlap_hours: 0 })).body.data
    assert.deepEqual(codeOf(await use(former.token)), [401, 'token_revoked'])
    assert.equal((await use(token)).status, 200)
  })

  test('the former token never outlives its own expiry, and the new one has it unless the request names another', async () => {
    const world = await makeSite(service)
    const at = (ms: number) => new Date(service.clock.now + ms).toISOString()
    const soon = (await create(world, { expires_at: at(60_000) })).body.data
    assert.equal((await rotate(world, soon.id)).body.data.expires_at, soon.expires_at)
    assert.equal((await listed(world, soon.id)).expires_at, soon.expires_at)
    const later = (await create(world, { expires_at: at(DAY) })).body.data
    assert.equal((await rotate(world, later.id, { expires_at: at(30 * DAY) })).body.data.expires_at, at(30 * DAY))
    const own = (await create(world, { expires_at: at(DAY) })).body.data
    assert.deepEqual(faultsOf(await rotate(world, own.id, { expires_at: at(2 * DAY) }, { token: own.token })), ['/expires_at too_large'])
    assert.deepEqual(faultsOf(await rotate(world, own.id, { expires_at: at(0), overlap_hours: 721 })), ['/overlap_hours too_large'])
    assert.equal((await rotate(world, own.id, {}, { token: own.token })).body.data.expires_at, own.expires_at, 'a token rotates itself')
  })

  test('a token is rotated once: its successor is named, and concurrent requests make one', async () => {
    const world = await makeSite(service)
    const former = (await create(world, {})).body.data
    const replies = await Promise.all([rotate(world, former.id), rotate(world, former.id), rotate(world, former.id)])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422])
    const { replaced_by } = await listed(world, former.id)
    for (const refused of replies.filter(({ status }) => status === 422)) {
      assert.equal(refused.body.error.code, 'invalid_state')
      assert.ok(refused.body.error.message.includes(replaced_by))
    }
    const headers = { 'Idempotency-Key': 'rotates-once' }
    const other = (await create(world, {})).body.data
    const first = await rotate(world, other.id, {}, { headers })
    assert.equal((await rotate(world, other.id, {}, { headers })).text, first.text)
    await revoke(world, replaced_by)
    assert.deepEqual(codeOf(await rotate(world, replaced_by)), [422, 'invalid_state'])
  })

  test('rotating gives no secret of another member, and no permission or address that the caller lacks', async () => {
    const [world, foreign] = [await makeSite(service), await makeWorld(service)]
    const admin = await world.join('admin')
    const ofAdmin = (await create(world, { name: 'Admin' }, admin.token)).body.data
    assert.deepEqual(codeOf(await rotate(world, ofAdmin.id)), [422, 'invalid_state'])
    const wide = (await create(world, {})).body.data
    const narrow = (await create(world, { permissions: ['tokens.manage', 'analytics.read'] })).body.data
    const near = (await create(world, { allowed_ips: ['127.0.0.1', '::1'] })).body.data
    const elsewhere = (await create(world, { allowed_ips: ['203.0.113.0/24'] })).body.data
    assert.deepEqual(codeOf(await rotate(world, wide.id, {}, { token: narrow.token })), [403, 'permission_denied'])
    assert.deepEqual(codeOf(await rotate(world, elsewhere.id, {}, { token: near.token })), [403, 'permission_denied'])
    assert.deepEqual((await rotate(world, narrow.id, {}, { token: wide.token })).body.data.permissions.sort(), [
      'analytics.read',
      'tokens.manage',
    ])
    assert.deepEqual((await rotate(world, wide.id, {}, { token: near.token })).body.data.allowed_ips, ['127.0.0.1', '::1'])
    const viewer = await world.join('viewer')
    assert.deepEqual(codeOf(await rotate(world, near.id, {}, { token: viewer.token })), [403, 'permission_denied'])
    assert.deepEqual(codeOf(await rotate(world, foreign.ids.token ?? '')), [404, 'not_found'])
    assert.equal((await listed(world, elsewhere.id)).replaced_by, null)
  })

  test('a token may revoke itself', async () => {
    const world = await makeSite(service)
    const { id, token } = (await create(world, {})).body.data
    assert.equal((await revoke(world, id, token)).status, 200)
    assert.deepEqual(codeOf(await revoke(world, id, token)), [401, 'token_revoked'])
  })

  test('a token restricted to addresses is refused from others, whatever permission it has', async () => {
    const world = await makeSite(service)
    const { token } = (await create(world, { allowed_ips: ['203.0.113.0/24', '2001:db8::1'] })).body.data
    for (const ip of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1']) {
      assert.equal((await use(token, { 'X-Forwarded-For': ip })).status, 200, ip)
    }
    for (const ip of ['203.0.114.7', '2001:db8::2', '198.51.100.1, 192.0.2.1']) {
      assert.deepEqual(codeOf(await use(token, { 'X-Forwarded-For': ip })), [403, 'ip_not_allowed'], ip)
    }
    assert.deepEqual(codeOf(await use(token)), [403, 'ip_not_allowed'])
  })

  test('last_used_at says when it was last used, to the minute', async () => {
    const world = await makeSite(service)
    const { id, token } = (await create(world, {})).body.data
    const lastUse = async () => (await list(world)).body.data.find((each: { id: string }) => each.id === id).last_used_at as string | null
    const used = async (at: string) => {
      while ((await lastUse()) !== at) await sleep(10)
    }
    assert.equal(await lastUse(), null)
    const first = new Date(service.clock.now).toISOString()
    await use(token)
    await used(first)
    service.clock.now += 59_000
    await use(token)
    assert.equal(await lastUse(), first)
    service.clock.now += 1_000
    const next = new Date(service.clock.now).toISOString()
    await use(token)
    await used(next)
  })

  test('lists are newest first, in pages', async () => {
    const world = await makeSite(service)
    const before = (await list(world)).body.meta.total
    for (const name of ['A', 'B', 'C']) {
      service.clock.now += 1_000
      await create(world, { name })
    }
    const names = async (query: string) => column(await list(world, query), 'name')
    assert.deepEqual(await names('per_page=2'), ['C', 'B'])
    assert.deepEqual((await names('per_page=2&page=2'))[0], 'A')
    assert.deepEqual((await list(world, 'per_page=2')).body.meta, {
      page: 1,
      per_page: 2,
      total: before + 3,
      total_pages: Math.ceil((before + 3) / 2),
    })
  })

  test('any member lists tokens, tokens.manage makes and revokes them, in the own workspace only', async () => {
    const [world, foreign] = [await makeSite(service), await makeWorld(service)]
    const { token } = await world.join('viewer')
    assert.equal((await list(world, '', token)).status, 200)
    assert.deepEqual(codeOf(await create(world, {}, token)), [403, 'permission_denied'])
    assert.deepEqual(codeOf(await revoke(world, world.ids.token ?? '', token)), [403, 'permission_denied'])
    for (const reply of [await list(foreign, '', world.token), await revoke(world, foreign.ids.token ?? '')]) {
      assert.deepEqual(codeOf(reply), [404, 'not_found'])
    }
  })
})

/** Sites: their domain, their calendar, and deletion. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { callTool } from '../support/mcp.ts'
import { faultsOf } from '../support/replies.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('Sites', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World) => `/workspaces/${world.ids.workspace}/sites`
  const create = (world: World, body: object, token = world.token) => call('POST', pathOf(world), token, body)
  const change = (world: World, body: object) => call('PATCH', `/sites/${world.ids.site}`, world.token, body)
  const get = (world: World, id = world.ids.site) => call('GET', `/sites/${id}`, world.token)
  const eventsOf = (world: World) =>
    service.store.read
      .selectFrom('events')
      .select('type')
      .where('site_id', '=', world.ids.site ?? '')
      .execute()

  test('a domain and a time zone are kept in their one form; the rest has defaults', async () => {
    const world = await makeSite(service)
    const domain = `shop.${world.ids.domain}`
    const made = await create(world, { domain: `HTTPS://www.${domain.toUpperCase()}/`, timezone: 'asia/tokyo' })
    assert.equal(made.status, 201)
    const { data } = made.body
    assert.deepEqual(data, {
      id: data.id,
      workspace_id: world.ids.workspace,
      name: domain,
      kind: 'site',
      domain,
      timezone: 'Asia/Tokyo',
      currency: 'USD',
      public: false,
      week_start: 1,
      umami_id: null,
      aliases: [],
      aliases_until: null,
      page_parameters: [],
      ignored_referrers: [],
      ignore_known_referrers: true,
      ignore_own_sites: false,
      identity: 'off',
      identity_names: false,
      identity_traits: [],
      visit_list: true,
      days_cut_anew: null,
      created_at: new Date(service.clock.now).toISOString(),
    })
    assert.deepEqual((await get(world, data.id)).body.data, data)
    const events = await service.store.read.selectFrom('events').selectAll().where('site_id', '=', data.id).execute()
    assert.deepEqual(
      events.map(event => [event.type, JSON.parse(event.data)]),
      [['site.created', data]],
    )
  })

  test('a site with an internationalized domain is named in letters, and a search finds it by either form', async () => {
    const world = await makeSite(service)
    const made = await create(world, { domain: `b\u00fccher.${world.ids.domain}` })
    assert.equal(made.status, 201)
    const { name, domain } = made.body.data
    assert.deepEqual([name, domain], [`b\u00fccher.${world.ids.domain}`, `xn--bcher-kva.${world.ids.domain}`])
    for (const search of ['b\u00fccher', 'xn--bcher']) {
      const path = `/workspaces/${world.ids.workspace}/sites?search=${encodeURIComponent(search)}`
      const found = await request(service, 'GET', path, { token: world.token })
      assert.equal(found.body.data?.length, 1, `${search} ${found.text}`)
    }
  })

  test('all faults of a site are reported at once: fields, domain and time zone', async () => {
    const world = await makeSite(service)
    const wrong = {
      domain: 'not a domain',
      timezone: 'Mars/Olympus',
      currency: 'euro',
      week_start: 8,
      public: 'yes',
      colour: 1,
    }
    const faults = [
      '/colour unknown_field',
      '/currency invalid_format',
      '/domain invalid_format',
      '/public invalid_type',
      '/timezone invalid_format',
      '/week_start too_large',
    ]
    assert.deepEqual(faultsOf(await create(world, wrong)).sort(), faults)
    assert.deepEqual(faultsOf(await change(world, wrong)).sort(), faults)
    for (const domain of [
      '',
      'a b',
      'http://',
      '-x',
      'x'.repeat(254),
      '..',
      'a@b',
      'a..b',
      'a.b..',
      `${'x'.repeat(64)}.com`,
      'a-.b',
      'a.-b',
    ]) {
      assert.equal((await create(world, { domain })).status, 422, domain)
    }
  })

  test('a site that was read can be sent back; a change of one field keeps the others', async () => {
    const world = await makeSite(service)
    const umami_id = randomUUID().toUpperCase()
    const before = (await change(world, { umami_id, public: false })).body.data
    assert.equal(before.umami_id, umami_id.toLowerCase())
    assert.deepEqual((await change(world, before)).body.data, before)
    assert.deepEqual((await change(world, {})).body.data, before)
    assert.deepEqual((await change(world, { public: true })).body.data, { ...before, public: true })
    const next = (await change(world, { umami_id: null, public: false, week_start: 7 })).body.data
    assert.deepEqual(next, { ...before, umami_id: null, week_start: 7 })
  })

  test('a domain and an Umami id are taken once in the installation', async () => {
    const [world, other] = [await makeSite(service), await makeWorld(service)]
    for (const reply of [await create(other, { domain: `www.${world.ids.domain}` }), await change(other, { domain: world.ids.domain })])
      assert.deepEqual([reply.status, reply.body.error.code], [422, 'already_exists'])
    assert.equal((await get(other)).body.data.domain, other.ids.domain)
  })

  test('a search takes its text as it is, in any case, in name and domain', async () => {
    const world = await makeSite(service)
    const names = ['100% Wool', 'a_b', 'axb', 'back\\slash', 'Plain']
    for (const [i, name] of names.entries()) await create(world, { name, domain: `s${i}.${world.ids.domain}` })
    const found = async (search: string) => {
      const { body } = await call('GET', `${pathOf(world)}?${new URLSearchParams({ search })}`, world.token)
      assert.equal(body.meta.total, body.data.length)
      return body.data.map((site: { name: string }) => site.name).sort()
    }
    assert.deepEqual(await found('100%'), ['100% Wool'])
    assert.deepEqual(await found('%'), ['100% Wool'])
    assert.deepEqual(await found('A_B'), ['a_b'])
    assert.deepEqual(await found('\\'), ['back\\slash'])
    assert.deepEqual(await found('plain'), ['Plain'])
    assert.deepEqual(await found(`S4.${world.ids.domain}`), ['Plain'])
    assert.deepEqual(await found("' or 1=1 --"), [])
  })

  test('a token restricted to sites lists those, and makes no other', async () => {
    const world = await makeSite(service)
    await create(world, { domain: `other.${world.ids.domain}` })
    const token = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    const { body } = await call('GET', pathOf(world), token)
    assert.deepEqual([body.meta.total, body.data[0].id], [1, world.ids.site])
    assert.equal((await create(world, { domain: `third.${world.ids.domain}` }, token)).status, 403)
    const renamed = await call('PATCH', `/sites/${world.ids.site}`, token, { name: 'Mine' })
    assert.equal(renamed.status, 200)
  })

  test('a deleted site is gone with all that is in it, and its domain is free', async () => {
    const world = await makeWorld(service)
    const {
      status,
      body: { data },
    } = await call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm: world.ids.domain })
    assert.deepEqual([status, data.domain], [200, world.ids.domain])
    const { note, goal, segment } = world.ids
    for (const path of ['', '/notes', `/notes/${note}`, `/goals/${goal}`, `/segments/${segment}`]) {
      assert.equal((await call('GET', `/sites/${world.ids.site}${path}`, world.token)).status, 404, path)
    }
    assert.equal((await call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm: world.ids.domain })).status, 404)
    assert.equal((await call('GET', `/alerts/${world.ids.alert}`, world.token)).status, 404)
    assert.equal((await call('GET', pathOf(world), world.token)).body.meta.total, 0)
    const again = await create(world, { domain: world.ids.domain })
    assert.equal(again.status, 201)
    assert.notEqual(again.body.data.id, world.ids.site)
    assert.deepEqual(await eventsOf(world), [{ type: 'site.deleted' }, { type: 'alert.resolved' }])
  })

  test('a site is deleted only where its domain or its name is typed again, on every surface', async () => {
    const world = await makeWorld(service)
    const remove = (confirm?: string) => call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm })
    assert.deepEqual(
      (await remove()).body.error.details.map(({ code }: { code: string }) => code),
      ['required'],
    )
    for (const confirm of ['', 'example', `www.${world.ids.domain}`, world.ids.site]) {
      const { code, details } = (await remove(confirm)).body.error
      assert.deepEqual([code, details[0].pointer, details[0].code], ['confirmation_mismatch', '/confirm', 'mismatch'])
    }
    const overMcp = (confirm: string) => callTool(service, 'sites_delete', { site_id: world.ids.site, confirm }, world.token)
    assert.equal((await overMcp('yes')).body.error.code, 'confirmation_mismatch')
    assert.equal((await get(world)).status, 200)
    assert.equal((await overMcp('Example')).body.data.id, world.ids.site)
  })

  test('a site stays as a tombstone: its row, and the number its hits are kept under', async () => {
    const world = await makeSite(service)
    await call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm: world.ids.domain })
    const left = await service.store.read
      .selectFrom('sites')
      .select(['number', 'domain', 'umami_id', 'deleted_at'])
      .where('id', '=', world.ids.site ?? '')
      .execute()
    assert.deepEqual(left, [{ number: world.siteNumber, domain: null, umami_id: null, deleted_at: service.clock.now }])
    assert.equal((await create(world, { domain: world.ids.domain })).status, 201)
  })

  test('deleted by two at once, a site is deleted once', async () => {
    const world = await makeWorld(service)
    const remove = () => call('DELETE', `/sites/${world.ids.site}`, world.token, { confirm: world.ids.domain })
    const replies = await Promise.all([remove(), remove()])
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 404])
    assert.deepEqual(await eventsOf(world), [{ type: 'site.deleted' }, { type: 'alert.resolved' }])
  })
})

/** Links that show reports to people without an account: what they show, and what they never do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { carriedBy } from '../../../adapters/surfaces.ts'
import { table } from '../../../operations/index.ts'
import { hit, store as keep } from '../../storage/engine/traffic.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import {
  callHttp,
  fill,
  makeSite,
  makeWorld,
  removeSite,
  type Reply,
  request,
  startService,
  type TestService,
  type World,
} from '../../support/world.ts'

onAnyEngine('shared links', engine => {
  let service: TestService
  let world: World
  let foreign: World
  before(async () => {
    service = await startService(engine, { TRUSTED_PROXIES: '127.0.0.1' })
    world = await makeWorld(service)
    foreign = await makeWorld(service)
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 3_600_000
    const hits = Array.from({ length: 40 }, (_, i) =>
      hit(zone, { who: `${i}`, at: at + i, page: `/${i % 5}`, revenue: 500, visit: { country: i % 4 === 0 ? 'DE' : 'FR' } }),
    )
    await keep(service.store, hits, hits.length)
  })
  after(() => service.close())

  const links = (of = world) => `/sites/${of.ids.site}/shared_links`
  async function made(fields: object, of = world): Promise<any> {
    const { status, text, body } = await request(service, 'POST', `${links(of)}.json`, {
      token: of.token,
      body: { name: 'Link', ...fields },
    })
    assert.equal(status, 201, text)
    return body.data
  }
  const pathOf = ({ url }: { url: string }) => new URL(url).pathname
  const open = (link: { url: string }, body: object = {}) => request(service, 'POST', `${pathOf(link)}.json`, { body })
  async function tokenFor(fields: object, of = world): Promise<{ link: any; token: string }> {
    const link = await made(fields, of)
    const { status, text, body } = await open(link)
    assert.equal(status, 201, text)
    return { link, token: body.data.token }
  }
  const get = (token: string, path: string, query: Record<string, unknown> = {}, of = world): Promise<Reply> => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
    return request(service, 'GET', `/sites/${of.ids.site}/${path}.json?${search}`, { token })
  }
  const change = (link: { id: string }, body: object) =>
    request(service, 'PATCH', `${links()}/${link.id}.json`, { token: world.token, body })

  test('shared links are created, listed, changed and deleted; the password is never returned', async () => {
    const link = await made({ password: 'river-stone', max_days: 30, embed_origins: ['https://WWW.example.com/'] })
    assert.match(link.url, /^http:\/\/footfall\.test\/share\/[0-9A-Za-z]{24}$/)
    assert.deepEqual(
      [link.password_present, link.max_days, link.embed_origins, link.reports, link.show_revenue, link.views],
      [true, 30, ['https://www.example.com'], ['overview', 'timeseries', 'breakdown'], false, 0],
    )
    assert.match(link.embed_code, /^<iframe id="shr_\w+" src="http:\/\/footfall\.test\/share\/\w+\?embed=1"/)
    const changed = await change(link, { name: 'Other', max_days: null, password: '', embed_origins: [] })
    assert.deepEqual(
      [changed.body.data.name, changed.body.data.url, changed.body.data.max_days, changed.body.data.password_present],
      ['Other', link.url, null, false],
    )
    assert.equal(changed.body.data.embed_code, null)
    const listed = await request(service, 'GET', `${links()}.json`, { token: world.token })
    assert.ok(listed.body.data.some(({ id }: { id: string }) => id === link.id))
    assert.doesNotMatch(listed.text, /argon2|river-stone/)
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .select('input')
      .where('operation', '=', 'shared_links_create')
      .execute()
    assert.ok(entries.every(({ input }) => !input.includes('river-stone')))
    assert.equal((await request(service, 'DELETE', `${links()}/${link.id}.json`, { token: world.token })).status, 200)
    assert.equal((await open(link)).status, 404)
  })

  test('say all that is wrong at once, and promise nothing that a report does not keep', async () => {
    const reply = await request(service, 'POST', `${links()}.json`, {
      token: world.token,
      body: {
        name: 'x',
        expires_at: '2020-01-01T00:00:00Z',
        segment_id: foreign.ids.segment,
        reports: ['overview', 'live', 'insights'],
        dimensions: ['page', 'nothing'],
        max_days: 7,
        embed_origins: ['https://a.example/path', 'javascript:alert(1)', "https://a.example; script-src 'unsafe-inline'", '*'],
      },
    })
    assert.equal(reply.status, 422)
    const pointers = reply.body.error.details.map(({ pointer }: { pointer: string }) => pointer)
    for (const pointer of ['/expires_at', '/segment_id', '/dimensions/1', '/reports/1', '/reports/2'])
      assert.ok(pointers.includes(pointer), `${pointer} of ${pointers}`)
    for (const i of [0, 1, 2, 3]) assert.ok(pointers.includes(`/embed_origins/${i}`), `/embed_origins/${i}`)
  })

  test('shared links open for an hour with their password; unknown, deleted and expired links return the same bytes', async () => {
    const link = await made({ password: 'river-stone', expires_at: new Date(service.clock.now + 600_000).toISOString() })
    const none = await open(link)
    assert.deepEqual([none.status, none.body.error.code], [401, 'password_required'])
    assert.deepEqual([(await open(link, { password: 'wrong one' })).body.error.code], ['password_required'])
    const opened = await open(link, { password: 'river-stone' })
    assert.equal(opened.status, 201, opened.text)
    assert.match(opened.body.data.token, /^sht_\w{36}$/)
    assert.deepEqual(Object.keys(opened.body.data.site).sort(), ['currency', 'domain', 'id', 'name', 'timezone'])
    assert.equal(opened.headers.get('cache-control'), 'no-store, no-transform')
    assert.deepEqual(opened.headers.getSetCookie(), [])
    assert.equal((await get(opened.body.data.token, 'overview')).status, 200)
    const seen = await request(service, 'GET', `${links()}/${link.id}.json`, { token: world.token })
    assert.deepEqual([seen.body.data.views, seen.body.data.last_viewed_at], [1, new Date(service.clock.now).toISOString()])

    service.clock.now += 601_000
    assert.equal((await get(opened.body.data.token, 'overview')).status, 401, 'it has expired meanwhile')
    const deleted = await made({})
    await request(service, 'DELETE', `${links()}/${deleted.id}.json`, { token: world.token })
    const replies = [
      await open(link, { password: 'river-stone' }),
      await open(deleted),
      await request(service, 'POST', `/share/${'x'.repeat(24)}.json`, { body: {} }),
      await request(service, 'POST', '/share/x.json', { body: {} }),
    ]
    assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))].length, 1)
    assert.equal(replies[0]?.status, 404)
    const { token } = await tokenFor({})
    service.clock.now += 3_600_000
    assert.equal((await get(token, 'overview')).status, 401, 'after an hour')
  })

  const from = async (ip: string, link: { url: string }, password: string) => {
    const headers = { 'X-Forwarded-For': ip }
    return (await request(service, 'POST', `${pathOf(link)}.json`, { body: { password }, headers })).status
  }

  test('wrong passwords are few for an address and a link, and right ones are not counted', async () => {
    const [link, other] = [await made({ password: 'river-stone' }), await made({ password: 'river-stone' })]
    for (let i = 0; i < 10; i++) assert.equal(await from('203.0.113.1', link, 'a wrong one'), 401)
    assert.equal(await from('203.0.113.1', link, 'river-stone'), 429)
    assert.equal(await from('203.0.113.1', other, 'river-stone'), 201, 'another link')
    service.clock.now += 61_000
    for (let i = 0; i < 12; i++) assert.equal(await from('203.0.113.1', link, 'river-stone'), 201, 'the right one is no guess')
  })

  test('strangers who guess the password of a link lock out only their own addresses', async () => {
    const link = await made({ password: 'river-stone' })
    for (let i = 0; i < 100; i++) assert.equal(await from(`203.0.113.${100 + (i % 10)}`, link, 'a wrong one'), 401, String(i))
    assert.equal(await from('198.51.100.7', link, 'river-stone'), 201, 'an address that never tried')
    for (let i = 0; i < 3; i++) assert.equal(await from('203.0.113.200', link, 'a wrong one'), 401, 'fewer tries from now on')
    assert.equal(await from('203.0.113.200', link, 'river-stone'), 429)
    service.clock.now += 61_000
    assert.equal(await from('203.0.113.200', link, 'a wrong one'), 429, 'for an hour')
    for (let i = 0; i < 12; i++) assert.equal(await from('198.51.100.7', link, 'river-stone'), 201, 'the right one is no guess')
    assert.equal(await from('2001:db8::1', link, 'river-stone'), 201)
    service.clock.now += 3_600_000
    assert.equal(await from('203.0.113.200', link, 'river-stone'), 201)
  })

  test('an address that guesses at many links is stopped at all of them', async () => {
    const all = await Promise.all(Array.from({ length: 7 }, () => made({ password: 'river-stone' })))
    for (let i = 0; i < 60; i++) assert.equal(await from('203.0.113.3', all[i % 7], 'a wrong one'), 401, String(i))
    assert.equal(await from('203.0.113.3', all[0], 'river-stone'), 429)
    assert.equal(await from('203.0.113.4', all[0], 'river-stone'), 201)
  })

  test('a change of a link applies at once, also to tokens already issued', async () => {
    const { link, token } = await tokenFor({ reports: ['overview', 'breakdown'] })
    assert.equal((await get(token, 'breakdown/country')).status, 200)
    await change(link, { reports: ['overview'] })
    assert.equal((await get(token, 'breakdown/country')).status, 403)
    await change(link, { password: 'river-stone' })
    assert.equal((await get(token, 'overview')).status, 401, 'what was opened without the password')
    const again = (await open(link, { password: 'river-stone' })).body.data.token
    assert.equal((await get(again, 'overview')).status, 200)
    await request(service, 'DELETE', `${links()}/${link.id}.json`, { token: world.token })
    assert.equal((await get(again, 'overview')).status, 401)
  })

  test('a link whose segment is gone shows nothing, rather than everything', async () => {
    const segment = await request(service, 'POST', `/sites/${world.ids.site}/segments.json`, {
      token: world.token,
      body: { name: 'Paris', filters: [['country', 'is', 'FR']] },
    })
    const { link, token } = await tokenFor({ segment_id: segment.body.data.id })
    assert.equal((await get(token, 'overview')).status, 200)
    await request(service, 'DELETE', `/sites/${world.ids.site}/segments/${segment.body.data.id}.json`, { token: world.token })
    assert.equal((await get(token, 'overview')).status, 401)
    assert.equal((await open(link)).status, 404)
  })

  test('a link shows no days after its end, also in comparisons', async () => {
    const { token } = await tokenFor({ max_days: 14 })
    for (const query of [{ period: '14d' }, { period: '7d', compare: 'previous_period' }, { period: 'today' }])
      assert.equal((await get(token, 'overview', query)).status, 200, JSON.stringify(query))
    for (const [query, pointer] of [
      [{}, '/period'],
      [{ period: 'all' }, '/period'],
      [{ period: '14d', compare: 'previous_period' }, '/compare'],
      [{ period: '7d', compare: 'previous_year' }, '/compare'],
      [{ period: '7d', compare: 'custom', compare_from: '2026-01-01', compare_to: '2026-01-07' }, '/compare'],
      [{ period: 'custom', from: '2026-02-01', to: '2026-03-09' }, '/from'],
    ] as const) {
      for (const path of ['overview', 'breakdown/page', 'stats/timeseries']) {
        const reply = await get(token, path, query)
        assert.deepEqual([reply.status, reply.body.error?.details[0]?.pointer], [422, pointer], `${path} ${JSON.stringify(query)}`)
      }
    }
  })

  test('a shared link never answers for a dimension that it does not list', async () => {
    const { token } = await tokenFor({ dimensions: ['page', 'country'] })
    for (const [path, query] of [
      ['breakdown/page', {}],
      ['overview', { panels: ['country'], filters: [['page', 'is', '/1']] }],
      ['stats/timeseries', { by: 'country' }],
    ] as const)
      assert.equal((await get(token, path, query)).status, 200, path)
    for (const [path, query] of [
      ['breakdown/source', {}],
      ['breakdown/property:plan', {}],
      ['overview', {}],
      ['overview', { panels: ['country', 'browser'] }],
      ['overview', { panels: [], filters: [['source', 'is', 'Google']] }],
      ['overview', { panels: [], filters: ['source', 'is', 'Google'] }],
      ['overview', { panels: [], filters: [{ any: [['page', 'is', '/'], { any: [['os', 'is', 'Linux']] }] }] }],
      ['overview', { panels: [], segment_id: world.ids.segment }],
      ['stats/timeseries', { by: 'city' }],
    ] as const) {
      const reply = await get(token, path, query)
      assert.equal(reply.status, 422, `${path} ${JSON.stringify(query)}: ${reply.text.slice(0, 200)}`)
    }
  })

  test('a shared link shows no revenue without show_revenue, and never notes', async () => {
    const { token } = await tokenFor({ reports: ['overview', 'aggregate', 'timeseries', 'breakdown', 'events', 'pages'] })
    for (const [path, query] of [
      ['overview', { compare: 'previous_period' }],
      ['stats/aggregate', { compare: 'previous_period' }],
      ['stats/timeseries', {}],
      ['breakdown/page', {}],
      ['events', {}],
      ['pages/detail', { path: '/1' }],
    ] as const) {
      const reply = await get(token, path, query)
      assert.equal(reply.status, 200, `${path} ${reply.text.slice(0, 300)}`)
      assert.doesNotMatch(JSON.stringify(reply.body.data), /revenue|purchases|average_order|"notes"/, path)
    }
    for (const [path, query] of [
      ['breakdown/page', { sort: 'revenue' }],
      ['breakdown/page', { metrics: ['revenue'] }],
      ['stats/timeseries', { metrics: ['average_order'] }],
    ] as const)
      assert.equal((await get(token, path, query)).status, 422, path)
    const telling = { name: 'x', reports: ['insights'] }
    const refused = await request(service, 'POST', `${links()}.json`, { token: world.token, body: telling })
    assert.deepEqual([refused.status, refused.body.error.details[0].pointer], [422, '/reports/0'], 'its sentences speak of revenue')
    const paths = await tokenFor({ reports: ['attribution'] })
    const ofGoal = await get(paths.token, 'attribution')
    assert.equal(ofGoal.status, 200, ofGoal.text)
    assert.notEqual(ofGoal.body.data.goal_id, null, 'without a goal it would count the purchases')
    const members = await get(world.token, 'attribution')
    assert.deepEqual([members.body.data.goal_id, members.body.data.total.conversions], [null, 40])
    const bare = await makeSite(service)
    const ofNothing = await tokenFor({ reports: ['attribution'] }, bare)
    const empty = await get(ofNothing.token, 'attribution', {}, bare)
    assert.equal(empty.status, 200, empty.text)
    assert.deepEqual([empty.body.data.goal_id, empty.body.data.rows, empty.body.data.total.conversions], [null, [], 0])
    assert.ok(empty.body.meta.notes.some(({ code }: { code: string }) => code === 'no_goals'))
    const told = await tokenFor({ show_revenue: true })
    assert.ok('revenue' in (await get(told.token, 'overview')).body.data.metrics)

    // Amounts that are not counted are reported to members, who can look them up; a link may show a part of the site only.
    const { number } = await service.store.read
      .selectFrom('sites')
      .select('number')
      .where('id', '=', world.ids.site ?? '')
      .executeTakeFirstOrThrow()
    const day = Math.floor(service.clock.now / 86_400_000) - 1
    await service.store.write.insertInto('drops').values({ site_id: number, day, reason: 'other_currency', count: 7 }).execute()
    const notes = async (as: string, path: string) =>
      (await get(as, path)).body.meta.notes.filter(({ code }: { code: string }) => code !== 'always_zero')
    for (const path of ['overview', 'stats/aggregate', 'stats/timeseries', 'breakdown/page']) {
      assert.equal((await notes(world.token, path))[0]?.code, 'revenue_not_counted', path)
      assert.deepEqual(await notes(token, path), [], path)
    }
    assert.deepEqual(await notes(told.token, 'overview'), [])
  })

  test('over the whole table: only what the link lists, of its own site, and no change', async () => {
    const { token } = await tokenFor({ reports: ['overview', 'breakdown'] })
    const listed = new Set(['stats_overview', 'stats_breakdown', 'values_suggest'])
    for (const row of table.operations.values()) {
      if (row.access === 'public') continue
      const input = fill(row.examples[0]?.input ?? {}, world)
      const http = await callHttp(service, row, input, token)
      if (listed.has(row.id)) {
        assert.equal(http.status, 200, row.id)
        const other = await callHttp(service, row, { ...input, site_id: foreign.ids.site }, token)
        assert.equal(other.status, 404, row.id)
        continue
      }
      assert.ok([401, 403, 404].includes(http.status), `${row.id} ${http.status} ${http.text.slice(0, 200)}`)
      if (!carriedBy('mcp', row)) continue
      const mcp = await callTool(service, row.id, input, token)
      assert.equal(mcp.isError, true, `${row.id} over MCP`)
    }
  })

  test('a token of a link neither lists nor names what else there is, and none of another prefix opens anything', async () => {
    const { token } = await tokenFor({ reports: ['overview'] })
    const mcp = await callTool(service, 'stats_overview', {}, token)
    for (const id of Object.values(foreign.ids)) assert.ok(!JSON.stringify(mcp.body).includes(id))
    assert.equal((await get(`sht_${'x'.repeat(36)}`, 'overview')).status, 401)
    assert.equal((await get(world.token, 'overview')).status, 200)
  })

  test('links of a site that moves or is deleted end', async () => {
    const other = await makeWorld(service)
    const { link, token } = await tokenFor({}, other)
    await removeSite(service, other)
    assert.equal((await get(token, 'overview', {}, other)).status, 401)
    assert.equal((await open(link)).status, 404)
  })

  test('a public site opens for anyone until it is no longer public', async () => {
    const other = await makeWorld(service)
    const opened = await request(service, 'POST', `/public/${other.ids.site}.json`, { body: {} })
    assert.equal(opened.status, 201, opened.text)
    const { token } = opened.body.data
    assert.equal((await get(token, 'overview', {}, other)).status, 200)
    assert.equal((await get(token, 'live', {}, other)).status, 200)
    assert.equal((await get(token, 'events', {}, other)).status, 403)
    await request(service, 'PATCH', `/sites/${other.ids.site}`, { token: other.token, body: { public: false } })
    assert.equal((await get(token, 'overview', {}, other)).status, 401)
    assert.equal((await request(service, 'POST', `/public/${other.ids.site}.json`, { body: {} })).status, 404)
  })
})

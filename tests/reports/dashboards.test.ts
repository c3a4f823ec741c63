/** Dashboards: valid cards, visibility, and the data of each type. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hit, store as keep } from '../storage/engine/traffic.ts'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, column, faultsOf } from '../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('Dashboards', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World, rest = '') => `/workspaces/${world.ids.workspace}/dashboards${rest && `/${rest}`}`
  const create = (world: World, cards: unknown, token = world.token) => call('POST', pathOf(world), token, { name: 'New', cards })
  const card = (world: World, type: string, params?: object) => ({ type, site_id: world.ids.site, ...(params ? { params } : {}) })
  const secondSite = async ({ ids, token }: World) =>
    (await call('POST', `/workspaces/${ids.workspace}/sites`, token, { domain: `second-${ids.domain}` })).body.data.id

  test('cards come back in order as they were given', async () => {
    const world = await makeWorld(service)
    const cards = [
      { ...card(world, 'metric', { period: 'mtd', metric: 'revenue' }), title: 'Revenue' },
      card(world, 'funnel', { funnel_id: world.ids.funnel }),
      card(world, 'breakdown', { dimension: 'property:plan', metric: 'revenue' }),
      card(world, 'live'),
    ]
    const made = await create(world, cards)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      made.body.data.cards,
      cards.map(each => ({ params: {}, ...each })),
    )
    assert.match(made.body.data.id, /^dash_/)
    assert.deepEqual((await call('GET', pathOf(world, made.body.data.id), world.token)).body.data, made.body.data)
    const listed = await call('GET', pathOf(world), world.token)
    assert.deepEqual(column(listed, 'id').sort(), [world.ids.dashboard, made.body.data.id].sort())
    assert.deepEqual(
      listed.body.data.find(({ id }: { id: string }) => id === made.body.data.id),
      made.body.data,
    )
    const empty = await call('POST', pathOf(world), world.token, { name: 'Empty' })
    assert.deepEqual(empty.body.data.cards, [])
  })

  test('40 cards are taken and 41 are not', async () => {
    const world = await makeWorld(service)
    const many = (count: number) => Array.from({ length: count }, () => card(world, 'live'))
    assert.equal((await create(world, many(40))).status, 201)
    const reply = await create(world, many(41))
    assert.deepEqual([codeOf(reply), faultsOf(reply)], [[422, 'validation_failed'], ['/cards too_many_items']])
    const changed = await call('PATCH', pathOf(world, world.ids.dashboard), world.token, { cards: many(41) })
    assert.deepEqual(faultsOf(changed), ['/cards too_many_items'])
  })

  test('every fault is named at once, by the place of its card', async () => {
    const world = await makeWorld(service)
    const live = card(world, 'live')
    const wrong = await create(world, [live, live, live, card(world, 'gauge'), { type: 'live', colour: 1 }])
    assert.deepEqual(faultsOf(wrong).sort(), ['/cards/3/type not_in_enum', '/cards/4/colour unknown_field', '/cards/4/site_id required'])
    const faults = faultsOf(
      await create(world, [
        card(world, 'metric', { metric: 'mood', period: 'custom' }),
        card(world, 'breakdown', { dimension: 'land' }),
        card(world, 'funnel'),
        card(world, 'funnel', { funnel_id: 'fun_x' }),
        { type: 'live', site_id: 'pa_x' },
        card(world, 'chart', { period: 'eon' }),
      ]),
    )
    assert.deepEqual(faults, [
      '/cards/0/params/period not_in_enum',
      '/cards/0/params/metric not_in_enum',
      '/cards/1/params/dimension not_in_enum',
      '/cards/2/params/funnel_id required',
      '/cards/3/params/funnel_id not_found',
      '/cards/4/site_id not_found',
      '/cards/5/params/period not_in_enum',
    ])
  })

  test('fields that a card type does not use are ignored', async () => {
    const world = await makeWorld(service)
    const params = { period: 'eon', metric: 'mood', dimension: 'land', funnel_id: 'fun_x' }
    assert.equal((await create(world, [card(world, 'live', params), card(world, 'uptime', params)])).status, 201)
    const mood = { metric: 'mood' }
    const one = await create(world, [card(world, 'breakdown', mood), card(world, 'goal', mood)])
    assert.equal(one.status, 201)
    assert.equal((await call('GET', pathOf(world, `${one.body.data.id}/cards/0`), world.token)).status, 200)
  })

  test('filters of tables name each of their faults, and share one limit for the size of their patterns', async () => {
    const world = await makeWorld(service)
    const table = (filters: string) => card(world, 'table', { dimensions: 'page', filters })
    const wrong = await create(world, [table('[["page","is"],["weather","is","rain"]]'), table('[[')])
    assert.deepEqual(faultsOf(wrong), [
      '/cards/0/params/filters too_short',
      '/cards/0/params/filters not_in_enum',
      '/cards/1/params/filters invalid_type',
    ])
    const large = (letter: string) => table(JSON.stringify([['page', 'regex', `(${letter.repeat(11)}){1000}`]]))
    assert.equal((await create(world, [large('a')])).status, 201)
    const tooLarge = await create(world, [large('a'), large('b'), large('c')])
    assert.deepEqual(faultsOf(tooLarge), ['/cards/1/params/filters invalid_format', '/cards/2/params/filters invalid_format'])
  })

  test('a parameter that no card has is refused, with the nearest that there is', async () => {
    const world = await makeWorld(service)
    const wrong = await create(world, [card(world, 'metric', { range: '7d', matric: 'visits' })])
    assert.equal(wrong.status, 422)
    assert.deepEqual(
      wrong.body.error.details.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message]),
      [
        [
          '/cards/0/params/range',
          'cards.0.params.range is not a field here; did you mean period? Fields are period, metric, dimension, dimensions, metrics, order, filters, funnel_id.',
        ],
        [
          '/cards/0/params/matric',
          'cards.0.params.matric is not a field here; did you mean metric? Fields are period, metric, dimension, dimensions, metrics, order, filters, funnel_id.',
        ],
      ],
    )
  })

  test('sites and funnels of others are as unknown as those that are nowhere', async () => {
    const [world, foreign] = [await makeWorld(service), await makeWorld(service)]
    const texts = async (cards: (id: string) => object, ids: readonly (string | undefined)[]) => {
      const replies = await Promise.all(ids.map(async (id = '') => (await create(world, [cards(id)])).text.replaceAll(id, '')))
      assert.equal(new Set(replies).size, 1)
      return replies[0] ?? ''
    }
    const sites = await texts(site_id => ({ type: 'live', site_id }), [foreign.ids.site, 'pa_x'])
    assert.match(sites, /"pointer":"\/cards\/0\/site_id","code":"not_found"/)
    await texts(funnel_id => card(world, 'funnel', { funnel_id }), [foreign.ids.funnel, 'fun_x'])
    const other = { type: 'funnel', site_id: await secondSite(world), params: { funnel_id: world.ids.funnel } }
    assert.deepEqual(faultsOf(await create(world, [other])), ['/cards/0/params/funnel_id not_found'])
  })

  test('a change replaces all cards, an empty name keeps the name, and a dashboard that was read can be sent back', async () => {
    const world = await makeWorld(service)
    const path = pathOf(world, world.ids.dashboard)
    const before = (await call('GET', path, world.token)).body.data
    assert.deepEqual((await call('PATCH', path, world.token, before)).body.data, before)
    assert.deepEqual((await call('PATCH', path, world.token, { name: '' })).body.data, before)
    const changed = (await call('PATCH', path, world.token, { name: 'B', cards: [card(world, 'live')] })).body.data
    assert.deepEqual([changed.name, changed.cards.map(({ type }: { type: string }) => type)], ['B', ['live']])
    assert.equal((await call('DELETE', path, world.token)).status, 200)
    assert.equal((await call('GET', path, world.token)).status, 404)
  })

  test('a token restricted to sites sees the cards of its sites, and takes away no others', async () => {
    const world = await makeWorld(service)
    const second = await secondSite(world)
    const cards = [{ type: 'live', site_id: second }, card(world, 'metric'), card(world, 'uptime')]
    const { id } = (await create(world, cards)).body.data
    const token = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    const seen = (await call('GET', pathOf(world, id), token)).body.data
    assert.deepEqual(
      seen.cards.map(({ type }: { type: string }) => type),
      ['metric', 'uptime'],
    )
    const listed = (await call('GET', pathOf(world), token)).text
    assert.ok(!listed.includes(second))
    assert.equal((await call('GET', pathOf(world, `${id}/cards/0`), token)).body.data.type, 'metric')
    assert.equal((await call('GET', pathOf(world, `${id}/cards/2`), token)).status, 404)
    assert.deepEqual(codeOf(await call('PATCH', pathOf(world, id), token, { cards: [] })), [403, 'permission_denied'])
    assert.deepEqual(codeOf(await call('DELETE', pathOf(world, id), token)), [403, 'permission_denied'])
    assert.deepEqual(codeOf(await call('PATCH', pathOf(world, id), token, { name: 'Ours' })), [403, 'permission_denied'])
    assert.equal((await call('GET', pathOf(world, id), world.token)).body.data.cards.length, 3)
    const theirs = await create(world, [{ type: 'live', site_id: second }], token)
    assert.deepEqual(faultsOf(theirs), ['/cards/0/site_id not_found'])
  })

  test('an index that names no card is not found', async () => {
    const world = await makeWorld(service)
    const nowhere = (await call('GET', pathOf(world, 'dash_x/cards/0'), world.token)).text
    for (const index of ['9', '-1', '1.5', '01', 'first', '1e0', '%20', '999999999999']) {
      const reply = await call('GET', pathOf(world, `${world.ids.dashboard}/cards/${index}`), world.token)
      assert.deepEqual([reply.status, reply.text], [404, nowhere], index)
    }
  })

  test('cards have widths, and can be shown for another site of the workspace, but of no other', async () => {
    const [world, foreign] = [await makeWorld(service), await makeWorld(service)]
    const [second, funnel] = [await secondSite(world), card(world, 'funnel', { funnel_id: world.ids.funnel })]
    const made = (await create(world, [{ ...card(world, 'metric'), size: 'full' }, funnel])).body.data
    assert.deepEqual(
      made.cards.map(({ size }: { size?: string }) => size),
      ['full', undefined],
    )
    assert.equal((await create(world, [{ ...card(world, 'metric'), size: 'tiny' }])).status, 422)
    const of = (index: number, site_id: string, token = world.token) =>
      call('GET', pathOf(world, `${made.id}/cards/${index}?site_id=${site_id}`), token)
    assert.equal((await of(0, second)).body.data.site_id, second)
    assert.equal((await of(1, second)).body.data.site_id, world.ids.site, 'a funnel belongs to its site')
    const [other, unknown] = [await of(0, foreign.ids.site ?? ''), await of(0, 'pa_00000000000000000000000')]
    assert.deepEqual(
      [other.status, other.body.error.code, other.body.error.message],
      [404, unknown.body.error.code, unknown.body.error.message],
    )
  })

  test('each type answers the report it shows', async () => {
    const world = await makeWorld(service)
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 3 * 60_000
    await keep(service.store, [
      hit(zone, { who: 'a', at, page: '/', visit: { country: 'DE' } }),
      hit(zone, { who: 'a', at: at + 1_000, page: '/', event: 'Signup' }),
      hit(zone, { who: 'b', at, page: '/b', visit: { country: 'FR' } }),
    ])
    const answers = new Map<string, any>()
    for (let index = 0; index < 8; index++) {
      const path = pathOf(world, `${world.ids.dashboard}/cards/${index}`)
      const { status, body, text } = await call('GET', path, world.token)
      assert.equal(status, 200, text)
      assert.deepEqual([body.data.site_id, body.meta.timezone], [world.ids.site, 'Europe/Berlin'])
      answers.set(body.data.type, body.data)
    }
    const report = async (path: string) => (await call('GET', `/sites/${world.ids.site}/${path}`, world.token)).body.data
    const same = (type: string, expected: object, ...own: string[]) => {
      const { type: _, site_id: __, title: ___, ...data } = answers.get(type)
      for (const name of own) delete data[name]
      assert.deepEqual(data, expected, type)
    }
    assert.deepEqual([answers.get('metric').title, answers.get('metric').metric], ['Visitors', 'visitors'])
    same('metric', await report('stats/aggregate?period=7d&compare=previous_period'), 'metric')
    same('chart', await report('stats/timeseries?period=7d&compare=previous_period'), 'metric')
    same('breakdown', await report('breakdown/country'))
    same('goal', await report('breakdown/goal'))
    const { latest: _, ...live } = await report('live')
    same('live', live)
    same('funnel', await report(`funnels/${world.ids.funnel}/report`))
    assert.equal(answers.get('metric').metrics.visitors, 2)
    assert.deepEqual(
      answers.get('goal').rows.map((row: { conversions: number }) => row.conversions),
      [1],
    )
    assert.deepEqual(
      answers.get('funnel').rows.map((row: { visitors: number }) => row.visitors),
      [1, 1],
    )
    const vitals = answers.get('vitals').rows.map((row: { value: string }) => row.value)
    assert.deepEqual(vitals, ['lcp', 'inp', 'cls', 'fcp', 'ttfb'])
    const { checks, uptime } = answers.get('uptime')
    const listed = await call('GET', `/sites/${world.ids.site}/uptime`, world.token)
    assert.deepEqual(
      checks.map(({ id }: { id: string }) => id),
      column(listed, 'id'),
    )
    assert.deepEqual(Object.keys(uptime), ['24h', '7d', '30d'])
    const {
      body: { data: detail },
    } = await call('GET', `/uptime/checks/${checks[0].id}`, world.token)
    assert.deepEqual(checks[0].uptime, detail.uptime)
  })

  test('a card whose funnel or site is gone says so, and the dashboard can still be sent back', async () => {
    const world = await makeWorld(service)
    const site = await secondSite(world)
    const cards = [card(world, 'funnel', { funnel_id: world.ids.funnel }), { type: 'live', site_id: site }]
    const made = (await create(world, cards)).body.data
    await call('DELETE', `/sites/${world.ids.site}/funnels/${world.ids.funnel}`, world.token)
    assert.equal((await call('DELETE', `/sites/${site}`, world.token, { confirm: `second-${world.ids.domain}` })).status, 200)
    for (const index of [0, 1]) {
      const reply = await call('GET', pathOf(world, `${made.id}/cards/${index}`), world.token)
      assert.deepEqual(codeOf(reply), [422, 'invalid_state'])
    }
    assert.equal((await call('PATCH', pathOf(world, made.id), world.token, made)).status, 200)
    const created = await create(world, cards)
    assert.deepEqual(faultsOf(created), ['/cards/0/params/funnel_id not_found', '/cards/1/site_id not_found'])
  })
})

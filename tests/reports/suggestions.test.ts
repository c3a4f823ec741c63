/** Values of dimensions for a text that a person types. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { callHttp, makeSite, request, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

onEachEngine('suggestions', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 3_600_000
    const old = at - 40 * 86_400_000
    const who = (count: number, sent: Omit<Sent, 'who'>): Sent[] =>
      Array.from({ length: count }, (_, i) => ({ ...sent, who: `${JSON.stringify(sent)}${i}` }))
    const hits = [
      ...who(2, { at, page: '/blog/a', visit: { country: 'DE', device: 'mobile' } }),
      ...who(3, { at, page: '/about/blog', visit: { country: 'AT' } }),
      ...who(1, { at, page: '/Blog/b', visit: { country: 'DE', hostname: 'xn--mnchen-3ya.de' } }),
      ...who(2, { at, event: 'Signup', props: { plan: 'pro' }, visit: { country: 'FR' } }),
      ...who(1, { at, page: '/men\u00fc', visit: { country: 'CH' } }),
      ...who(1, { at, event: 'Buy', props: { price: '5', plan: 'free' } }),
    ].map(sent => hit(site, sent))
    await keep(service.store, [hit(site, { at: old, who: 'old', page: '/blog/old' })])
    await keep(service.store, hits, hits.length)
  })
  after(() => service.close())

  const ask = (input: Record<string, unknown>, token = world.token) => {
    const operation = table.operations.get('values_suggest')
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, ...input }, token)
  }
  const values = async (input: Record<string, unknown>, token = world.token): Promise<[string, number][]> => {
    const { status, body, text } = await ask(input, token)
    assert.equal(status, 200, text)
    return body.data.rows.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors])
  }

  test('values that begin with the text come before those that contain it, each with most visitors first', async () => {
    assert.deepEqual(await values({ dimension: 'page', text: '/BLOG' }), [
      ['/blog/a', 2],
      ['/Blog/b', 1],
      ['/about/blog', 3],
    ])
    assert.deepEqual(await values({ dimension: 'page', text: 'blog', limit: 1 }), [['/about/blog', 3]])
    assert.deepEqual(await values({ dimension: 'page', text: 'nowhere' }), [])
  })

  test('an accent is found, whether it is typed as one character or two', async () => {
    for (const text of ['/men\u00fc', '/menu\u0308', 'EN\u00dc', 'ENU\u0308'])
      assert.deepEqual(await values({ dimension: 'page', text }), [['/men\u00fc', 1]], JSON.stringify(text))
  })

  test('the last 30 days count, unless another period is asked for', async () => {
    assert.deepEqual(await values({ dimension: 'page', text: 'old' }), [])
    assert.deepEqual(await values({ dimension: 'page', text: 'old', period: '90d' }), [['/blog/old', 1]])
  })

  test('countries are found by their code and by their names in the languages of the pages, without accents', async () => {
    for (const text of ['de', 'germ', 'Deutschl', 'allemagne', 'ALEMANIA'])
      assert.deepEqual((await values({ dimension: 'country', text }))[0], ['DE', 3], text)
    assert.deepEqual(await values({ dimension: 'country', text: 'osterr' }), [['AT', 3]])
    assert.deepEqual(await values({ dimension: 'device', text: 'mob' }), [['mobile', 2]])
    const { body } = await ask({ dimension: 'country', text: 'autri' })
    assert.equal(body.data.rows[0].label, 'Austria')
  })

  test('hosts are found by their letters, missing values by their placeholder', async () => {
    assert.deepEqual(await values({ dimension: 'hostname', text: 'münch' }), [['xn--mnchen-3ya.de', 1]])
    assert.equal((await values({ dimension: 'utm_campaign', text: 'not set' }))[0]?.[0], '')
  })

  test('events, properties, their values and goals are suggested; filters apply', async () => {
    assert.deepEqual(await values({ dimension: 'event', text: 's' }), [['Signup', 2]])
    assert.deepEqual(await values({ dimension: 'property' }), [
      ['plan', 3],
      ['price', 1],
    ])
    assert.deepEqual(await values({ dimension: 'property', filters: [['event', 'is', 'Signup']] }), [['plan', 2]])
    assert.deepEqual(await values({ dimension: 'property', filters: [['country', 'is', 'AT']] }), [])
    assert.deepEqual(await values({ dimension: 'property:plan', text: 'r' }), [
      ['pro', 2],
      ['free', 1],
    ])
    assert.deepEqual(await values({ dimension: 'property:plan', text: '', filters: [['event', 'is', 'Buy']] }), [['free', 1]])
    const goal = await request(service, 'POST', `/sites/${world.ids.site}/goals.json`, {
      token: world.token,
      body: { kind: 'event', event: 'Signup', name: 'Éntry' },
    })
    assert.deepEqual(await values({ dimension: 'goal', text: 'entr' }), [[goal.body.data.id, 2]])
  })

  test('a property is found by its display name, and not at all if it is hidden', async () => {
    const set = (body: object) =>
      request(service, 'PATCH', `/sites/${world.ids.site}/events/properties.json`, { token: world.token, body: { key: 'price', ...body } })
    await set({ display_name: 'Amount' })
    assert.deepEqual(await values({ dimension: 'property', text: 'amo' }), [['price', 1]])
    await set({ hidden: true })
    assert.deepEqual(await values({ dimension: 'property', text: 'pri' }), [])
    await set({ hidden: false, display_name: '' })
  })

  test('a shared link suggests only values of the dimensions and visits that it shows', async () => {
    const segment = await request(service, 'POST', `/sites/${world.ids.site}/segments.json`, {
      token: world.token,
      body: { name: 'Germans', filters: [['country', 'is', 'DE']] },
    })
    const open = async (fields: object) => {
      const link = await request(service, 'POST', `/sites/${world.ids.site}/shared_links.json`, {
        token: world.token,
        body: { name: 'Link', ...fields },
      })
      assert.equal(link.status, 201, link.text)
      const opened = await request(service, 'POST', `${new URL(link.body.data.url).pathname}.json`, { body: {} })
      return opened.body.data.token as string
    }
    const german = await open({ segment_id: segment.body.data.id, dimensions: ['page'] })
    assert.deepEqual(await values({ dimension: 'page', text: 'blog' }, german), [
      ['/blog/a', 2],
      ['/Blog/b', 1],
    ])
    for (const dimension of ['country', 'property', 'property:plan'])
      assert.equal((await ask({ dimension, text: '' }, german)).status, 422, dimension)
    assert.deepEqual(await values({ dimension: 'property' }, await open({ segment_id: segment.body.data.id })), [])
    assert.equal((await ask({ dimension: 'page' }, await open({ max_days: 7 }))).status, 422)
    assert.equal((await ask({ dimension: 'page' }, await open({ reports: ['live'], dimensions: [] }))).status, 403)
  })

  test('an unknown dimension is a fault, and a site of another workspace is unknown', async () => {
    const { status, body } = await ask({ dimension: 'colour' })
    assert.deepEqual([status, body.error.details[0].pointer], [422, '/dimension'])
    const foreign = await makeSite(service)
    const hidden = await ask({ site_id: foreign.ids.site, dimension: 'page' })
    const unknown = await ask({ site_id: `${foreign.ids.site?.slice(0, -4)}0000`, dimension: 'page' })
    assert.deepEqual([hidden.status, hidden.body.error], [404, unknown.body.error])
  })
})

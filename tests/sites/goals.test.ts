/** Goals: the fields of each kind, and what a change preserves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, faultsOf } from '../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

const noCondition = {
  path: null,
  regex: null,
  event: null,
  depth: null,
  duration_seconds: null,
  selector: null,
  property: null,
  value: null,
}
const nothing = { ...noCondition, properties: [], value_amount: null, value_property: null }

/** Inputs, and the resulting conditions. */
const accepted: [says: string, body: object, goal: object][] = [
  ['a page', { kind: 'page', path: '/thanks' }, { name: '/thanks', kind: 'page', path: '/thanks' }],
  ['a page pattern', { kind: 'page', path: '/shop/*/done/**', name: 'Order' }, { name: 'Order', kind: 'page', path: '/shop/*/done/**' }],
  [
    'a page, with the fields of events empty',
    { kind: 'page', path: '/', event: null, property: null, value: null },
    { name: '/', kind: 'page', path: '/' },
  ],
  [
    'a page with a property',
    { kind: 'page', path: '/blog/**', property: 'author', value: 'Ada' },
    { name: '/blog/**', kind: 'page', path: '/blog/**', property: 'author', value: 'Ada' },
  ],
  ['an event', { kind: 'event', event: 'Upgrade' }, { name: 'Upgrade', kind: 'event', event: 'Upgrade' }],
  [
    'an event with any value of a property',
    { kind: 'event', event: 'Upgrade', property: 'plan' },
    { name: 'Upgrade', kind: 'event', event: 'Upgrade', property: 'plan' },
  ],
  [
    'an event with one value',
    { kind: 'event', event: 'Upgrade', property: 'plan', value: 'pro' },
    { name: 'Upgrade', kind: 'event', event: 'Upgrade', property: 'plan', value: 'pro' },
  ],
  [
    'an event with several properties, and a worth',
    {
      kind: 'event',
      event: 'X',
      properties: [
        { property: 'a', value: '1' },
        { property: 'b', value: null },
      ],
      value_amount: 500,
    },
    {
      name: 'X',
      kind: 'event',
      event: 'X',
      properties: [
        { property: 'a', value: '1' },
        { property: 'b', value: null },
      ],
      value_amount: 500,
    },
  ],
  ['a page by a pattern', { kind: 'page', regex: '^/(a|b)$' }, { name: '^/(a|b)$', kind: 'page', regex: '^/(a|b)$' }],
  [
    'how far a page is read',
    { kind: 'scroll', path: '/blog/*', depth: 75 },
    { name: '/blog/* 75%', kind: 'scroll', path: '/blog/*', depth: 75 },
  ],
  ['how far any page is read', { kind: 'scroll', depth: 100, path: null }, { name: '100%', kind: 'scroll', depth: 100 }],
  ['the time of a visit', { kind: 'duration', duration_seconds: 60 }, { name: '60 s', kind: 'duration', duration_seconds: 60 }],
  [
    'a click, by an event of its own',
    { kind: 'click', selector: '.hero > a', value_property: 'price' },
    { name: 'Click: .hero > a', kind: 'click', selector: '.hero > a', event: 'Click: .hero > a', value_property: 'price' },
  ],
]

const refused: [says: string, body: object, faults: string[]][] = [
  ['nothing', {}, ['/kind required']],
  ['another kind', { kind: 'visit' }, ['/kind not_in_enum']],
  ['a page without a path', { kind: 'page' }, ['/path required']],
  ['an event without its name', { kind: 'event', event: null }, ['/event required']],
  ['the field of the other kind, for its own', { kind: 'event', path: '/x' }, ['/event required', '/path mismatch']],
  ['a path and an event', { kind: 'page', path: '/x', event: 'X' }, ['/event mismatch']],
  ['a path and a pattern', { kind: 'page', path: '/x', regex: 'x' }, ['/regex mismatch']],
  ['a pattern that is none', { kind: 'page', regex: '(' }, ['/regex invalid_format']],
  ['a pattern with a look-behind', { kind: 'page', regex: '(?<=a)b' }, ['/regex invalid_format']],
  ['a pattern that is too large', { kind: 'page', regex: '(ab){1,100}' }, ['/regex too_large']],
  ['a depth beyond the page', { kind: 'scroll', depth: 101 }, ['/depth too_large']],
  ['a time without seconds', { kind: 'duration', path: '/' }, ['/duration_seconds required']],
  ['a property of a time', { kind: 'duration', duration_seconds: 5, property: 'x' }, ['/property mismatch']],
  ['a selector that is none', { kind: 'click', selector: 'a{}' }, ['/selector invalid_format']],
  ['a selector of an event', { kind: 'event', event: 'X', selector: 'a' }, ['/selector mismatch']],
  ['two worths', { kind: 'event', event: 'X', value_amount: 1, value_property: 'x' }, ['/value_property mismatch']],
  ['a worth that is no whole number', { kind: 'event', event: 'X', value_amount: 1e308 }, ['/value_amount too_large']],
  ['a value of no property', { kind: 'event', event: 'X', value: '1' }, ['/property required']],
  ['a path that does not begin with a slash', { kind: 'page', path: 'x' }, ['/path invalid_format']],
  ['empty texts', { kind: 'event', event: '', property: '', name: '' }, ['/event too_short', '/name too_short', '/property too_short']],
  [
    'texts that are too long',
    { kind: 'page', path: `/${'x'.repeat(1024)}`, name: 'x'.repeat(1_001) },
    ['/name too_long', '/path too_long'],
  ],
]

onAnyEngine('Goals', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World, id = '') => `/sites/${world.ids.site}/goals${id && `/${id}`}`
  const create = (world: World, body: object) => call('POST', pathOf(world), world.token, body)
  const change = (world: World, body: object) => call('PATCH', pathOf(world, world.ids.goal), world.token, body)
  const get = async (world: World) => (await call('GET', pathOf(world, world.ids.goal), world.token)).body.data

  for (const [says, body, goal] of accepted) {
    test(`takes ${says}`, async () => {
      const world = await makeWorld(service)
      const made = await create(world, body)
      assert.equal(made.status, 201, made.text)
      const { id, created_at, updated_at, ...rest } = made.body.data
      assert.match(id, /^goal_/)
      assert.equal(created_at, updated_at)
      assert.deepEqual(rest, { site_id: world.ids.site, ...nothing, ...goal })
      const {
        body: { data },
      } = await call('GET', pathOf(world), world.token)
      assert.deepEqual(
        data.find((each: { id: string }) => each.id === id),
        made.body.data,
      )
    })
  }

  for (const [says, body, faults] of refused) {
    test(`refuses ${says}`, async () => {
      const world = await makeWorld(service)
      const reply = await create(world, body)
      assert.deepEqual(codeOf(reply), [422, 'validation_failed'])
      assert.deepEqual(faultsOf(reply).sort(), faults)
    })
  }

  test('a goal that was read can be sent back', async () => {
    const world = await makeWorld(service)
    const before = await get(world)
    service.clock.now += 1_000
    const { status, body } = await change(world, before)
    assert.deepEqual([status, body.data], [200, { ...before, updated_at: new Date(service.clock.now).toISOString() }])
  })

  test('a field left out stays, null empties it, and another kind drops what it has no use for', async () => {
    const world = await makeWorld(service)
    const empty = { path: null, event: null, property: null, value: null }
    const after = async (body: object) => {
      const { name, kind, path, event, property, value } = (await change(world, body)).body.data
      return { name, kind, path, event, property, value }
    }
    const signup = { ...empty, name: 'Signup', kind: 'event', event: 'Signup' }
    assert.deepEqual(await after({ property: 'plan', value: 'pro' }), { ...signup, property: 'plan', value: 'pro' })
    assert.deepEqual(await after({ value: null }), { ...signup, property: 'plan' })
    assert.deepEqual(await after({ property: null }), signup)
    const page = { kind: 'page', path: '/welcome' }
    assert.deepEqual(await after(page), { ...empty, name: 'Signup', ...page })
    const pattern = (await change(world, { regex: '^/welcome' })).body.data
    assert.deepEqual([pattern.path, pattern.regex], [null, '^/welcome'])
    const worth = async (body: object) => {
      const { value_amount, value_property } = (await change(world, body)).body.data
      return [value_amount, value_property]
    }
    assert.deepEqual(await worth({ value_amount: 250 }), [250, null])
    assert.deepEqual(await worth({ value_property: 'price' }), [null, 'price'])
    assert.deepEqual(await worth({ value_property: null }), [null, null])
    assert.equal((await change(world, page)).body.data.regex, null)
    assert.equal((await change(world, { kind: 'event' })).body.error.details[0].pointer, '/event')
    assert.equal((await get(world)).path, '/welcome')
  })

  test('a name is taken once in a site, and free in another', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const twice = await create(world, { kind: 'page', path: '/x', name: 'Signup' })
    assert.deepEqual(codeOf(twice), [422, 'already_exists'])
    const made = (await create(world, { kind: 'page', path: '/x', name: 'X' })).body.data
    assert.deepEqual(codeOf(await change(world, { name: 'X' })), [422, 'already_exists'])
    assert.equal((await create(other, { kind: 'page', path: '/x', name: 'X' })).status, 201)
    assert.equal((await create(other, { kind: 'page', path: '/x', name: 'Caf\u00e9' })).status, 201)
    assert.deepEqual(codeOf(await create(other, { kind: 'page', path: '/x', name: 'Cafe\u0301' })), [422, 'already_exists'])
    assert.equal((await call('DELETE', pathOf(world, made.id), world.token)).status, 200)
    assert.equal((await change(world, { name: 'X' })).status, 200)
  })

  test('a goal that an alert watches is not deleted', async () => {
    const world = await makeWorld(service)
    const path = pathOf(world, world.ids.goal)
    const watch = (goal_id: string | null) =>
      service.store.write
        .updateTable('alerts')
        .set({ goal_id })
        .where('id', '=', world.ids.alert ?? '')
        .execute()
    await watch(world.ids.goal ?? null)
    const refused = await call('DELETE', path, world.token)
    assert.deepEqual(codeOf(refused), [422, 'invalid_state'])
    assert.match(refused.body.error.message, /Traffic drop/)
    await watch(null)
    assert.equal((await call('DELETE', path, world.token)).status, 200)
    assert.equal((await call('GET', path, world.token)).status, 404)
  })
})

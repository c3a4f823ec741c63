/** Saved segments: named filters of reports. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, column, faultsOf } from '../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('Segments', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World, id = '') => `/sites/${world.ids.site}/segments${id && `/${id}`}`
  const create = (world: World, body: object) => call('POST', pathOf(world), world.token, body)
  const get = async (world: World, id = world.ids.segment) => (await call('GET', pathOf(world, id), world.token)).body.data

  test('filters come back as they were given', async () => {
    const world = await makeWorld(service)
    const filters = [
      ['country', 'any_of', ['DE', 'AT']],
      {
        any: [
          ['property:plan', 'is', 'pro'],
          {
            any: [
              ['page', 'regex', '^/a'],
              ['event', 'is', 'X'],
            ],
          },
        ],
      },
    ]
    const {
      status,
      body: { data },
    } = await create(world, { name: 'Mixed', filters })
    assert.equal(status, 201)
    assert.match(data.id, /^seg_/)
    assert.deepEqual([data.name, data.site_id, data.filters], ['Mixed', world.ids.site, filters])
    assert.deepEqual(await get(world, data.id), data)
    const list = await call('GET', pathOf(world), world.token)
    assert.deepEqual([list.body.meta.total, column(list, 'name').sort()], [2, ['Germany', 'Mixed']])
  })

  test('filters that no report would take are refused, each fault at its place', async () => {
    const world = await makeWorld(service)
    const wrong = await create(world, {
      name: 'Wrong',
      filters: [
        ['country', 'is', 'DE'],
        ['planet', 'is', 'Mars'],
        ['page', 'near', '/x'],
        { all: [] },
        'x',
        { all: [['a', 'is', 'b']], any: [] },
      ],
    })
    assert.deepEqual(codeOf(wrong), [422, 'validation_failed'])
    assert.deepEqual(faultsOf(wrong), [
      '/filters/1/0 not_in_enum',
      '/filters/2/1 not_in_enum',
      '/filters/3/all too_short',
      '/filters/4 invalid_type',
      '/filters/5 invalid_type',
    ])
    for (const filters of [[], {}, 'country', null, [[]]]) {
      assert.equal((await create(world, { name: 'X', filters })).status, 422)
    }
    assert.deepEqual(faultsOf(await create(world, { filters: [['country', 'is', 'DE']] })), ['/name required'])
  })

  test('conditions have a size in all, because lists and the search have many segments', async () => {
    const world = await makeWorld(service)
    const pages = (count: number) => [['page', 'any_of', Array.from({ length: count }, (_, i) => `/${'x'.repeat(95)}${1_000 + i}`)]]
    const ample = await create(world, { name: 'Ample', filters: pages(285) })
    assert.equal(ample.status, 201, ample.text)
    assert.deepEqual(faultsOf(await create(world, { name: 'Too many', filters: pages(300) })), ['/filters too_large'])
    const path = pathOf(world, ample.body.data.id)
    assert.deepEqual(faultsOf(await call('PATCH', path, world.token, { filters: pages(300) })), ['/filters too_large'])
  })

  test('a segment that was read can be sent back; a change of one field keeps the other', async () => {
    const world = await makeWorld(service)
    const path = pathOf(world, world.ids.segment)
    const before = await get(world)
    service.clock.now += 1_000
    const updated_at = new Date(service.clock.now).toISOString()
    const change = async (body: object) => (await call('PATCH', path, world.token, body)).body.data
    assert.deepEqual(await change(before), { ...before, updated_at })
    assert.deepEqual(await change({ name: 'DE' }), { ...before, name: 'DE', updated_at })
    const filters = [['country', 'is_not', 'DE']]
    assert.deepEqual(await change({ filters }), { ...before, name: 'DE', filters, updated_at })
    const wrong = await call('PATCH', path, world.token, { filters: [['x', 'is', 'y']] })
    assert.equal(wrong.status, 422)
    assert.deepEqual((await get(world)).filters, filters)
  })

  test('a name is taken once in a site, and free once deleted', async () => {
    const world = await makeWorld(service)
    const body = { name: 'Germany', filters: [['country', 'is', 'DE']] }
    const twice = await create(world, body)
    assert.deepEqual(codeOf(twice), [422, 'already_exists'])
    const path = pathOf(world, world.ids.segment)
    assert.equal((await call('DELETE', path, world.token)).body.data.name, 'Germany')
    assert.equal((await call('DELETE', path, world.token)).status, 404)
    assert.equal((await create(world, body)).status, 201)
  })
})

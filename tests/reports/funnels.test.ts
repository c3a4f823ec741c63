/** Funnels: valid steps, and what a change preserves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, faultsOf } from '../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

const nothing = { name: null, goal_id: null, kind: null, path: null, event: null, property: null, value: null }
const home = { path: '/' }

const steps: [says: string, given: object, step: object][] = [
  ['a page', { path: '/shop/*' }, { kind: 'page', path: '/shop/*' }],
  [
    'a page with a name and a property',
    { path: '/a', name: 'A', property: 'plan' },
    { kind: 'page', path: '/a', name: 'A', property: 'plan' },
  ],
  ['an event', { event: 'Buy' }, { kind: 'event', event: 'Buy' }],
  [
    'an event with a value, as it would be read',
    { ...nothing, kind: 'event', event: 'Buy', property: 'plan', value: 'pro' },
    { kind: 'event', event: 'Buy', property: 'plan', value: 'pro' },
  ],
]

const refused: [says: string, steps: unknown, faults: string[]][] = [
  ['one step', [home], ['/steps too_short']],
  ['eleven steps', Array.from({ length: 11 }, () => home), ['/steps too_many_items']],
  ['a step that says nothing', [home, {}], ['/steps/1 required']],
  ['a step with a name only', [{ name: 'X' }, home], ['/steps/0 required']],
  ['a path and an event', [home, { path: '/x', event: 'X' }], ['/steps/1/event mismatch']],
  ['a kind without its field', [{ kind: 'event', path: '/x' }, home], ['/steps/0/event required', '/steps/0/path mismatch']],
  ['a value of no property', [home, { event: 'X', value: '1' }], ['/steps/1/property required']],
  [
    'a goal that is not there, with a path',
    [home, { goal_id: 'goal_x', path: '/x' }],
    ['/steps/1/goal_id not_found', '/steps/1/path mismatch'],
  ],
  [
    'faults of the form, all at once',
    [{ path: 'x' }, { event: '', colour: 1 }],
    ['/steps/0/path invalid_format', '/steps/1/colour unknown_field', '/steps/1/event too_short'],
  ],
]

onAnyEngine('Funnels', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const pathOf = (world: World, id = '') => `/sites/${world.ids.site}/funnels${id && `/${id}`}`
  const create = (world: World, body: object) => call('POST', pathOf(world), world.token, { name: 'New', ...body })

  for (const [says, given, step] of steps) {
    test(`a step is ${says}`, async () => {
      const world = await makeWorld(service)
      const made = await create(world, { steps: [home, given] })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.body.data.steps, [
        { ...nothing, kind: 'page', path: '/' },
        { ...nothing, ...step },
      ])
      assert.match(made.body.data.id, /^fun_/)
      const again = await call('PATCH', pathOf(world, made.body.data.id), world.token, made.body.data)
      assert.deepEqual([again.status, again.body.data], [200, made.body.data], 'what was read can be sent back')
    })
  }

  for (const [says, given, faults] of refused) {
    test(`refuses ${says}`, async () => {
      const reply = await create(await makeWorld(service), { steps: given })
      assert.deepEqual(codeOf(reply), [422, 'validation_failed'])
      assert.deepEqual(faultsOf(reply).sort(), faults)
    })
  }

  test('a goal of another site is as unknown as one that is nowhere', async () => {
    const [world, foreign] = [await makeWorld(service), await makeWorld(service)]
    const messages = await Promise.all(
      [foreign.ids.goal, 'goal_x'].map(async goal_id => {
        const reply = await create(world, { steps: [home, { goal_id }] })
        return reply.text.replaceAll(goal_id ?? '', '')
      }),
    )
    assert.equal(messages[0], messages[1])
  })

  test('a name is taken once in a site; a change keeps what it does not name', async () => {
    const world = await makeWorld(service)
    const made = (await create(world, { steps: [home, home] })).body.data
    assert.deepEqual(codeOf(await create(world, { steps: [home, home] })), [422, 'already_exists'])
    const change = (body: object) => call('PATCH', pathOf(world, made.id), world.token, body)
    assert.deepEqual(codeOf(await change({ name: 'To sign-up' })), [422, 'already_exists'])
    assert.deepEqual((await change({ name: 'Other' })).body.data, { ...made, name: 'Other' })
    const three = (await change({ steps: [home, home, { event: 'X' }] })).body.data
    assert.deepEqual([three.name, three.steps.length], ['Other', 3])
    assert.deepEqual((await change({ steps: [home] })).status, 422)
    assert.equal((await call('DELETE', pathOf(world, made.id), world.token)).status, 200)
    assert.equal((await call('GET', pathOf(world, made.id), world.token)).status, 404)
  })

  test('a goal that is a step is not deleted', async () => {
    const world = await makeWorld(service)
    const goal = `/sites/${world.ids.site}/goals/${world.ids.goal}`
    const made = (await create(world, { steps: [home, { goal_id: world.ids.goal }] })).body.data
    const refused = await call('DELETE', goal, world.token)
    assert.deepEqual(codeOf(refused), [422, 'invalid_state'])
    assert.match(refused.body.error.message, /"New"/)
    await call('DELETE', pathOf(world, made.id), world.token)
    assert.equal((await call('DELETE', goal, world.token)).status, 200)
  })
})

/** Arguments without a value: many models send every argument of a tool, those that they do not need as `null` or "". */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isTool } from '../../../adapters/mcp/tools.ts'
import { withoutBlanks } from '../../../runtime/call/blank-arguments.ts'
import { table } from '../../../operations/index.ts'
import { engines } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { fill, makeWorld, makeWorldOf, refusals, startService, type TestService, type World } from '../../support/world.ts'
import { message, post } from './served.ts'

const [sqlite] = engines
const tools = [...table.operations.values()].filter(isTool)

describe('blank arguments', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(sqlite!)
    world = await makeWorld(service)
  })
  after(() => service.close())

  /** The arguments of the example, and every other optional one without a value. */
  const padded = (operation: (typeof tools)[number], input: Record<string, unknown>, blank: null | '') => {
    const { properties, required = [] } = operation.input
    const optional = Object.keys(properties).filter(
      name => !(name in input) && (!required.includes(name) || 'default' in properties[name]!),
    )
    return { ...Object.fromEntries(optional.map(name => [name, blank])), ...input }
  }
  const steady = (body: unknown) => JSON.stringify(body).replace(/"(generated_at|now|counted_at)":"[^"]*"/g, '')

  for (const operation of tools.filter(({ effect, audited, id }) => effect === 'read' && !audited && !(id in refusals))) {
    test(`${operation.id} answers the same with every other argument null or empty`, async () => {
      const input = fill(operation.examples[0]!.input, world) as Record<string, unknown>
      const { body, isError } = await callTool(service, operation.id, input, world.token)
      assert.equal(isError, false)
      for (const blank of [null, ''] as const) {
        const answer = await callTool(service, operation.id, padded(operation, input, blank), world.token)
        assert.equal(steady(answer.body), steady(body), `${JSON.stringify(blank)}: ${JSON.stringify(answer.body.error)}`)
      }
    })
  }

  for (const operation of tools.filter(({ effect, id }) => effect === 'create' && !(id in refusals))) {
    test(`${operation.id} is not refused for arguments that are null or empty`, async () => {
      for (const blank of [null, ''] as const) {
        const fresh = await makeWorldOf(service, operation)
        const input = fill(operation.examples[0]!.input, fresh) as Record<string, unknown>
        const { body, isError } = await callTool(service, operation.id, padded(operation, input, blank), fresh.token)
        assert.equal(isError, false, JSON.stringify(body.error))
      }
    })
  }

  test('A change keeps the meaning of null and of an empty text, and ignores other blanks', async () => {
    const change = async (input: object) => (await callTool(service, 'goals_update', { id: world.ids.goal, ...input }, world.token)).body
    const before = (await change({})).data
    assert.deepEqual((await change({ name: '', kind: null })).data, before)
    const described = async (description: string | null) =>
      (await callTool(service, 'status_pages_update', { id: world.ids.status_page, description }, world.token)).body.data.description
    assert.equal(await described('All services'), 'All services')
    assert.ok([null, ''].includes(await described('')))
  })

  test('Path parameters that are null or empty are left out', async () => {
    for (const blank of [null, '']) {
      const site = await callTool(service, 'sites_get', { site_id: blank }, world.token)
      assert.equal(site.body.data?.id, world.ids.site, JSON.stringify(site.body))
      const goal = await callTool(service, 'goals_get', { id: blank }, world.token)
      assert.equal(goal.body.error.details[0].code, 'required')
    }
  })

  test('An argument that the tool does not have is left out if it is null or empty, and a fault otherwise', async () => {
    for (const cursor of [null, '']) assert.ok((await callTool(service, 'goals_list', { cursor }, world.token)).body.data)
    const { body } = await callTool(service, 'goals_list', { cursor: 'x' }, world.token)
    assert.deepEqual([body.error.details[0].pointer, body.error.details[0].code], ['/cursor', 'unknown_field'])
  })

  test('A required argument that is null or empty is still a fault', async () => {
    for (const name of [null, '']) {
      const { body } = await callTool(service, 'segments_create', { name, filters: [['country', 'is', 'DE']] }, world.token)
      assert.equal(body.error.details[0].pointer, '/name')
    }
  })

  test('Nested fields are treated alike, and the given arguments stay unchanged', () => {
    const { input } = table.operations.get('funnels_create')!
    const given = { name: 'x', steps: [{ goal_id: '', path: '/a', value: null }, { nope: null }], __proto__: null }
    const copy = structuredClone({ ...given })
    const { steps } = withoutBlanks(input, given, { changes: false }) as { steps: object[] }
    assert.deepEqual(steps[1], { nope: null })
    assert.ok(!('goal_id' in steps[0]!))
    assert.deepEqual({ ...given }, copy)
  })

  test('Lists take a cursor that is null or empty, and refuse any other', async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      const ask = async (cursor: unknown) => (await post(service, message(method, { cursor }), { token: world.token })).body
      for (const cursor of [null, '', undefined]) assert.ok((await ask(cursor)).result, method)
      assert.equal((await ask('x')).error.code, -32602)
    }
  })

  test('The two tools of the search mode, prompts and completions take them as well', async () => {
    const ask = async (method: string, params: object) =>
      (await post(service, message(method, params), { token: world.token, query: '?mode=search' })).body
    const search = await ask('tools/call', { name: 'tools_search', arguments: { query: 'visitors', limit: null, name: '' } })
    assert.ok(search.result.structuredContent.data.length > 0, JSON.stringify(search))
    const called = await ask('tools/call', { name: 'tools_call', arguments: { name: 'sites_list', arguments: null } })
    assert.equal(called.result.structuredContent.data[0].id, world.ids.site, JSON.stringify(called))
    assert.ok((await ask('prompts/get', { name: 'weekly_review', arguments: null })).result)
    assert.ok((await ask('prompts/get', { name: 'weekly_review', arguments: { site: null } })).result)
    const completed = await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'weekly_review' },
      argument: { name: 'site', value: null },
      context: null,
    })
    assert.ok(completed.result, JSON.stringify(completed))
  })

  test('The address may end with a slash', async () => {
    const response = await service.web.request('/mcp/?toolsets=sites', {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.token}` },
      body: JSON.stringify(message('tools/list')),
    })
    assert.equal(response.status, 200)
    assert.ok((await response.json()).result.tools.length > 0)
    const read = await service.web.request('/mcp/')
    assert.deepEqual([read.status, read.headers.get('allow')], [405, 'POST'])
  })
})

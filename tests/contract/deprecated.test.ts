/** A deprecated operation is reported as such on every surface, with its replacement and its end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandsOf } from '../../adapters/cli/commands.ts'
import { commandHelp } from '../../adapters/cli/help.ts'
import { clientTypes } from '../../adapters/client/client.ts'
import { describeTools } from '../../adapters/mcp/tools.ts'
import { table } from '../../operations/index.ts'
import type { Deprecation } from '../../runtime/table/operation-fields.ts'
import { defineTable, type Table } from '../../runtime/table/table.ts'
import { message, post } from '../adapters/mcp/served.ts'
import { onAnyEngine } from '../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

const withDeprecation = (deprecated: Deprecation): Table =>
  defineTable(
    table.areas.map(area => ({
      ...area,
      operations: [area.operations ?? []].flat().map(({ goals_list, ...others }) => ({
        ...others,
        ...(goals_list && { goals_list: { ...goals_list, deprecated } }),
      })),
    })),
  )
const sentence = 'Deprecated since 2026-12-01. Use segments_list. A release may remove it from 2027-12-01 on.'

onAnyEngine('a deprecated operation', engine => {
  const brought = withDeprecation({ since: '2026-12-01', until: '2027-12-01', instead: 'segments_list' })
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine, {}, brought)
    world = await makeWorld(service)
  })
  after(() => service.close())

  test('answers with Deprecation, Sunset and a link to the policy, also if it refuses', async () => {
    const answers = [
      await request(service, 'GET', `/sites/${world.ids.site}/goals.json`, { token: world.token }),
      await request(service, 'GET', `/sites/${world.ids.site}/goals.json?per_page=x`, { token: world.token }),
    ]
    for (const [i, { status, headers }] of answers.entries()) {
      assert.equal(status, [200, 422][i])
      assert.equal(headers.get('deprecation'), '@1796083200')
      assert.equal(headers.get('sunset'), 'Wed, 01 Dec 2027 00:00:00 GMT')
      assert.match(headers.get('link') ?? '', /<http:\/\/footfall\.test\/documentation\/api#deprecation>; rel="deprecation"/)
    }
    const other = await request(service, 'GET', `/sites/${world.ids.site}/segments.json`, { token: world.token })
    assert.deepEqual([other.headers.get('deprecation'), other.headers.get('sunset')], [null, null])
  })

  test('is described so in the OpenAPI file, to agents, in the typed client and in the help of the command', async () => {
    const { body } = await request(service, 'GET', '/openapi.json')
    const { get } = body.paths['/sites/{site_id}/goals.json']
    assert.deepEqual([get.deprecated, get.description.startsWith(sentence)], [true, true])
    const listed = await post(service, message('tools/list'), { token: world.token })
    const described = (tools: { name: string; description: string }[]) => tools.find(({ name }) => name === 'goals_list')?.description
    assert.ok(described(listed.body.result.tools)?.includes(sentence))
    assert.ok(described(describeTools(brought) as never)?.includes(sentence))
    const found = await post(service, message('tools/call', { name: 'tools_search', arguments: { query: 'list goals' } }), {
      token: world.token,
      query: '?mode=search',
    })
    assert.ok(JSON.stringify(found.body.result.structuredContent).includes('Deprecated since 2026-12-01'))
    const command = commandsOf(body).find(({ id }) => id === 'goals_list') ?? assert.fail('there is no command')
    assert.ok(commandHelp(command).includes(`List the goals of a site.\n\n${sentence}`), commandHelp(command))
    assert.ok(clientTypes(brought, '').includes(` * @deprecated ${sentence}\n`))
  })
})

test('a deprecation names days in their order, and an operation that is there', () => {
  for (const [deprecated, fault] of [
    [{ since: '2026-12-01', instead: 'goals_of_old' }, /goals_of_old/],
    [{ since: 'soon' }, /soon/],
    [{ since: '2026-12-01', until: '2026-11-01' }, /until/],
  ] as const)
    assert.throws(() => withDeprecation(deprecated), fault)
})

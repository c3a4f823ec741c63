/** The list of tools: rules for every tool, who sees which, and how a URL filters it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { carriedBy } from '../../../adapters/surfaces.ts'
import { byId, describeTools, isTool } from '../../../adapters/mcp/tools.ts'
import { table } from '../../../operations/index.ts'
import { mayBeLeftOut } from '../../../runtime/call/complete-path.ts'
import { isPermission, type Role, roleNames, roles } from '../../../runtime/table/permissions.ts'
import { engines } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { message, post } from './served.ts'

const tools = describeTools(table)
/** POST operations that lose an earlier state: an order, names, channels of past visits, begun work, a way to sign in. */
const discarding = [
  'channel_applications_cancel',
  'channel_rules_apply',
  'channel_rules_reorder',
  'events_merge',
  'exports_cancel',
  'workspace_imports_cancel',
  'workspace_exports_cancel',
  'imports_cancel',
  'sites_merge',
  'sites_transfer_offer',
  'sso_deactivate',
  'traffic_rules_apply',
  'visits_erase',
]
const [sqlite] = engines

describe('every tool', () => {
  test('is an operation, and every operation of this surface is one, sorted by name', () => {
    assert.deepEqual(
      tools.map(tool => tool.name),
      [...table.operations.values()]
        .filter(row => carriedBy('mcp', row))
        .map(row => row.id)
        .sort(),
    )
    assert.ok(!tools.some(tool => ['tools_search', 'tools_call'].includes(tool.name)), 'a name that ?mode=search takes')
  })

  for (const tool of tools) {
    test(`${tool.name} is one that every client takes`, () => {
      const operation = table.operations.get(tool.name)!
      assert.match(tool.name, /^[a-z_]{1,64}$/)
      assert.ok(tool.title.length > 0 && tool.description.includes(tool.title))
      if (isPermission(operation.access)) assert.match(tool.description, new RegExp(`permission ${operation.access}`))
      const { inputSchema: input, outputSchema: output } = tool
      for (const schema of [input, output]) {
        assert.equal(schema.type, 'object')
        for (const keyword of ['$ref', '$defs', 'anyOf', 'oneOf', 'allOf', 'not', 'if']) assert.ok(!(keyword in schema), keyword)
        assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema, 'plain JSON')
        assert.doesNotMatch(JSON.stringify(schema), /"\$(ref|id)":/)
      }
      assert.ok(JSON.stringify(input).length < 16_384)
      assert.equal(input.additionalProperties, false)
      const properties = input.properties as Record<string, { description?: string; default?: unknown }>
      assert.deepEqual(
        Object.keys(properties).sort(),
        [...Object.keys(operation.pathInput), ...Object.keys(operation.input.properties)].sort(),
      )
      for (const [name, property] of Object.entries(properties)) assert.ok(property.description, `${name} has a description`)
      const required = (input.required ?? []) as string[]
      for (const name of required) assert.ok(properties[name] && properties[name].default === undefined, `${name} must be sent`)
      for (const name of Object.keys(operation.pathInput))
        assert.equal(required.includes(name), !mayBeLeftOut(operation, name), `${name}: required unless it may be left out`)
      assert.deepEqual(Object.keys(output.properties as object), ['data', 'meta', 'error'])
      assert.doesNotMatch(JSON.stringify(output), /"additionalProperties":false/)
      const { readOnlyHint, destructiveHint, openWorldHint } = tool.annotations
      assert.equal(readOnlyHint, operation.effect === 'read')
      assert.equal(destructiveHint, operation.effect === 'delete' || operation.method === 'PATCH' || discarding.includes(tool.name))
      assert.equal(openWorldHint, operation.contacts)
      if (readOnlyHint) assert.deepEqual([destructiveHint, openWorldHint], [false, false])
    })
  }
})

describe('the list', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(sqlite!)
    world = await makeSite(service)
  })
  after(() => service.close())

  const list = async (token: string, query = ''): Promise<string[]> =>
    (await post(service, message('tools/list'), { token, query })).body.result.tools.map((tool: { name: string }) => tool.name)

  for (const role of roleNames) {
    test(`shows ${role} what ${role} may`, async () => {
      const names = await list(await world.tokenFor(role))
      const held: readonly string[] = roles[role satisfies Role].permissions
      const expected = [...table.operations.values()]
        .filter(
          row =>
            isTool(row) && (!isPermission(row.access) || held.includes(row.access)) && (typeof row.role !== 'string' || row.role === role),
        )
        .sort(byId)
      assert.deepEqual(
        names,
        expected.map(row => row.id),
      )
    })
  }

  test('shows a token no more than its own permissions, and calls no more', async () => {
    const token = await world.tokenFor('owner', { permissions: ['analytics.read'] })
    const names = await list(token)
    assert.ok(names.includes('sites_get') && !names.includes('sites_update'))
    const { isError, body } = await callTool(service, 'sites_update', { site_id: world.ids.site, name: 'x' }, token)
    assert.deepEqual([isError, body.error.code], [true, 'permission_denied'])
  })

  test('is the same at every time of asking', async () => {
    assert.deepEqual(
      await post(service, message('tools/list'), { token: world.token }).then(each => each.text),
      await post(service, message('tools/list'), { token: world.token }).then(each => each.text),
    )
  })

  test('is narrowed to toolsets, in any spelling, and to what only reads', async () => {
    const areas = async (query: string) =>
      [...new Set((await list(world.token, query)).map(name => table.operations.get(name)?.section))].sort()
    assert.deepEqual(await areas('?toolsets=sites,workspaces'), ['Sites', 'Workspaces'])
    assert.deepEqual(await areas('?toolsets=goals'), ['Goals', 'Sites'], 'with the list of sites, which its tools name')
    assert.deepEqual(await areas('?toolsets=Sites,%20workspaces'), ['Sites', 'Workspaces'])
    assert.deepEqual(await list(world.token, '?toolsets='), await list(world.token))
    const reading = await list(world.token, '?toolsets=sites&readonly=1')
    assert.ok(reading.length > 0 && reading.every(name => table.operations.get(name)?.effect === 'read'))
    assert.deepEqual(await list(world.token, '?readonly=0'), await list(world.token))
  })

  test('narrowed away is out of reach, also through tools_call', async () => {
    const direct = await post(service, message('tools/call', { name: 'sites_update', arguments: { site_id: world.ids.site } }), {
      token: world.token,
      query: '?readonly=1',
    })
    assert.equal(direct.body.error.code, -32602)
    const through = await post(
      service,
      message('tools/call', { name: 'tools_call', arguments: { name: 'sites_update', arguments: { site_id: world.ids.site } } }),
      { token: world.token, query: '?readonly=1&mode=search' },
    )
    assert.deepEqual([through.body.result.isError, through.body.result.structuredContent.error.details[0].code], [true, 'not_found'])
  })

  test('for every day reaches everything else by search, within the permissions of the token', async () => {
    const query = '?toolsets=everyday'
    const names = await list(world.token, query)
    assert.ok(!names.includes('retention_get') && names.includes('tools_search') && names.includes('tools_call'))
    const call = async (name: string, args: unknown, where = query, token = world.token) =>
      (await post(service, message('tools/call', { name, arguments: args }), { token, query: where })).body
    const { result: found } = await call('tools_search', { query: 'how many people come back' })
    assert.equal(found.structuredContent.data[0].name, 'retention_get')
    const { result: called } = await call('tools_call', { name: 'retention_get', arguments: { site_id: world.ids.site } })
    assert.ok(Array.isArray(called.structuredContent.data.cohorts))
    assert.match((await call('retention_get', {})).error.message, /tools_call calls it here/)

    const rename = { name: 'sites_update', arguments: { site_id: world.ids.site, name: 'x' } }
    const reading = await call('tools_call', rename, `${query}&readonly=1`)
    assert.equal(reading.result.structuredContent.error.details[0].code, 'not_found')
    const refused = await call('tools_call', rename, query, await world.tokenFor('viewer'))
    assert.equal(refused.result.structuredContent.error.code, 'permission_denied')
    assert.ok(!(await list(world.token, `${query}&mode=tools`)).includes('tools_search'))
    assert.equal((await call('tools_call', rename, `${query}&mode=tools`)).error.code, -32602)
  })

  test('takes the name of a group in the place of a site, in reports only', async () => {
    const { body } = await callTool(service, 'stats_aggregate', { site_id: 'all of them' }, world.token)
    assert.equal(typeof body.data?.metrics.visitors, 'number', JSON.stringify(body))
    const unknown = await callTool(service, 'stats_aggregate', { site_id: 'nowhere' }, world.token)
    assert.match(unknown.body.error.details[0].message, /All of them \(pa_/)
    const goal = { site_id: 'All of them', name: 'X', kind: 'page', path: '/x' }
    const refused = await callTool(service, 'goals_create', goal, world.token)
    assert.equal(refused.body.error.code, 'not_found')
    assert.doesNotMatch(refused.body.error.details[0].message, /All of them/)
    const restricted = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    assert.equal((await callTool(service, 'stats_aggregate', { site_id: 'All of them' }, restricted)).body.error.code, 'not_found')
  })

  test('a URL that asks for what there is not says what there is', async () => {
    for (const [query, wanted] of [
      ['?toolsets=sites,nope', /no toolset nope; toolsets are .*sites.*workspaces/],
      ['?readonly=maybe', /readonly must be one of .*1/],
      ['?mode=x', /mode must be one of .*search/],
    ] as const) {
      for (const body of [message('tools/list'), message('tools/call', { name: 'sites_get' }), message('initialize')]) {
        const answer = await post(service, body, { token: world.token, query })
        assert.deepEqual([answer.status, answer.body.error.code], [200, -32602])
        assert.match(answer.body.error.message, wanted)
      }
    }
  })

  describe('in search mode', () => {
    const call = async (name: string, args: unknown, token = world.token) =>
      (await post(service, message('tools/call', { name, arguments: args }), { token, query: '?mode=search' })).body.result

    test('holds two tools, honest about what they may do', async () => {
      const offered = async (query: string) => (await post(service, message('tools/list'), { token: world.token, query })).body.result.tools
      for (const [query, readonly] of [
        ['?mode=search', false],
        ['?mode=search&readonly=1', true],
      ] as const) {
        const both = await offered(query)
        assert.deepEqual(
          both.map((tool: any) => [tool.name, tool.annotations.readOnlyHint === true]),
          [
            ['tools_call', readonly],
            ['tools_search', true],
          ],
        )
        for (const tool of both) assert.deepEqual([tool.inputSchema.type, tool.inputSchema.additionalProperties], ['object', false])
      }
    })

    test('finds by what is asked for, and tells the arguments of one tool by its name', async () => {
      for (const [query, first] of [
        ['list sites', 'sites_list'],
        ['change a site', 'sites_update'],
        ['sites_delete', 'sites_delete'],
        ['DELETE WORKSPACE', 'workspaces_delete'],
      ] as const) {
        const { data } = (await call('tools_search', { query })).structuredContent
        assert.equal(data[0].name, first)
        assert.ok(data.length <= 5 && !('input_schema' in data[0]))
        const one = (await call('tools_search', { name: first })).structuredContent
        const { tools: listed } = (await post(service, message('tools/list'), { token: world.token })).body.result
        const { inputSchema } = listed.find((tool: { name: string }) => tool.name === first)
        assert.deepEqual(Object.keys(one.data[0].input_schema.properties), Object.keys(inputSchema.properties))
      }
      assert.equal((await call('tools_search', { name: 'nope' })).structuredContent.error.details[0].code, 'not_found')
      assert.deepEqual((await call('tools_search', { query: 'zyzzyva' })).structuredContent, { data: [], meta: { total: 0 } })
    })

    test('without a query names every tool the token may call, and no other', async () => {
      const token = await world.tokenFor('owner', { permissions: ['analytics.read'] })
      const { data, meta } = (await call('tools_search', { limit: 50 }, token)).structuredContent
      const names = await list(token)
      assert.equal(meta.total, names.length)
      assert.deepEqual(
        data.map((each: { name: string }) => each.name),
        names.slice(0, 50),
      )
    })

    test('calls as the tool itself would', async () => {
      const through = await call('tools_call', { name: 'sites_get', arguments: { site_id: world.ids.site } })
      const direct = await callTool(service, 'sites_get', { site_id: world.ids.site }, world.token)
      assert.deepEqual(through.structuredContent, direct.body)
      const without = await call('tools_call', { name: 'workspaces_list' })
      assert.equal(without.structuredContent.data[0].id, world.ids.workspace)
      const viewer = await world.tokenFor('viewer')
      assert.equal(
        (await call('tools_call', { name: 'sites_update', arguments: { site_id: world.ids.site, name: 'x' } }, viewer)).structuredContent
          .error.code,
        'permission_denied',
      )
    })

    test('says what is wrong with its own arguments, all at once', async () => {
      const faults = async (name: string, args: unknown) => {
        const {
          isError,
          structuredContent: { error },
        } = await call(name, args)
        assert.equal(isError, true)
        return error.details.length > 0 ? error.details.map((detail: any) => `${detail.pointer} ${detail.code}`).sort() : error.code
      }
      assert.deepEqual(await faults('tools_search', { query: 5, limit: 500, more: 1 }), [
        '/limit too_large',
        '/more unknown_field',
        '/query invalid_type',
      ])
      assert.deepEqual(await faults('tools_call', { site_id: 'x' }), ['/name required', '/site_id unknown_field'])
      assert.deepEqual(await faults('tools_call', { name: 'nope' }), ['/name not_found'])
      assert.deepEqual(await faults('tools_call', { name: 'sites_get', arguments: 'x' }), ['/arguments invalid_type'])
      for (const args of [[], 'x', 5, true])
        for (const name of ['tools_call', 'tools_search']) assert.equal(await faults(name, args), 'invalid_json')
    })
  })

  describe('a call', () => {
    test('takes its path from the arguments, and says what is missing', async () => {
      const { isError, body } = await callTool(service, 'goals_get', { site_id: world.ids.site }, world.token)
      assert.deepEqual([isError, body.error.details[0].pointer, body.error.details[0].code], [true, '/id', 'required'])
      assert.equal((await callTool(service, 'sites_get', { site_id: 5 }, world.token)).body.error.details[0].code, 'invalid_type')
    })

    test('with arguments that are no object fails in the envelope; none and null are no arguments', async () => {
      for (const args of [[], 'x', 5, true])
        assert.equal((await callTool(service, 'workspaces_list', args, world.token)).body.error.code, 'invalid_json')
      for (const args of [undefined, null, {}]) assert.equal((await callTool(service, 'workspaces_list', args, world.token)).isError, false)
    })

    test('is done once for one idempotency key, in _meta or in the header', async () => {
      const create = (domain: string, { meta, header }: { meta?: unknown; header?: string }) =>
        post(
          service,
          message('tools/call', {
            name: 'sites_create',
            arguments: { workspace_id: world.ids.workspace, domain },
            ...(meta === undefined ? {} : { _meta: { 'footfall/idempotency-key': meta } }),
          }),
          { token: world.token, headers: header ? { 'Idempotency-Key': header } : {} },
        ).then(({ body }) => body.result.structuredContent)
      const first = await create('once.example.org', { meta: 'k1' })
      assert.ok(first.data.id)
      assert.deepEqual(await create('once.example.org', { meta: 'k1' }), first)
      assert.deepEqual(await create('once.example.org', { header: 'k1' }), first)
      assert.equal((await create('twice.example.org', { meta: 'k1', header: 'k2' })).error.code, 'idempotency_key_reused')
      assert.equal((await create('thrice.example.org', { meta: 5 })).error.code, 'validation_failed')
      const sites = await request(service, 'GET', `/workspaces/${world.ids.workspace}/sites?search=once.example.org`, {
        token: world.token,
      })
      assert.equal(sites.body.meta.total, 1)
    })

    test('is in the audit log as one over MCP', async () => {
      await callTool(service, 'sites_update', { site_id: world.ids.site, name: 'Audited' }, world.token)
      const entries = await service.store.read.selectFrom('audit_entries').selectAll().where('operation', '=', 'sites_update').execute()
      assert.ok(entries.length > 0 && entries.every(entry => entry.surface === 'mcp'))
    })
  })
})

/** Prompts and resources, as the clients of both SDKs see them, in both eras of the protocol. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '../../../tools/mcp-client-2.mjs'
import { Client as Client1, StreamableHTTPClientTransport as Transport1 } from '../../../tools/mcp-client-1.mjs'
import { table } from '../../../operations/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeWorld, startService, type TestService, type World } from '../../support/world.ts'
import { envelope, listen, message, mirrored, post } from './served.ts'

type Ref = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

const me = { name: 'test', version: '1.0.0' }
const bearer = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

const clients = {
  async 'SDK 1.x'(url: URL, token: string) {
    const client = new Client1(me)
    await client.connect(new Transport1(url, bearer(token)))
    return client
  },
  async 'SDK 2.x with a handshake'(url: URL, token: string) {
    const client = new Client2(me, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(new Transport2(url, bearer(token)))
    return client
  },
  async 'SDK 2.x, stateless'(url: URL, token: string) {
    const client = new Client2(me, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new Transport2(url, bearer(token)))
    return client
  },
}

onAnyEngine('prompts and resources', engine => {
  let service: TestService
  let world: World
  let other: World
  let served: Awaited<ReturnType<typeof listen>>
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    other = await makeWorld(service)
    served = await listen(service)
  })
  after(async () => {
    await served.close()
    await service.close()
  })

  for (const [name, connect] of Object.entries(clients)) {
    describe(name, () => {
      let client: Awaited<ReturnType<typeof connect>>
      before(async () => {
        client = await connect(served.url, world.token)
      })
      after(() => client.close())

      test('starts a task with a prompt', async () => {
        const { prompts } = await client.listPrompts()
        assert.deepEqual(
          prompts.map(prompt => prompt.name),
          ['set_up_a_site', 'weekly_review', 'why_did_it_change'],
        )
        const { messages } = await client.getPrompt({ name: 'weekly_review', arguments: { site: 'shop.example.com' } })
        const [first] = messages
        assert.ok(first?.role === 'user' && first.content.type === 'text')
        assert.match(first.content.text, /of the site shop\.example\.com/)
        await assert.rejects(client.getPrompt({ name: 'set_up_a_site' }), /needs the argument domain/)
        await assert.rejects(client.getPrompt({ name: 'nope' }), /There is no prompt nope; prompts are set_up_a_site/)
      })

      test('completes what is typed for a prompt and for the address of a resource', async () => {
        const values = async (ref: Ref, name: string, value: string, given: Record<string, string> = {}) =>
          (await client.complete({ ref, argument: { name, value }, context: { arguments: given } })).completion.values
        const { domain = '', goal } = world.ids
        const why: Ref = { type: 'ref/prompt', name: 'why_did_it_change' }
        assert.deepEqual(await values(why, 'site', domain.slice(0, 3).toUpperCase()), [domain])
        assert.deepEqual(await values(why, 'site', other.ids.domain ?? ''), [])
        assert.deepEqual(await values(why, 'when', 'last'), ['last month', 'last quarter', 'the last seven days', 'the last 30 days'])
        const named = (await callTool(service, 'goals_get', { id: goal }, world.token)).body.data.name
        assert.ok((await values(why, 'what', '')).includes(named))
        assert.ok((await values(why, 'what', '', { site: domain })).includes(named))
        assert.ok(!(await values(why, 'what', '', { site: other.ids.domain ?? '' })).includes(named))
        assert.deepEqual(await values({ type: 'ref/resource', uri: 'footfall://sites/{id}' }, 'id', ''), [domain])
        const reports = await values({ type: 'ref/resource', uri: 'footfall://reports/{tool}' }, 'tool', 'stats_b')
        assert.deepEqual(reports, ['stats_breakdown'])
        await assert.rejects(values({ type: 'ref/prompt', name: 'nope' }, 'site', ''), /no argument site of a prompt nope/)
        await assert.rejects(values(why, 'constructor', ''), /no argument constructor/)
        await assert.rejects(values({ type: 'ref/resource', uri: 'file:///etc' }, 'id', ''), /no argument id of a resource/)
      })

      test('reads about every report, and the sites', async () => {
        const { resources } = await client.listResources()
        const uris = resources.map(resource => resource.uri)
        const reports = [...table.operations.values()].filter(({ answers }) => answers.kind === 'report')
        for (const { id } of reports) assert.ok(uris.includes(`footfall://reports/${id}`), id)
        const site = resources.find(resource => resource.uri === `footfall://sites/${world.ids.site}`)
        assert.equal(site?.name, world.ids.domain)
        const page = await client.readResource({ uri: 'footfall://reports/stats_breakdown' })
        const [{ text } = { text: '' }] = page.contents as { text: string }[]
        for (const part of ['# stats_breakdown: ', '`dimension`', 'required', '## Examples']) assert.ok(text.includes(part), part)
        for (const at of [world.ids.site, world.ids.domain]) {
          const read = await client.readResource({ uri: `footfall://sites/${at}` })
          assert.equal(JSON.parse((read.contents as { text: string }[])[0]?.text ?? '{}').id, world.ids.site)
        }
        const { resourceTemplates } = await client.listResourceTemplates()
        assert.deepEqual(
          resourceTemplates.map(template => template.uriTemplate),
          ['footfall://sites/{id}', 'footfall://reports/{tool}'],
        )
      })

      test('reads nothing of others, and nothing that is not there', async () => {
        const { resources } = await client.listResources()
        assert.ok(!JSON.stringify(resources).includes(String(other.ids.site)))
        for (const uri of [
          `footfall://sites/${other.ids.site}`,
          'footfall://sites/',
          'footfall://reports/sites_list',
          'file:///etc/passwd',
          'x',
        ])
          await assert.rejects(client.readResource({ uri }), /There is no resource/, uri)
      })
    })
  }

  test('a token without permission sees no report and no site', async () => {
    const token = await world.tokenFor('owner', { permissions: ['sites.manage'] })
    const { body } = await post(service, message('resources/list'), { token })
    assert.deepEqual(body.result.resources, [])
    const read = await post(service, message('resources/read', { uri: `footfall://sites/${world.ids.site}` }), { token })
    assert.deepEqual([read.body.error.code, read.body.error.data.uri], [-32002, `footfall://sites/${world.ids.site}`])
  })

  test('every prompt names tools that there are', () => {
    for (const [name, prompt] of table.prompts) {
      const text = prompt.text(Object.fromEntries(Object.keys(prompt.arguments).map(argument => [argument, 'x'])))
      for (const [tool] of text.matchAll(/\b[a-z]+_[a-z_]+\b/g))
        assert.ok(table.operations.has(tool) || ['previous_period', 'no_data'].includes(tool), `${name}: ${tool}`)
    }
  })

  test('without a token nothing is returned, and unknown arguments are refused', async () => {
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list', 'prompts/get', 'resources/read'])
      assert.equal((await post(service, message(method))).status, 401, method)
    const ask = (method: string, params: unknown) => post(service, message(method, params), { token: world.token })
    for (const [method, params] of [
      ['prompts/get', {}],
      ['prompts/get', { name: '__proto__' }],
      ['prompts/get', { name: 'weekly_review', arguments: [] }],
      ['prompts/get', { name: 'weekly_review', arguments: { site: 5 } }],
      ['prompts/get', { name: 'weekly_review', arguments: { site: 'x'.repeat(501) } }],
      ['prompts/get', { name: 'weekly_review', arguments: { nope: 'x' } }],
      ['resources/read', {}],
      ['resources/list', { cursor: 'x' }],
    ] as const)
      assert.equal((await ask(method, params)).body.error.code, -32602, JSON.stringify(params))
  })

  test('in the stateless era headers repeat what is read, and a resource that is not there is a wrong parameter', async () => {
    const uri = `footfall://sites/${world.ids.site}`
    const read = (asked: string, headers: Record<string, string>) =>
      post(service, message('resources/read', { uri: asked, _meta: envelope }), { token: world.token, headers })
    const { body } = await read(uri, mirrored('resources/read', uri))
    assert.deepEqual([body.result.resultType, body.result.cacheScope, body.result.ttlMs], ['complete', 'private', 0])
    assert.equal((await read(uri, mirrored('resources/read'))).body.error.code, -32020)
    assert.equal((await read('x', mirrored('resources/read', 'x'))).body.error.code, -32602)
    const prompt = message('prompts/get', { name: 'weekly_review', _meta: envelope })
    assert.equal((await post(service, prompt, { token: world.token, headers: mirrored('prompts/get', 'other') })).body.error.code, -32020)
  })
})

/** Both SDKs' clients over a socket: their lists, calls and errors match the service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { carriedBy } from '../../../adapters/surfaces.ts'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '../../../tools/mcp-client-2.mjs'
import { Client as Client1, StreamableHTTPClientTransport as Transport1 } from '../../../tools/mcp-client-1.mjs'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull, someOf, testIfFullOr } from '../../support/full.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { listen } from './served.ts'

interface Connected {
  readonly version: string | undefined
  readonly server: { name: string } | undefined
  readonly instructions: string | undefined
  list(): Promise<Array<{ name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined }>>
  call(name: string, args?: Record<string, unknown>): Promise<any> // any, so that tests can read any field
  close(): Promise<void>
}

const me = { name: 'test', version: '1.0.0' }
const bearer = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

async function sdk1(url: URL, token: string): Promise<Connected> {
  const client = new Client1(me)
  const transport = new Transport1(url, bearer(token))
  await client.connect(transport)
  return {
    version: transport.protocolVersion,
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args) => client.callTool({ name, arguments: args ?? {} }),
    close: () => client.close(),
  }
}

const sdk2 =
  (mode: 'legacy' | 'auto' | { pin: string }) =>
  async (url: URL, token: string): Promise<Connected> => {
    const client = new Client2(me, { versionNegotiation: { mode } })
    const transport = new Transport2(url, bearer(token))
    await client.connect(transport)
    return {
      version: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion(),
      instructions: client.getInstructions(),
      list: async () => (await client.listTools()).tools,
      call: async (name, args) => client.callTool({ name, arguments: args ?? {} }),
      close: () => client.close(),
    }
  }

const clients: ReadonlyArray<readonly [string, string, (url: URL, token: string) => Promise<Connected>]> = [
  ['SDK 1.x', '2025-11-25', sdk1],
  ['SDK 2.x with a handshake', '2025-11-25', sdk2('legacy')],
  ['SDK 2.x as it likes', '2026-07-28', sdk2('auto')],
  ['SDK 2.x, stateless', '2026-07-28', sdk2({ pin: '2026-07-28' })],
]

onAnyEngine('clients of MCP', engine => {
  let service: TestService
  let world: World
  let served: Awaited<ReturnType<typeof listen>>
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    served = await listen(service)
  })
  after(async () => {
    await served.close()
    await service.close()
  })

  for (const [name, version, connect] of someOf(clients, 2)) {
    describe(name, () => {
      let client: Connected
      before(async () => {
        client = await connect(served.url, world.token)
      })
      after(() => client.close())

      test('arrives', () => {
        assert.deepEqual([client.version, client.server?.name], [version, 'footfall'])
        assert.match(client.instructions ?? '', /workspace/)
      })

      // Checking all schemas takes 3 s of CPU time; a normal run checks the schemas of everyday tools.
      testIfFullOr(name === 'SDK 1.x')('lists every tool, sorted, and checks answers against their schemas', async () => {
        const names = (await client.list()).map(tool => tool.name)
        const offered = [...service.app.table.operations.values()].filter(row => carriedBy('mcp', row)).map(row => row.id)
        assert.deepEqual(names, offered.sort())
        const typed = await connect(new URL(`?schemas=output${isFull ? '' : '&toolsets=everyday'}`, served.url), world.token)
        const described = (await typed.list()).map(tool => tool.name)
        assert.ok(isFull ? described.length === names.length : described.includes('sites_list'))
        const list = await typed.call('sites_list', { workspace_id: world.ids.workspace, per_page: 1 })
        assert.deepEqual(list.structuredContent.meta, { page: 1, per_page: 1, total: 1, total_pages: 1 })
        await typed.close()
        const { structuredContent, content, isError } = await client.call('sites_get', { site_id: world.ids.site })
        const http = await request(service, 'GET', `/sites/${world.ids.site}.json`, { token: world.token })
        assert.deepEqual(structuredContent, http.body)
        assert.deepEqual(content, [{ type: 'text', text: http.text }])
        assert.notEqual(isError, true)
      })

      test('is told of a failure in the result, also where it holds the answer to a schema', async () => {
        await client.list()
        const { isError, structuredContent, content } = await client.call('sites_list', {
          workspace_id: world.ids.workspace,
          per_page: 'many',
        })
        assert.equal(isError, true)
        assert.deepEqual([structuredContent.error.code, structuredContent.error.details[0].pointer], ['validation_failed', '/per_page'])
        assert.deepEqual(JSON.parse(content[0].text), structuredContent)
      })

      test('writes', async () => {
        const { structuredContent } = await client.call('sites_update', { site_id: world.ids.site, name: `Seen by ${name}` })
        assert.equal(structuredContent.data.name, `Seen by ${name}`)
      })

      test('hears of an unknown tool as a fault', async () => {
        await assert.rejects(client.call('no_such_tool'), /Unknown tool: no_such_tool/)
      })

      test('is narrowed by its URL, and hears of a toolset that is not there by those that are', async () => {
        const narrow = await connect(new URL('?toolsets=sites&readonly=1', served.url), world.token)
        const tools = await narrow.list()
        assert.ok(tools.some(tool => tool.name === 'sites_get') && tools.every(tool => tool.annotations?.readOnlyHint))
        await assert.rejects(narrow.call('sites_update', { site_id: world.ids.site }), /This address does not offer it/)
        await narrow.close()
        const lost = async () => (await connect(new URL('?toolsets=nope', served.url), world.token)).list()
        await assert.rejects(lost, /There is no toolset nope; toolsets are .*sites/)
      })

      test('searches where it cannot take every tool', async () => {
        const searching = await connect(new URL('?mode=search', served.url), world.token)
        assert.deepEqual(
          (await searching.list()).map(tool => tool.name),
          ['tools_call', 'tools_search'],
        )
        const { structuredContent } = await searching.call('tools_search', { query: 'list sites', limit: 3 })
        assert.equal(structuredContent.data[0].name, 'sites_list')
        const called = await searching.call('tools_call', { name: 'sites_get', arguments: { site_id: world.ids.site } })
        assert.equal(called.structuredContent.data.id, world.ids.site)
        await searching.close()
      })

      test('does not arrive without a token that is known', async () => {
        await assert.rejects(connect(served.url, `pat_${'x'.repeat(36)}`), /401|unauthorized|not known/i)
      })
    })
  }
})

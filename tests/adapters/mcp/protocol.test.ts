/** JSON-RPC on the wire, in both versions of the protocol. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../../support/world.ts'
import { envelope, message, mirrored, post } from './served.ts'

const [sqlite] = engines
const hello = (protocolVersion: string) =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })

describe('MCP over HTTP', () => {
  let service: TestService
  let world: World
  const send = (body: unknown, headers: Record<string, string> = {}) => post(service, body, { token: world.token, headers })
  before(async () => {
    service = await startService(sqlite!)
    world = await makeSite(service)
  })
  after(() => service.close())

  describe('the handshake, to 2025-11-25', () => {
    for (const version of ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      test(`${version} is spoken`, async () => {
        const { status, body, headers } = await send(hello(version))
        assert.equal(status, 200)
        assert.match(headers.get('content-type') ?? '', /^application\/json/)
        const { protocolVersion, serverInfo, capabilities, instructions } = body.result
        assert.deepEqual(
          [protocolVersion, serverInfo.name, capabilities],
          [version, 'footfall', { tools: {}, prompts: {}, resources: {}, completions: {} }],
        )
        assert.match(serverInfo.version, /^\d+\.\d+\.\d+$/)
        assert.match(instructions, /site/)
        assert.equal(headers.get('mcp-session-id'), null)
        assert.equal((await send(message('tools/list'), { 'Mcp-Protocol-Version': version })).status, 200)
      })
    }

    test('an unknown protocol version is answered with the newest', async () => {
      for (const version of ['1999-01-01', '2026-07-28', '2030-01-01'])
        assert.equal((await send(hello(version))).body.result.protocolVersion, '2025-11-25')
      assert.equal((await send(message('initialize'))).body.result.protocolVersion, '2025-11-25')
    })

    test('after initialization, an unknown protocol version is refused', async () => {
      const { status, body } = await send(message('tools/list'), { 'Mcp-Protocol-Version': '1999-01-01' })
      assert.deepEqual([status, body.error.code, body.error.data.requested], [400, -32022, '1999-01-01'])
      assert.ok(body.error.data.supported.includes('2025-11-25'))
    })

    test('ping is answered, notifications and responses accepted in silence', async () => {
      assert.deepEqual((await send(message('ping', undefined, 'a'))).body, { jsonrpc: '2.0', id: 'a', result: {} })
      for (const quiet of [
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 1, result: {} },
      ]) {
        const { status, text } = await send(quiet)
        assert.deepEqual([status, text], [202, ''])
      }
    })

    test('an unknown method is a fault of JSON-RPC, not of HTTP', async () => {
      for (const method of ['resources/subscribe', 'logging/setLevel', '__proto__', 'constructor']) {
        const { status, body } = await send(message(method))
        assert.deepEqual([status, body.id, body.error.code], [200, 1, -32601])
      }
    })
  })

  describe('stateless, from 2026-07-28', () => {
    const discover = message('server/discover', { _meta: envelope })

    test('server/discover says what is spoken and may be kept', async () => {
      const { status, body } = await send(discover, mirrored('server/discover'))
      assert.equal(status, 200)
      const { resultType, supportedVersions, capabilities, ttlMs, cacheScope, _meta } = body.result
      assert.deepEqual(
        [resultType, supportedVersions, capabilities, cacheScope],
        ['complete', ['2026-07-28'], { tools: {}, prompts: {}, resources: {}, completions: {} }, 'private'],
      )
      assert.ok(ttlMs > 0)
      assert.equal(_meta['io.modelcontextprotocol/serverInfo'].name, 'footfall')
    })

    test('a call and a list carry what this era asks of results, and those of the other era do not', async () => {
      const call = { name: 'sites_get', arguments: { site_id: world.ids.site } }
      const { status, body } = await send(message('tools/call', { ...call, _meta: envelope }), mirrored('tools/call', 'sites_get'))
      assert.deepEqual([status, body.result.resultType, body.result.structuredContent.data.id], [200, 'complete', world.ids.site])
      const list = await send(message('tools/list', { _meta: envelope }), mirrored('tools/list'))
      assert.deepEqual([list.body.result.cacheScope, list.body.result.resultType], ['private', 'complete'])
      const older = await send(message('tools/call', call))
      assert.deepEqual(Object.keys(older.body.result).sort(), ['content', 'structuredContent'])
    })

    const refused: ReadonlyArray<readonly [string, unknown, Record<string, string>, number, number]> = [
      ['no headers', discover, {}, 400, -32020],
      ['no Mcp-Method', discover, { 'Mcp-Protocol-Version': '2026-07-28' }, 400, -32020],
      ['another Mcp-Method', discover, mirrored('tools/list'), 400, -32020],
      ['another version in the header', discover, mirrored('server/discover', undefined, '2025-11-25'), 400, -32020],
      ['no Mcp-Name', message('tools/call', { name: 'sites_get', _meta: envelope }), mirrored('tools/call'), 400, -32020],
      [
        'another Mcp-Name',
        message('tools/call', { name: 'sites_get', _meta: envelope }),
        mirrored('tools/call', 'sites_list'),
        400,
        -32020,
      ],
      [
        'a notification with another Mcp-Method',
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: envelope } },
        mirrored('tools/call'),
        400,
        -32020,
      ],
      ['initialize with a header of this era', hello('2025-11-25'), mirrored('initialize'), 400, -32020],
      ['no _meta', message('tools/list'), mirrored('tools/list'), 400, -32602],
      [
        'no capabilities in _meta',
        message('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
        mirrored('tools/list'),
        400,
        -32602,
      ],
      [
        'a version that is no text',
        message('tools/list', { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': 5 } }),
        mirrored('tools/list'),
        400,
        -32602,
      ],
      [
        'a version to come',
        message('tools/list', { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }),
        mirrored('tools/list', undefined, '2031-01-01'),
        400,
        -32022,
      ],
      [
        'a version to come in the body, another in the header',
        message('tools/list', { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }),
        mirrored('tools/list'),
        400,
        -32020,
      ],
      [
        'a version of the handshake in the body, this era’s in the header',
        message('tools/list', { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } }),
        mirrored('tools/list'),
        400,
        -32020,
      ],
      ['a method of the other era', message('ping', { _meta: envelope }), mirrored('ping'), 404, -32601],
      ['an unknown method', message('nope', { _meta: envelope }), mirrored('nope'), 404, -32601],
    ]
    for (const [what, body, headers, status, code] of refused) {
      test(`${what}: ${code}`, async () => {
        const answer = await send(body, headers)
        assert.deepEqual([answer.status, answer.body.error.code], [status, code], answer.text)
      })
    }

    test('a name in base64 is read', async () => {
      const { body } = await send(
        message('tools/call', { name: 'sites_get', arguments: { site_id: world.ids.site }, _meta: envelope }),
        mirrored('tools/call', `=?base64?${Buffer.from('sites_get').toString('base64')}?=`),
      )
      assert.equal(body.result.structuredContent.data.id, world.ids.site)
    })
  })

  describe('malformed messages', () => {
    const malformed: ReadonlyArray<readonly [string, unknown, number]> = [
      ['no JSON', '{', -32700],
      ['nothing', '', -32700],
      ['a form', 'a=1&b=2', -32700],
      ['NUL', '\u0000', -32700],
      ['null', 'null', -32600],
      ['a number', 5, -32600],
      ['text', '"x"', -32600],
      ['an empty object', {}, -32600],
      ['no jsonrpc', { id: 1, method: 'ping' }, -32600],
      ['another jsonrpc', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
      ['a method that is no text', { jsonrpc: '2.0', id: 1, method: {} }, -32600],
      ['an id that is an object', message('ping', undefined, { a: 1 }), -32600],
      ['an id with a fraction', message('ping', undefined, 1.5), -32600],
      ['an id that is null', message('ping', undefined, null), -32600],
      ['params that are a list', message('tools/list', []), -32600],
      ['params that are text', message('tools/list', 'x'), -32600],
      ['a request without an id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'sites_get' } }, -32600],
      ['an empty batch', [], -32600],
      ['a batch without an end', Array.from({ length: 51 }, (_, i) => message('ping', undefined, i)), -32600],
    ]
    for (const [what, body, code] of malformed) {
      test(`${what}: ${code}, and 401 without a token`, async () => {
        const answer = await send(body)
        assert.deepEqual([answer.status, answer.body.error.code, answer.body.jsonrpc], [400, code, '2.0'], answer.text)
        assert.equal((await post(service, body)).status, 401)
      })
    }

    test('nesting without an end is no way to a 5xx', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
      for (const body of [
        deep,
        `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${deep}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sites_get","_meta":${deep}}}`,
      ]) {
        assert.ok((await send(body)).status < 500)
      }
    })

    test('a body over 1 MiB is 413', async () => {
      const { status, body } = await send(JSON.stringify(message('ping', { x: 'x'.repeat(1024 * 1024) })))
      assert.deepEqual([status, body.error.code], [413, 'payload_too_large'])
    })

    test('an unknown tool and a cursor are invalid parameters', async () => {
      for (const [method, params] of [
        ['tools/call', { name: 'no_such_tool' }],
        ['tools/call', {}],
        ['tools/call', { name: 5 }],
        ['tools/call', { name: '__proto__' }],
        ['tools/list', { cursor: 'x' }],
      ] as const) {
        const { status, body } = await send(message(method, params))
        assert.deepEqual([status, body.error.code], [200, -32602])
      }
    })
  })

  describe('a batch', () => {
    test('is answered one by one, notifications not at all', async () => {
      const call = message('tools/call', { name: 'sites_get', arguments: { site_id: world.ids.site } }, 'c')
      const { status, body } = await send([
        message('ping', undefined, 1),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        5,
        message('nope', undefined, 2),
        call,
      ])
      assert.equal(status, 200)
      assert.deepEqual(
        body.map((each: { id: unknown; error?: { code: number } }) => [each.id, each.error?.code]),
        [
          [1, undefined],
          [null, -32600],
          [2, -32601],
          ['c', undefined],
        ],
      )
      assert.equal(body[3].result.structuredContent.data.id, world.ids.site)
    })
    test('may have as many fields in each message as one alone', async () => {
      const params = { _meta: Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`key${i}`, 1])) }
      const { status, body } = await send([1, 2, 3].map(id => message('ping', params, id)))
      assert.deepEqual(
        [status, body.map((each: { id: unknown; result?: object }) => [each.id, each.result])],
        [
          200,
          [
            [1, {}],
            [2, {}],
            [3, {}],
          ],
        ],
      )
    })
    test('of notifications alone is accepted in silence', async () => {
      const { status, text } = await send([{ jsonrpc: '2.0', method: 'notifications/initialized' }])
      assert.deepEqual([status, text], [202, ''])
    })
    test('holds neither a handshake nor what is stateless', async () => {
      const { body } = await send([hello('2025-03-26')])
      assert.equal(body[0].error.code, -32600)
      const other = await send([message('tools/list', { _meta: envelope })], mirrored('tools/list'))
      assert.equal(other.body[0].error.code, -32600)
    })
  })

  describe('HTTP', () => {
    test('no token, a made-up one and one of another address are refused before anything is said', async () => {
      const list = message('tools/list')
      const none = await post(service, list)
      assert.deepEqual([none.status, none.body.error.code], [401, 'authentication_required'])
      assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata="http:\/\/footfall\.test\//)
      const elsewhere = await world.tokenFor('owner', { allowedIps: ['203.0.113.7'] })
      const call = message('tools/call', { name: 'sites_get', arguments: { site_id: world.ids.site } })
      for (const body of [
        list,
        call,
        [list],
        [call],
        hello('2025-11-25'),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        message('tools/call', { name: 'nope' }),
      ]) {
        const bad = await post(service, body, { token: `pat_${'x'.repeat(36)}` })
        assert.deepEqual([bad.status, bad.body.error.code], [401, 'invalid_token'])
        assert.match(bad.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
        const away = await post(service, body, { token: elsewhere })
        assert.deepEqual([away.status, away.body.error.code], [403, 'ip_not_allowed'])
      }
    })

    test('a page of another origin is refused, our own is not', async () => {
      const from = (Origin: string) => send(message('ping'), { Origin })
      for (const origin of ['http://evil.example', 'null', 'http://footfall.test.evil.example', 'https://footfall.test']) {
        const { status, body } = await from(origin)
        assert.deepEqual([status, body.error.code], [403, 'permission_denied'])
      }
      assert.equal((await from('http://footfall.test')).status, 200)
    })

    test('other methods are 405 with Allow', async () => {
      for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
        const response = await service.web.request('/mcp', { method, headers: { Accept: 'text/event-stream' } })
        assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
      }
    })

    test('a bare curl -d works, whatever it says it sends and takes', async () => {
      for (const headers of [
        { 'Content-Type': 'application/x-www-form-urlencoded', Accept: '*/*' },
        { 'Content-Type': 'application/json', Accept: '' },
        { 'Content-Type': 'text/plain', Accept: 'text/event-stream' },
      ]) {
        const { status, body, headers: answered } = await send(message('tools/list'), headers)
        assert.equal(status, 200)
        assert.match(answered.get('content-type') ?? '', /^application\/json/)
        assert.ok(body.result.tools.length > 0)
      }
    })

    test('every answer carries the headers of all answers, and is not kept', async () => {
      for (const body of [message('ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }, '{']) {
        const { headers } = await send(body, { 'X-Request-Id': 'mine' })
        assert.deepEqual(
          [headers.get('x-request-id'), headers.get('x-content-type-options'), headers.get('cache-control')],
          ['mine', 'nosniff', 'no-store'],
        )
      }
    })
  })
})

test('each call counts once against the rate of its token; over it, HTTP says 429', async () => {
  const service = await startService(sqlite!, { RATE_TOKEN: 4 })
  const world = await makeSite(service)
  const call = message('tools/call', { name: 'sites_get', arguments: { site_id: world.ids.site } })
  const left = async (body: unknown) =>
    /r=(\d+)/.exec((await post(service, body, { token: world.token })).headers.get('ratelimit') ?? '')?.[1]
  assert.equal(await left(call), '3')
  assert.equal(await left(message('tools/list')), '2')
  assert.equal(await left(message('tools/call', { name: 'nope' })), '1')
  assert.equal(await left(call), '0')
  for (const body of [call, message('tools/list')]) {
    const { status, headers, body: answer } = await post(service, body, { token: world.token })
    assert.deepEqual([status, answer.error.code], [429, 'rate_limited'])
    assert.ok(Number(headers.get('retry-after')) > 0)
  }
  await service.close()
})

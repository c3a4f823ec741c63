/** Compression: which answers are compressed, for which clients, and which never are. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { acceptedOf } from '../../../adapters/http/respond.ts'
import { engines } from '../../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../../support/world.ts'

const [engine] = engines
const browser = 'gzip, deflate, br, zstd'
const unpack: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

describe('compression', () => {
  let service: TestService
  let world: World
  before(async () => {
    assert.ok(engine)
    service = await startService(engine)
    world = await makeSite(service)
  })
  after(() => service.close())

  async function ask(
    path: string,
    {
      accepts,
      method = 'GET',
      headers = {},
      body,
    }: { accepts?: string; method?: string; headers?: Record<string, string>; body?: unknown } = {},
  ) {
    const response = await service.web.request(path, {
      method,
      headers: {
        ...(!('Cookie' in headers && 'Accept' in headers) && {
          Authorization: `Bearer ${world.token}`,
          'Content-Type': 'application/json',
        }),
        ...(accepts !== undefined && { 'Accept-Encoding': accepts }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const encoding = response.headers.get('content-encoding')
    return {
      status: response.status,
      encoding,
      bytes,
      text: String(encoding === null ? Buffer.from(bytes) : unpack[encoding]?.(bytes)),
      header: (name: string) => response.headers.get(name),
    }
  }

  /** Operations also answer a page or CSV at their path. */
  const varyOf = (path: string) => (path.startsWith('/sites/') ? 'Accept, Accept-Encoding' : 'Accept-Encoding')

  test('the description, scripts, pages, reports and MCP come as the client asks, and say that they vary', async () => {
    const report = `/sites/${world.ids.site}/stats/timeseries?period=12mo&interval=day`
    const list = { method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }
    for (const [path, options] of [
      ['/openapi.json', {}],
      ['/js/footfall.js', {}],
      [report, {}],
      ['/mcp', list],
    ] as const) {
      const plain = await ask(path, options)
      assert.deepEqual([plain.status, plain.encoding, plain.header('vary')], [200, null, varyOf(path)], path)
      for (const [accepts, encoding] of [
        [browser, 'br'],
        ['gzip', 'gzip'],
      ] as const) {
        const packed = await ask(path, { ...options, accepts })
        assert.deepEqual([packed.status, packed.encoding, packed.header('vary')], [200, encoding, varyOf(path)], path)
        assert.equal(packed.text, plain.text)
        assert.ok(packed.bytes.length < plain.bytes.length / 1.9, `${path}: ${plain.bytes.length} → ${packed.bytes.length}`)
      }
    }
  })

  test('an answer that the client has is not sent again, in any encoding', async () => {
    for (const path of ['/openapi.json', `/sites/${world.ids.site}/stats/timeseries?period=12mo&interval=day`]) {
      const plain = await ask(path)
      const packed = await ask(path, { accepts: browser })
      assert.notEqual(packed.header('etag') ?? '', plain.header('etag')?.replace('W/', ''), 'a strong tag is of one encoding')
      for (const tag of [plain.header('etag'), packed.header('etag')]) {
        const again = await ask(path, { accepts: browser, headers: { 'If-None-Match': tag ?? '' } })
        assert.deepEqual([again.status, again.text, again.encoding, again.header('vary')], [304, '', null, varyOf(path)])
      }
    }
    assert.match((await ask('/openapi.json')).header('etag') ?? '', /^"/, 'strong as it is')
  })

  test('short answers, secrets, and what belongs to a cookie are sent as they are', async () => {
    assert.equal((await ask(`/sites/${world.ids.site}`, { accepts: browser })).encoding, null, 'short')

    const scopes = { name: 'x'.repeat(100), site_ids: [], allowed_ips: Array.from({ length: 100 }, (_, i) => `203.0.113.${i}`) }
    const made = await ask(`/workspaces/${world.ids.workspace}/api_tokens`, { accepts: browser, method: 'POST', body: scopes })
    assert.deepEqual(
      [made.status, made.encoding, made.header('cache-control'), made.header('vary')],
      [201, null, 'no-store, no-transform', null],
    )
    assert.ok(made.text.length > 1_400)
    const params = { name: 'api_tokens_create', arguments: { workspace_id: world.ids.workspace, ...scopes } }
    const tool = await ask('/mcp', { accepts: browser, method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
    assert.deepEqual([tool.status, tool.encoding], [200, null])
    assert.match(tool.text, /pat_\w{36}/)

    const report = `/sites/${world.ids.site}/stats/timeseries?period=12mo&interval=day`
    const cookie = { Cookie: 'theme=dark' }
    assert.equal((await ask(report, { accepts: browser, headers: cookie })).encoding, null)
    assert.equal((await ask('/openapi.json', { accepts: browser, headers: cookie })).encoding, 'br', 'the same for everybody')
    const session = await world.sessionFor('owner')
    const page = async (path: string, from: string) => {
      const headers = { Cookie: `session=${session}`, Accept: 'text/html', ...(from !== '' && { 'Sec-Fetch-Site': from }) }
      const { status, encoding, header } = await ask(path, { accepts: browser, headers })
      assert.equal(status, 200, header('location') ?? path)
      return encoding
    }
    const overview = `/sites/${world.ids.site}/overview`
    for (const [from, encoding] of [
      ['same-origin', 'br'],
      ['none', 'br'],
      ['same-site', null],
      ['cross-site', null],
      ['', null],
    ] as const)
      assert.equal(await page(overview, from), encoding, `a report, asked for by ${from || 'a browser that does not say'}`)
    assert.equal(await page('/account', 'none'), null, 'no report')
    assert.equal((await ask(report, { accepts: browser, method: 'HEAD' })).header('vary'), varyOf(report))
  })

  test('the encoding is the one that the client prefers', () => {
    for (const [header, encoding] of [
      [undefined, undefined],
      ['', undefined],
      ['identity', undefined],
      ['deflate, zstd', undefined],
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['GZIP, BR', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.5, gzip;q=0.8', 'gzip'],
      ['gzip;q=0, br;q=0', undefined],
      ['*', 'br'],
      ['*, br;q=0', 'gzip'],
      ['br;q=nonsense', undefined],
    ] as const)
      assert.equal(acceptedOf(header), encoding, header)
  })
})

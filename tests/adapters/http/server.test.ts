/** The server answers requests that cannot be routed with the same errors as all others. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { serverOf } from '../../../adapters/http/server.ts'
import { table } from '../../../operations/index.ts'
import { engines } from '../../support/engines.ts'
import { request, startService, type TestService } from '../../support/world.ts'

const [engine] = engines
const host = 'Host: localhost\r\n'
const end = 'Connection: close\r\n\r\n'

describe('below HTTP', () => {
  let service: TestService
  let server: Server
  before(async () => {
    assert.ok(engine)
    service = await startService(engine)
    server = serverOf(service.web, { app: service.app, hostname: 'localhost' })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(async () => {
    server.close()
    server.closeAllConnections()
    await service.close()
  })

  /** All that is answered to these bytes, until the connection ends. */
  async function send(bytes: string): Promise<{ text: string; status: number; head: string; body: any }> {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
    let text = ''
    socket.on('data', chunk => (text += String(chunk)))
    socket.write(bytes)
    await once(socket, 'close')
    const [head = '', body = ''] = text.split('\r\n\r\n')
    return { text, head, status: Number(head.split(' ')[1]), body: body.startsWith('{') ? JSON.parse(body) : body }
  }

  test('a connection stays open for longer than proxies keep theirs, and a head may take longer than that', () => {
    assert.ok(server.keepAliveTimeout > 65_000)
    assert.ok(server.headersTimeout > server.keepAliveTimeout)
  })

  test('the bare address answers every program that asks for anything, as load balancers do', async () => {
    for (const accept of ['Accept: */*\r\n', '', 'Accept: application/json\r\n'])
      for (const method of ['GET', 'HEAD']) {
        const { status, body } = await send(`${method} / HTTP/1.1\r\n${host}${accept}${end}`)
        assert.equal(status, 200, `${method} ${accept}`)
        if (method === 'GET') assert.deepEqual(Object.keys(body.data), ['docs', 'openapi', 'mcp'])
      }
  })

  test('every failure has the envelope, the headers of all answers, and ends the connection', async () => {
    for (const [bytes, status, code] of [
      [`FOO / HTTP/1.1\r\n${host}\r\n`, 400, 'bad_request'],
      ['nonsense\r\n\r\n', 400, 'bad_request'],
      [`GET nowhere HTTP/1.1\r\n${host}${end}`, 400, 'bad_request'],
      [`GET /healthz HTTP/1.1\r\nHost: a b\r\n${end}`, 400, 'bad_request'],
      [`GET /healthz HTTP/1.1\r\n${end}`, 400, 'bad_request'],
      [`GET /healthz HTTP/1.1\r\n${host}host: other.example\r\n${end}`, 400, 'bad_request'],
      [`POST /mcp HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'bad_request'],
      [`POST /workspaces HTTP/1.1\r\n${host}Expect: a miracle\r\nContent-Length: 2\r\n${end}{}`, 417, 'expectation_failed'],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}${end}`, 431, 'headers_too_large'],
      [`GET /healthz HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n${end}`, 431, 'headers_too_large'],
    ] as const) {
      const answer = await send(bytes)
      const label = `${bytes.slice(0, 60)}: ${answer.text.slice(0, 300)}`
      assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.details], [status, code, []], label)
      for (const header of [
        /^content-type: application\/json/im,
        /^x-request-id: [\w-]{36}/im,
        /^connection: close/im,
        /^x-content-type-options: nosniff/im,
      ])
        assert.match(answer.head, header, label)
    }
  })

  test('a request that does not arrive in time is answered with 408', async () => {
    const quick = serverOf(service.web, { app: service.app, hostname: 'localhost' })
    Object.assign(quick, { headersTimeout: 50, requestTimeout: 50 })
    quick.listen(0, '127.0.0.1')
    await once(quick, 'listening')
    const socket = net.connect((quick.address() as AddressInfo).port, '127.0.0.1')
    let text = ''
    socket.on('data', chunk => (text += String(chunk)))
    await once(socket, 'connect')
    // Node looks for late ones every 30 s; its error is what counts here.
    quick.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), await accepted(quick, socket))
    await once(socket, 'close')
    assert.match(text, /^HTTP\/1\.1 408 Request Timeout\r\n[^]*"request_timeout"/)
    quick.close()
  })

  test('what is right is answered: one Host, none in HTTP/1.0, an expectation that is met', async () => {
    for (const bytes of [
      `GET /healthz HTTP/1.1\r\n${host}${end}`,
      'GET /healthz HTTP/1.0\r\n\r\n',
      `GET /healthz HTTP/1.1\r\n${host}Expect: 100-continue\r\n${end}`,
    ])
      assert.match((await send(bytes)).text, /200 OK[^]*\bok$/, bytes)
  })

  test('a body is read whole in however many pieces it comes, and one that ends early is waited for no longer', async () => {
    const hit = JSON.stringify({ n: 'pageview', u: 'https://nobody.example/', d: 'nobody.example' })
    const head = `POST /api/event HTTP/1.1\r\n${host}User-Agent: Mozilla/5.0 Firefox/132.0\r\nContent-Length: ${hit.length}\r\n${end}`
    const port = (server.address() as AddressInfo).port
    const socket = net.connect(port, '127.0.0.1').setNoDelay()
    let text = ''
    socket.on('data', chunk => (text += String(chunk)))
    for (const piece of [head, hit.slice(0, 10), hit.slice(10, 20), hit.slice(20)]) {
      socket.write(piece)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    await once(socket, 'close')
    assert.match(text, /no site has the domain nobody\.example/)

    const answered = async () => {
      const { text: metrics } = await service.app.metrics.expose()
      return Number(/requests_total\{operation="POST \/api\/event"[^}]*\} (\d+)/.exec(metrics)?.[1])
    }
    const before = await answered()
    const broken = net.connect(port, '127.0.0.1')
    broken.write(head + hit.slice(0, 10), () => setTimeout(() => broken.destroy(), 20))
    while ((await answered()) === before) await new Promise(resolve => setTimeout(resolve, 5))
    assert.equal(await answered(), before + 1)
  })

  test('a wrong method where other pages may ask can be read by them', async () => {
    const paths = table.endpoints.filter(({ crossOrigin }) => crossOrigin).map(({ route }) => route.split(' ')[1] ?? '')
    assert.ok(paths.length > 3)
    for (const path of [...paths, '/openapi.json']) {
      const { status, headers, body } = await request(service, 'DELETE', path.replace(/\{\w+\}/g, 'a0aaaaaaaaaa'))
      assert.deepEqual([status, headers.get('access-control-allow-origin'), body.error.code], [405, '*', 'method_not_allowed'], path)
    }
    const other = await request(service, 'DELETE', '/workspaces')
    assert.deepEqual([other.status, other.headers.get('access-control-allow-origin')], [405, null])
  })

  test('a program that sends POST to a path of a form receives the allowed methods in JSON', async () => {
    for (const path of ['/sites/pa_1', '/workspaces/ws_1/settings']) {
      const { status, headers, body } = await request(service, 'POST', path, { body: { name: 'x' } })
      assert.deepEqual([status, body.error?.code], [405, 'method_not_allowed'], path)
      assert.match(headers.get('allow') ?? '', /GET, HEAD.*PATCH|PATCH.*GET, HEAD/, path)
      assert.doesNotMatch(headers.get('allow') ?? '', /POST/, path)
    }
  })
})

/** The server's end of the connection. */
async function accepted(server: Server, client: net.Socket): Promise<net.Socket> {
  const sockets = new Promise<net.Socket>(resolve => server.once('request', ({ socket }) => resolve(socket)))
  client.write(`POST /healthz HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\n`)
  return sockets
}

/** No internal address is called, however it is spelled: not even a socket is opened. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { isPublic, mayCall } from '../../../runtime/outbound/address.ts'
import {
  type Guard,
  guardedConnect,
  guardedFetch,
  OutboundError,
  type OutboundRequest,
  resolvePublic,
} from '../../../runtime/outbound/outbound.ts'
import { type Canary, countSockets, insideResolver, type SocketCount, startCanary, targetsAt } from './targets.ts'

const guard: Guard = { allow: [], resolver: insideResolver }
const get = { method: 'GET', timeoutMs: 2_000, connectMs: 1_000, maxBytes: 100, redirects: 5 } satisfies Partial<OutboundRequest>

describe('the corpus', () => {
  let canary: Canary
  let sockets: SocketCount
  before(async () => {
    canary = await startCanary()
    sockets = countSockets()
  })
  after(async () => {
    sockets.stop()
    await canary.close()
  })

  test('has at least 150 spellings, each once', () => {
    const urls = targetsAt(1).map(target => target.url)
    assert.ok(urls.length >= 150, String(urls.length))
    assert.equal(new Set(urls).size, urls.length)
  })

  test('is refused as a URL, before a socket is opened', async () => {
    for (const { url, why } of targetsAt(canary.port))
      assert.match(await codeOf(guardedFetch(url, { ...get, ...guard })), refused, `${why}: ${JSON.stringify(url)}`)
    assert.deepEqual([sockets.opened(), canary.connections()], [0, 0])
  })

  test('is refused as a host for tcp and tls, and as a name to resolve', async () => {
    for (const { host, why } of targetsAt(canary.port)) {
      if (host === undefined) continue
      for (const tls of [false, true])
        assert.match(
          await codeOf(guardedConnect({ host, port: canary.port, limits: { connectMs: 1_000, tls }, guard })),
          refused,
          `${why}: ${host}`,
        )
      assert.match(await codeOf(resolvePublic(host, 1_000, guard)), refused, `${why}: ${host}`)
    }
    for (const host of [
      '',
      ' ',
      'a b',
      'example.com:80',
      'example.com/',
      'user@example.com',
      'a\tb',
      '[::1]x',
      '::1]',
      '[::1',
      'a..b',
      '.',
      '\0',
      'x'.repeat(300),
      `${'x'.repeat(64)}.com`,
    ]) {
      assert.equal(
        await codeOf(guardedConnect({ host, port: canary.port, limits: { connectMs: 1_000, tls: false }, guard })),
        'invalid_target',
        JSON.stringify(host),
      )
    }
    assert.deepEqual([sockets.opened(), canary.connections()], [0, 0])
  })
})

describe('behind a server that may be called', () => {
  // The front server may be called, the canary may not; both run on this machine.
  const front = '127.77.0.1'
  const open: Guard = { allow: [`${front}/32`], resolver: insideResolver }
  let canary: Canary
  let server: http.Server
  let location = ''
  let status = 302
  const asked: http.IncomingMessage[] = []
  let address = ''
  before(async () => {
    canary = await startCanary()
    server = http.createServer((request, response) => {
      asked.push(request)
      if (request.url === '/end') response.end('reached')
      else response.writeHead(status, { Location: location }).end()
    })
    await new Promise<void>(resolve => server.listen(0, front, resolve))
    address = `http://${front}:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    server.close()
    await canary.close()
  })

  test('a redirect to any of the corpus is refused, with every status', async () => {
    for (const [i, target] of targetsAt(canary.port).entries()) {
      // Headers contain no control characters and only Latin-1; an empty Location is no redirect.
      location = target.url.replace(/[\t\r\n]/g, '').replace(/[^\x20-\xff]+/g, encodeURIComponent)
      if (location.trim() === '' || /^[^:/]*:\d+$/.test(location)) continue
      status = [301, 302, 303, 307, 308][i % 5] ?? 302
      // `http:127.0.0.1` and the like are relative to a page of the same scheme: they stay on the front server.
      const code = await codeOf(guardedFetch(address, { ...get, ...open }))
      assert.match(code, /^(blocked|invalid_target|dns_error|too_many_redirects)$/, `${target.why}: ${location}`)
    }
    assert.equal(canary.connections(), 0)
  })

  test('a redirect to a place that may be called is followed, five times at most', async () => {
    status = 302
    location = '/end'
    const { status: answered, body, url } = await guardedFetch(address, { ...get, ...open })
    assert.deepEqual([answered, String(body), url], [200, 'reached', `${address}/end`])
    location = '/again'
    asked.length = 0
    assert.equal(await codeOf(guardedFetch(address, { ...get, ...open })), 'too_many_redirects')
    assert.equal(asked.length, 6)
  })

  test('with no redirects allowed, the redirect is the answer', async () => {
    status = 307
    location = `http://127.0.0.1:${canary.port}/`
    asked.length = 0
    const answer = await guardedFetch(address, { ...get, ...open, method: 'POST', body: '{}', redirects: 0 })
    assert.deepEqual([answer.status, answer.headers.location, asked.length, canary.connections()], [307, location, 1, 0])
  })

  test('a name is asked once: what it answers the second time is never called', async () => {
    let times = 0
    const rebinding: Guard = { ...open, resolver: async () => (times++ === 0 ? [front] : ['127.0.0.1']) }
    const { port } = new URL(address)
    const { body } = await guardedFetch(`http://rebind.test:${port}/end`, { ...get, ...rebinding })
    assert.deepEqual([String(body), times, canary.connections()], ['reached', 1, 0])
    times = 1
    assert.equal(await codeOf(guardedFetch(`http://rebind.test:${canary.port}/`, { ...get, ...rebinding })), 'blocked')
  })

  test('a name that turns inside between two hops is refused at the second', async () => {
    let times = 0
    const rebinding: Guard = { ...open, resolver: async () => (times++ === 0 ? [front] : ['127.0.0.1']) }
    location = `http://rebind.test:${canary.port}/`
    assert.equal(await codeOf(guardedFetch(`http://rebind.test:${new URL(address).port}/`, { ...get, ...rebinding })), 'blocked')
    assert.deepEqual([times, canary.connections()], [2, 0])
  })

  test('credentials are not shown to another origin, and a POST becomes a GET where browsers make it one', async () => {
    const other = http.createServer((request, response) => {
      asked.push(request)
      response.end('other')
    })
    await new Promise<void>(resolve => other.listen(0, front, resolve))
    location = `http://${front}:${(other.address() as AddressInfo).port}/`
    status = 302
    asked.length = 0
    await guardedFetch(address, {
      ...get,
      ...open,
      method: 'POST',
      body: '{}',
      headers: { Authorization: 'Bearer x', 'Content-Type': 'application/json', 'X-Kept': '1' },
    })
    const [first, second] = asked
    assert.deepEqual(
      [
        first?.method,
        first?.headers.authorization,
        second?.method,
        second?.headers.authorization,
        second?.headers['content-type'],
        second?.headers['x-kept'],
      ],
      ['POST', 'Bearer x', 'GET', undefined, undefined, '1'],
    )
    other.close()
  })
})

describe('addresses', () => {
  test('public ones are, and what is opted in to may be called beside them', () => {
    for (const address of ['93.184.216.34', '1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8'])
      assert.ok(isPublic(address), address)
    for (const address of ['', 'x', '999.1.1.1', 'localhost', '::8.8.8.8', '::808:808']) assert.ok(!isPublic(address), address)
    assert.ok(mayCall('10.1.2.3', ['10.1.0.0/16']) && mayCall('::1', ['::1']) && mayCall('::ffff:10.1.2.3', ['10.1.0.0/16']))
    assert.ok(
      !mayCall('10.2.2.3', ['10.1.0.0/16']) &&
        !mayCall('127.0.0.1', ['::1']) &&
        !mayCall('::10.1.2.3', ['10.1.0.0/16']) &&
        !mayCall('64:ff9b::a01:203', ['10.1.0.0/16']),
    )
  })
})

/** Errors before a socket is opened; a spelling that the URL parser takes for a strange name does not resolve. */
const refused = /^(blocked|invalid_target|dns_error)$/

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'answered'
  } catch (error) {
    return error instanceof OutboundError ? error.code : String(error)
  }
}

/** No internal address is probed, however it is spelled: http, keyword, tcp, dns and RDAP. */
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { domainExpiry } from '../../../operations/watch/uptime/domains/expiry.ts'
import { probe } from '../../../operations/watch/uptime/probing/probe.ts'
import { type Guard, OutboundError } from '../../../runtime/outbound/outbound.ts'
import { type Canary, countSockets, insideResolver, type SocketCount, startCanary, targetsAt } from '../../runtime/outbound/targets.ts'

const guard: Guard = { allow: [], resolver: insideResolver }
const aim = { url: null, host: null, port: null, keyword: null, expected_status: 200, http_method: 'GET', timeout_seconds: 2 } as const
const refused = /^(blocked|invalid_target|dns_error)$/
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

test('the corpus over http and keyword', async () => {
  for (const { url, why } of targetsAt(canary.port)) {
    for (const wanted of [
      { kind: 'http' },
      { kind: 'http', expected_status: 302, http_method: 'HEAD' },
      { kind: 'keyword', keyword: 'canary' },
    ] as const) {
      const { error } = await probe({ ...aim, url, ...wanted }, guard, 'test')
      assert.match(error ?? 'ok', refused, `${why}: ${JSON.stringify(url)}`)
    }
  }
  assert.deepEqual([sockets.opened(), canary.connections()], [0, 0])
})

test('the corpus over tcp and dns', async () => {
  for (const { host, why } of targetsAt(canary.port)) {
    if (host === undefined) continue
    for (const wanted of [{ kind: 'tcp', port: canary.port }, { kind: 'dns' }] as const) {
      const { error } = await probe({ ...aim, host, ...wanted }, guard, 'test')
      assert.match(error ?? 'ok', refused, `${why}: ${host}`)
    }
  }
  assert.deepEqual([sockets.opened(), canary.connections()], [0, 0])
})

test('the corpus as the address of a registry, and as where a registry redirects to', async () => {
  const front = '127.8.8.8'
  let location = ''
  const server = http.createServer((_, response) => response.writeHead(302, { Location: location }).end())
  await new Promise<void>(resolve => server.listen(0, front, resolve))
  const address = server.address()
  const registry = `http://${front}:${typeof address === 'object' && address ? address.port : 0}/`
  const code = (asked: Promise<unknown>) =>
    asked.then(
      () => 'ok',
      (error: unknown) => (error instanceof OutboundError ? error.code : String(error)),
    )
  for (const { url, why } of targetsAt(canary.port)) {
    assert.match(
      await code(domainExpiry({ domain: 'example.com', registries: { com: url }, guard, userAgent: 'test' })),
      refused,
      `${why}: ${JSON.stringify(url)}`,
    )
    // Headers contain no control characters and only Latin-1; an empty Location is no redirect.
    location = url.replace(/[\t\r\n]/g, '').replace(/[^\x20-\xff]+/g, encodeURIComponent)
    if (location.trim() === '' || /^[^:/]*:\d+$/.test(location)) continue
    const answer = await code(
      domainExpiry({ domain: 'example.com', registries: { com: registry }, guard: { ...guard, allow: [front] }, userAgent: 'test' }),
    )
    assert.match(
      answer,
      /^(blocked|invalid_target|dns_error|too_many_redirects|Error: the registry of example.com answered 302)$/,
      `${why}: ${JSON.stringify(url)}`,
    )
  }
  server.close()
  assert.equal(canary.connections(), 0)
})

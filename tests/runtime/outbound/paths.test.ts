/**
 * Every outgoing path of the service with the whole list of targets. Each is first run with an open guard, where many
 * spellings do reach the canary: so it is the guard that blocks them.
 */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { domainExpiry } from '../../../operations/watch/uptime/domains/expiry.ts'
import { probe } from '../../../operations/watch/uptime/probing/probe.ts'
import { attempt } from '../../../operations/exchange/webhooks/attempt.ts'
import { type Guard, OutboundError, type Resolver } from '../../../runtime/outbound/outbound.ts'
import { type Canary, insideResolver, startCanary, type Target, targetsAt } from './targets.ts'
import { someOf } from '../../support/full.ts'

/** Calls the target. @returns the error's code; `answered` if there was any answer */
type Way = (at: string, guard: Guard & { readonly resolver: Resolver }) => Promise<string>

const aim = {
  url: null,
  host: null,
  port: null,
  keyword: null,
  expected_status: 200,
  http_method: 'GET',
  timeout_seconds: 2,
} as const
const secrets = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`]
const signed = { id: 'evt_1', at: 0, body: '{}' }
const seen = (error: string | null) => (error === null || /^(status_|keyword_missing)/.test(error) ? 'answered' : error)

const urlWays: Readonly<Record<string, Way>> = {
  async webhook(url, { allow, resolver }) {
    const { statusCode, error } = await attempt({ url, secrets, signed, config: { OUTBOUND_ALLOW_CIDRS: [...allow] }, more: { resolver } })
    return statusCode === null ? (String(error ?? 'none').split(':')[0] ?? '') : 'answered'
  },
  http: async (url, guard) => seen((await probe({ ...aim, kind: 'http', url }, guard, 'test')).error),
  keyword: async (url, guard) => seen((await probe({ ...aim, kind: 'keyword', url, keyword: 'x' }, guard, 'test')).error),
  rdap: (url, guard) =>
    domainExpiry({ domain: 'example.com', registries: { com: url }, guard, userAgent: 'test' }).then(
      () => 'answered',
      (thrown: unknown) => (thrown instanceof OutboundError ? thrown.code : 'answered'),
    ),
}
const tcp =
  (port: number): Way =>
  async (host, guard) =>
    seen((await probe({ ...aim, kind: 'tcp', host, port }, guard, 'test')).error)

/** All addresses of this machine in the list. */
const here = ['127.0.0.0/8', '0.0.0.0', '::1', '::']
/** An address of this machine that may be called. */
const front = '127.77.0.2'
const refused = /^(blocked|invalid_target|dns_error)$/

describe('every way out', () => {
  let canary: Canary
  let ways: ReadonlyArray<readonly [name: string, way: Way, targets: ReadonlyArray<Target & { readonly at: string }>]>
  let server: http.Server
  let address = ''
  let location: string | undefined
  let asked = 0
  let opened = 0
  const count = () => {
    opened++
  }
  before(async () => {
    canary = await startCanary()
    const all = targetsAt(canary.port)
    const byUrl = all.map(target => ({ ...target, at: target.url }))
    const byHost = all.flatMap(target => (target.host === undefined ? [] : [{ ...target, at: target.host }]))
    ways = [...Object.entries(urlWays).map(([name, way]) => [name, way, byUrl] as const), ['tcp', tcp(canary.port), byHost]]
    server = http.createServer((_, response) => {
      asked++
      if (location === undefined) response.end('front')
      else response.writeHead(302, { Location: location }).end()
    })
    await new Promise<void>(resolve => server.listen(0, front, resolve))
    address = `${front}:${(server.address() as AddressInfo).port}` // a TCP server that listens has one
    diagnostics.subscribe('net.client.socket', count)
  })
  after(async () => {
    diagnostics.unsubscribe('net.client.socket', count)
    server.close()
    await canary.close()
  })
  beforeEach(() => {
    ;[opened, asked, location] = [0, 0, undefined]
  })

  test('opens no socket for any of at least 150 spellings', async () => {
    const before = canary.connections()
    for (const [name, way, targets] of ways) {
      assert.ok(targets.length >= 150, `${name}: ${targets.length}`)
      for (const { at, why } of targets) {
        assert.match(await way(at, { allow: [], resolver: insideResolver }), refused, `${name}, ${why}: ${JSON.stringify(at)}`)
      }
    }
    assert.deepEqual([opened, canary.connections() - before], [0, 0])
  })

  test('would reach the canary by many of them without the guard', async t => {
    for (const [name, way, targets] of ways) {
      let reached = 0
      for (const { at } of targets) {
        const before = canary.connections()
        await way(at, { allow: here, resolver: insideResolver })
        if (canary.connections() > before) reached++
      }
      assert.ok(reached >= 50, `${name}: ${reached} of ${targets.length}`)
      t.diagnostic(`${name}: ${reached} of ${targets.length}`)
    }
  })

  test('follows no redirect to any of them', async () => {
    const before = canary.connections()
    for (const [name, way, targets] of ways) {
      if (name === 'tcp') continue
      asked = 0
      for (const { url, why } of someOf(targets, 12)) {
        // Headers contain no control characters and only Latin-1.
        location = url.replace(/[\t\r\n]/g, '').replace(/[^\x20-\xff]+/g, encodeURIComponent)
        const said = await way(`http://${address}/`, { allow: [front], resolver: insideResolver })
        const kept = name === 'webhook' ? /^answered$/ : /^(blocked|invalid_target|dns_error|too_many_redirects|answered)$/
        assert.match(said, kept, `${name}, ${why}: ${location}`)
      }
      assert.ok(asked >= someOf(targets, 12).length, `${name}: the front was asked each time`)
    }
    assert.equal(canary.connections() - before, 0)
  })

  test('asks a name once and calls what it checked, though the name leads elsewhere the next time', async () => {
    const { port } = new URL(`http://${address}`)
    for (const [name, way] of [...Object.entries(urlWays), ['tcp', tcp(Number(port))] as const]) {
      const at = name === 'tcp' ? 'rebind.test' : `http://rebind.test:${port}/`
      let times = 0
      const rebinding: Resolver = async () => (times++ === 0 ? [front] : ['127.0.0.1'])
      assert.equal(await way(at, { allow: [front], resolver: rebinding }), 'answered', name)
      assert.equal(times, 1, name)
      assert.equal(await way(at, { allow: [front], resolver: async () => [front, '127.0.0.1'] }), 'blocked', name)
    }
  })
})

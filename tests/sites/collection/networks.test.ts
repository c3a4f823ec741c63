/** Networks of visitors, and what browsers add to their user agents. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { clientHintsIn, hinted, isAutomated } from '../../../operations/sites/collection/enrich/client-hints.ts'
import { parseUserAgent } from '../../../operations/sites/collection/enrich/user-agent.ts'
import { NETWORKS } from '../../../operations/sites/collection/networks/network-table.ts'
import { openNetworks } from '../../../operations/sites/collection/networks/networks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const brands = (name: string) => `"Chromium";v="142", "${name}";v="125", "Not_A Brand";v="99"`

describe('the bundled networks', () => {
  test('name the network of an address, in any of its spellings, and none for others', async () => {
    const networkOf = await openNetworks()
    const named = (ip: string) => {
      const { asn, network, network_kind: kind } = networkOf(ip)
      return [asn, network, kind]
    }
    const hetzner = [24940, 'Hetzner', 'hosting']
    for (const ip of ['5.9.1.1', '::ffff:5.9.1.1', '2a01:4f8::1', '2A01:04F8:0:0::1']) assert.deepEqual(named(ip), hetzner, ip)
    assert.deepEqual(named('8.8.8.8'), [15169, 'Google', 'hosting'])
    assert.deepEqual(named('79.192.0.1'), [3320, 'Deutsche Telekom', 'isp'])
    assert.deepEqual(named('172.56.1.1'), [21928, 'T-Mobile US', 'mobile'])
    assert.deepEqual(named('185.159.157.1'), [209103, 'Proton VPN', 'vpn'])
    assert.deepEqual(named('128.30.1.1'), [3, 'MIT', 'education'])
    for (const ip of ['203.0.113.7', '10.0.0.1', '::1', 'fe80::1%eth0', '', 'no address', '999.1.1.1', '5.9'])
      assert.deepEqual(named(ip), [0, '', ''], ip)
  })

  test('list each autonomous system once, and their routes are apart', () => {
    const systems = NETWORKS.flatMap(([, , numbers]) => numbers.split(' '))
    assert.equal(new Set(systems).size, systems.length)
    const lines = readFileSync(`${process.cwd()}/operations/sites/collection/networks/routes.txt`, 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      lines.map(line => line.split(' ')[0]).filter(asn => !systems.includes(asn ?? '')),
      [],
    )
  })
})

describe('client hints', () => {
  const agentOf = (userAgent: string, headers: Record<string, string>) =>
    hinted(
      parseUserAgent(userAgent),
      clientHintsIn(name => headers[name]),
    )

  test('name the browser, the system and the device behind a user agent that many share', () => {
    assert.deepEqual(agentOf(chrome, {}), parseUserAgent(chrome))
    const brave = agentOf(chrome, {
      'sec-ch-ua': brands('Brave'),
      'sec-ch-ua-platform': '"Windows"',
      'sec-ch-ua-platform-version': '"15.0.0"',
    })
    assert.deepEqual([brave.browser, brave.browser_version, brave.os, brave.os_version], ['Brave', '125', 'Windows', '11'])
    const tablet = agentOf(android, { 'sec-ch-ua': brands('Google Chrome'), 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Android"' })
    assert.deepEqual([tablet.browser, tablet.device], ['Chrome', 'tablet'])
    const phone = agentOf(android, { 'sec-ch-ua': brands('Google Chrome'), 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' })
    assert.equal(phone.device, 'mobile')
  })

  test('are hostile input: whatever they say, an agent has short texts, and another system is not believed', () => {
    const hostile = agentOf(chrome, {
      'sec-ch-ua': `${'"'.repeat(5_000)}"x";v="1"`,
      'sec-ch-ua-platform': '"iOS"',
      'sec-ch-ua-platform-version': '"9\u0000"',
    })
    assert.deepEqual(hostile, parseUserAgent(chrome))
    assert.equal(isAutomated(clientHintsIn(name => (name === 'sec-ch-ua' ? brands('HeadlessChrome') : undefined))), true)
  })
})

onAnyEngine('networks of hits', engine => {
  let service: TestService
  let world: World
  let domain: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeSite(service)
    domain = (await request(service, 'GET', `/sites/${world.ids.site}`, { token: world.token })).body.data.domain
  })

  const ask = (method: string, path: string, body?: object) =>
    request(service, method, `/sites/${world.ids.site}${path}`, { token: world.token, ...(body && { body }) })
  /** A server that sends for a visitor. */
  const see = (ip: string | undefined, host = domain) =>
    request(service, 'POST', '/api/event', {
      token: world.token,
      body: { n: 'pageview', u: `https://${host}/a`, d: domain, ip, user_agent: chrome },
    })
  const rows = async (dimension: string, filters: unknown[] = []) => {
    const query = new URLSearchParams({ period: 'today', filters: JSON.stringify(filters) })
    const { body } = await ask('GET', `/breakdown/${dimension}?${query}`)
    return body.data.rows.map((row: { label: string; pageviews: number }) => [row.label, row.pageviews]).sort()
  }

  test('a network and its kind are reported, and filter; nothing of the address is stored', async () => {
    for (const ip of ['5.9.1.1', '79.192.0.1', '203.0.113.7']) await see(ip)
    assert.deepEqual(await rows('network'), [
      ['(not set)', 1],
      ['Deutsche Telekom', 1],
      ['Hetzner', 1],
    ])
    assert.deepEqual(await rows('network_kind', [['network', 'contains', 'telekom']]), [['Internet provider', 1]])
    const texts = await service.store.read.selectFrom('dict').select('value').where('site_id', '=', world.siteNumber).execute()
    assert.deepEqual(
      texts.filter(({ value }) => /5\.9\.1|79\.192/.test(value)),
      [],
    )
  })

  test('traffic rules know the number and the kind of a network, and strict drops hosting networks', async () => {
    assert.equal((await ask('POST', '/traffic_rules', { kind: 'asn', value: 'no' })).status, 422)
    assert.equal((await ask('POST', '/traffic_rules', { kind: 'network_kind', value: 'home' })).status, 422)
    const { body } = await ask('POST', '/traffic_rules', { kind: 'asn', value: '3320' })
    assert.equal(body.data.value, 'AS3320')
    await ask('POST', '/traffic_rules', { kind: 'network_kind', value: 'VPN' })
    const outcome = async (ip: string) => (await see(ip)).headers.get('x-footfall-dropped')
    assert.deepEqual(
      [await outcome('79.192.0.1'), await outcome('185.159.157.1'), await outcome('5.9.1.1'), await outcome('203.0.113.7')],
      ['traffic_rule', 'traffic_rule', null, null],
    )
    const { data } = (await ask('GET', '/traffic_rules/test?ip=79.192.0.1')).body
    assert.deepEqual(
      [data.counted, data.asn, data.network, data.network_kind, data.rule?.kind],
      [false, 'AS3320', 'Deutsche Telekom', 'isp', 'asn'],
    )
    world = await makeSite(service)
    domain = (await ask('GET', '')).body.data.domain
    await ask('PATCH', '/traffic_rules/settings', { bots: 'strict' })
    assert.deepEqual([await outcome('5.9.1.1'), await outcome('203.0.113.7')], ['bot', null])
    assert.equal((await see(undefined)).headers.get('x-footfall-dropped'), null, 'the address of a server is no visitor’s')
  })

  test('a host belongs to the hit: it filters and breaks down hits, also together with their page', async () => {
    await see('203.0.113.7')
    await see('203.0.113.7', `shop.${domain}`)
    await see('203.0.113.9', `shop.${domain}`)
    assert.deepEqual(await rows('hostname'), [
      [domain, 1],
      [`shop.${domain}`, 2],
    ])
    assert.deepEqual(await rows('url', [['hostname', 'is', `shop.${domain}`]]), [[`shop.${domain}/a`, 2]])
    assert.deepEqual(await rows('page', [['url', 'is', `${domain}/a`]]), [['/a', 1]])
  })
})

/** Traffic rules over HTTP: what they keep out of a site, and how soon. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { collector } from '../../../operations/sites/collection/collector.ts'
import { matchCounter } from '../../../operations/sites/traffic-rules/index.ts'
import { until } from '../../runtime/tasks/tasks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { codeOf, column, faultsOf } from '../../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onAnyEngine('traffic rules', engine => {
  let service: TestService
  let world: World
  let base: string
  before(async () => {
    service = await startService(engine, { TRUSTED_PROXIES: '127.0.0.1' })
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
    base = `/sites/${world.ids.site}/traffic_rules`
    const others = (await call('GET', base)).body.data.filter(({ id }: { id: string }) => id !== world.ids.traffic_rule)
    for (const { id } of others) await call('DELETE', `${base}/${id}`)
  })

  const call = (method: string, path: string, body?: object, token = world.token) => request(service, method, path, { token, body })
  const add = (body: object) => call('POST', base, body)
  /** Rules are looked at again after a second at most. */
  const inForce = () => new Promise(resolve => setTimeout(resolve, 1_100))
  async function send(body: object, headers: Record<string, string> = {}) {
    const reply = await request(service, 'POST', '/api/event', {
      body: { n: 'pageview', u: `https://${world.ids.domain}/`, d: world.ids.site, ...body },
      headers: {
        'Content-Type': 'text/plain',
        'User-Agent': chrome,
        'Accept-Language': 'en',
        'X-Forwarded-For': '203.0.113.9',
        ...headers,
      },
    })
    assert.equal(reply.status, 202, reply.text)
    return reply.headers.get('x-footfall-dropped')
  }

  test('each kind of rule drops its hits, reports the reason to the sender and counts them; other hits stay', async () => {
    const rules = [
      { kind: 'ip', value: '192.0.2.0/24' },
      { kind: 'country', value: 'us' },
      { kind: 'hostname', value: 'staging.*' },
      { kind: 'page', value: '/preview/*' },
      { kind: 'referrer', value: '*.casino.example' },
      { kind: 'user_agent', value: '*OurKiosk*' },
      { kind: 'event', value: 'Debug*' },
    ]
    for (const rule of rules) {
      service.clock.now += 1
      assert.equal((await add(rule)).status, 201)
    }
    const out: ReadonlyArray<readonly [object, Record<string, string>?]> = [
      [{}, { 'X-Forwarded-For': '192.0.2.77' }],
      [{}, { 'X-Forwarded-For': '8.8.8.8' }],
      [{ u: 'https://staging.shop.example/' }],
      [{ u: `https://${world.ids.domain}/preview/a?b=1` }],
      [{ r: 'https://best.casino.example/win?x=1' }],
      [{}, { 'User-Agent': `${chrome} OurKiosk/2` }],
      [{ n: 'Debug click' }],
    ]
    for (const [body, headers] of out) assert.equal(await send(body, headers), 'traffic_rule', JSON.stringify([body, headers]))
    assert.equal(await send({ n: 'Signup', r: 'https://example.org/' }), null)
    const { hits } = await service.store.read
      .selectFrom('hits')
      .select(({ fn }) => fn.countAll<number>().as('hits'))
      .where('site_id', '=', world.siteNumber)
      .executeTakeFirstOrThrow()
    assert.equal(hits, 1)
    await until(async () => column(await call('GET', base), 'matched_30d').filter(count => count === 1).length === rules.length) // matches are written after a second
    const listed = await call('GET', base)
    assert.deepEqual(column(listed, 'matched_30d'), [0, 1, 1, 1, 1, 1, 1, 1])
    assert.equal(listed.body.data[1].last_matched_at, new Date(service.clock.now).toISOString())
    assert.equal(listed.body.meta.your_ip, '127.0.0.1')
    assert.equal(listed.body.data[2].value, 'US')
    const drops = await call('GET', `/sites/${world.ids.site}/collection/drops`)
    assert.deepEqual(drops.body.data, [{ date: '2026-03-10', reason: 'traffic_rule', count: 7 }])
  })

  test('a rule is in force within seconds, ends when it is disabled, deleted or over, and takes nothing back', async () => {
    assert.equal(await send({ u: `https://${world.ids.domain}/a` }), null)
    const { id } = (await add({ kind: 'page', value: '/a', expires_at: new Date(service.clock.now + 60_000).toISOString() })).body.data
    await inForce()
    const seen = () => send({ u: `https://${world.ids.domain}/a` })
    assert.equal(await seen(), 'traffic_rule')
    await call('PATCH', `${base}/${id}`, { enabled: false })
    await inForce()
    assert.equal(await seen(), null)
    await call('PATCH', `${base}/${id}`, { enabled: true })
    await inForce()
    assert.equal(await seen(), 'traffic_rule')
    service.clock.now += 61_000
    assert.equal(await seen(), null, 'it is over')
    const again = (await call('GET', `${base}/${id}`)).body.data
    assert.equal((await call('PATCH', `${base}/${id}`, again)).status, 200, 'a rule that is over can be read and sent back')
    await call('PATCH', `${base}/${id}`, { expires_at: null })
    await inForce()
    assert.equal(await seen(), 'traffic_rule')
    assert.equal((await call('DELETE', `${base}/${id}`)).body.data.id, id)
    await inForce()
    assert.equal(await seen(), null)
  })

  test('an allow makes its kind a list of all that is counted; a block within it still blocks', async () => {
    await add({ kind: 'hostname', action: 'allow', value: world.ids.domain })
    await add({ kind: 'hostname', action: 'allow', value: `*.${world.ids.domain}` })
    await add({ kind: 'hostname', action: 'block', value: `old.${world.ids.domain}` })
    const of = (host: string) => send({ u: `https://${host}/` })
    assert.deepEqual(
      [
        await of(`${world.ids.domain}`),
        await of(`shop.${world.ids.domain}`),
        await of(`old.${world.ids.domain}`),
        await of('copy.example'),
      ],
      [null, null, 'traffic_rule', 'traffic_rule'],
    )
  })

  test('an allow-list of events says nothing about pageviews, and one of countries keeps the unknown out', async () => {
    await add({ kind: 'event', action: 'allow', value: 'Signup' })
    assert.deepEqual([await send({}), await send({ n: 'Signup' }), await send({ n: 'Other' })], [null, null, 'traffic_rule'])
    await add({ kind: 'country', action: 'allow', value: 'US' })
    await inForce()
    assert.deepEqual(
      [await send({}, { 'X-Forwarded-For': '8.8.8.8' }), await send({}, { 'X-Forwarded-For': '10.0.0.1' })],
      [null, 'traffic_rule'],
    )
  })

  test('bots and spam as the settings say', async () => {
    const settings = `${base}/settings`
    assert.deepEqual((await call('GET', settings)).body.data, { site_id: world.ids.site, bots: 'standard', spam_referrers: true })
    assert.equal(await send({ r: 'http://free-share-buttons.com/page' }), 'spam_referrer')
    assert.equal(await send({ r: 'https://www.s.semalt.com/' }), 'spam_referrer')
    assert.equal(await send({ r: 'https://notsemalt.com/' }), null)
    assert.equal(await send({}, { 'Accept-Language': '' }), null)
    await call('PATCH', settings, { bots: 'strict', spam_referrers: false })
    await inForce()
    assert.equal(await send({ r: 'http://free-share-buttons.com/page' }), null)
    assert.equal(await send({}, { 'Accept-Language': '' }), 'bot')
    assert.equal(await send({}, { 'User-Agent': 'SomethingNew/1.0' }), 'bot')
    await call('PATCH', settings, { bots: 'off' })
    await inForce()
    assert.equal(await send({}, { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }), null)
    assert.deepEqual((await call('GET', settings)).body.data, { site_id: world.ids.site, bots: 'off', spam_referrers: false })
  })

  for (const host of ['xn--bcher-kva.example', 'b\u00fccher.example', 'Bu\u0308cher.example']) {
    test(`a rule drops hits of an internationalized host by any form: ${host}`, async () => {
      await add({ kind: 'hostname', value: `*.${host}` })
      await add({ kind: 'referrer', value: `${host}/sp*` })
      await add({ kind: 'page', value: '/cafe\u0301' })
      for (const form of ['xn--bcher-kva.example', 'b\u00fccher.example']) {
        assert.equal(await send({ u: `https://shop.${form}/` }), 'traffic_rule')
        assert.equal(await send({ r: `https://${form}/spam` }), 'traffic_rule')
        assert.equal(await send({ r: `https://${form}/` }), null)
      }
      assert.equal(await send({ u: `https://${world.ids.domain}/caf\u00e9` }), 'traffic_rule')
    })
  }

  test('values are brought into one form, and what cannot be meant is refused', async () => {
    const kept = async (kind: string, value: string) => (await add({ kind, value })).body.data?.value
    assert.equal(await kept('ip', ' 203.0.113.77/24 '), '203.0.113.0/24')
    assert.equal(await kept('ip', '2001:DB8::1/48'), '2001:db8::/48')
    assert.equal(await kept('ip', '::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(await kept('ip', '192.0.2.9/32'), '192.0.2.9')
    assert.equal(await kept('region', 'de-be'), 'DE-BE')
    assert.equal(await kept('hostname', 'WWW.Example.org'), 'example.org')
    assert.equal(await kept('page', '/caf%C3%A9/**'), '/café/*')
    assert.equal(await kept('referrer', 'https://www.Spam.example/x'), 'spam.example/x')
    for (const [kind, value] of [
      ['ip', '10.0.0.0/7'],
      ['ip', '2001:db8::/31'],
      ['ip', '0x7f000001'],
      ['ip', '10.1'],
      ['ip', '10.0.0.0/8/8'],
      ['ip', 'localhost'],
      ['country', 'XX1'],
      ['country', 'QQ'],
      ['region', 'Berlin'],
      ['page', 'about'],
      ['page', '*'],
      ['user_agent', ' ** '],
      ['event', '*a*b*c*d*e*f*g*h*i*j*k'],
    ] as const) {
      assert.deepEqual(faultsOf(await add({ kind, value })), ['/value invalid_format'], `${kind} ${value}`)
    }
    assert.deepEqual(codeOf(await add({ kind: 'ip', value: '192.0.2.9', action: 'allow' })), [422, 'already_exists'])
    const all = await add({ kind: 'nose', value: '', action: 'maybe', enabled: 3, expires_at: 'soon', note: 'x'.repeat(201) })
    assert.equal(faultsOf(all).length, 6)
    assert.deepEqual(faultsOf(await add({ kind: 'ip', value: 'x', expires_at: '2020-01-01T00:00:00Z' })), [
      '/value invalid_format',
      '/expires_at too_small',
    ])
  })

  test('a site has at most 200', async () => {
    const rule = await service.store.read
      .selectFrom('traffic_rules')
      .selectAll()
      .where('id', '=', world.ids.traffic_rule ?? '')
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 199 }, (_, i) => ({
      ...rule,
      id: `${rule.id.slice(0, -3)}${String(i).padStart(3, '0')}`,
      value: `192.0.2.${i}`,
    }))
    await service.store.write.insertInto('traffic_rules').values(rows).execute()
    assert.deepEqual(codeOf(await add({ kind: 'country', value: 'DE' })), [422, 'limit_reached'])
  })

  test('the test of a hit returns its result with the deciding rule, and counts nothing', async () => {
    const { id } = (await add({ kind: 'page', value: '/intern*', note: 'Staff' })).body.data
    const ask = async (query: string) => (await call('GET', `${base}/test?${query}`)).body.data
    const blocked = await ask('url=/intern/a&ip=8.8.8.8')
    assert.deepEqual([blocked.counted, blocked.reason, blocked.rule.id, blocked.country], [false, 'traffic_rule', id, 'US'])
    assert.deepEqual(await ask('url=/'), {
      counted: true,
      reason: null,
      rule: null,
      country: null,
      region: null,
      asn: null,
      network: null,
      network_kind: null,
      dropped_30d: null,
      dropped_30d_unknown: null,
    })
    assert.equal((await ask('user_agent=curl/8')).reason, 'bot')
    assert.equal((await ask('referrer=https://semalt.com/')).reason, 'spam_referrer')
    assert.equal((await ask('ip=198.51.100.7')).rule.note, 'Ann at home')
    assert.deepEqual(faultsOf(await call('GET', `${base}/test?ip=nobody&url=data:x`)), ['/ip invalid_format', '/url invalid_format'])
    await service.app.use(collector).receive([], { ip: '', userAgent: '', acceptLanguage: '', caller: undefined })
    assert.deepEqual(column(await call('GET', base), 'matched_30d'), [0, 0])
  })

  test('matches of the last 30 days are counted, earlier ones no more', async () => {
    const rule = world.ids.traffic_rule ?? ''
    let now = service.clock.now - 31 * 86_400_000
    const counter = matchCounter(
      service.store,
      () => now,
      () => assert.fail(),
    )
    counter.count(rule)
    await counter.write()
    now = service.clock.now
    counter.count(rule)
    counter.count(rule)
    await counter.write()
    assert.deepEqual(column(await call('GET', base), 'matched_30d'), [2])
  })

  test('writing wants sites.manage', async () => {
    const analyst = await world.tokenFor('analyst')
    assert.equal((await call('POST', base, { kind: 'country', value: 'DE' }, analyst)).status, 403)
    assert.equal((await call('PATCH', `${base}/settings`, { bots: 'off' }, analyst)).status, 403)
    assert.equal((await call('GET', base, undefined, analyst)).status, 200)
  })
})

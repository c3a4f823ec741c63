/** Domains: the registered one, its registry's answer, and what is stored of that. */
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { domainExpiry, expirationIn } from '../../../operations/watch/uptime/domains/expiry.ts'
import { refreshDomains } from '../../../operations/watch/uptime/domains/refresh.ts'
import { registries } from '../../../operations/watch/uptime/domains/registries.ts'
import { registrableDomain } from '../../../operations/watch/uptime/target.ts'
import { domains_refresh } from '../../../operations/watch/uptime/tasks.ts'
import { OutboundError } from '../../../runtime/outbound/outbound.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { task } from '../../../runtime/table/task.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'

const guard = { allow: ['127.0.0.1'] }
const expiration = { eventAction: 'expiration', eventDate: '2027-08-13T04:00:00Z' }
const answers: Record<string, () => { status: number; body: string; location?: string }> = {
  'example.com': () => ({
    status: 200,
    body: JSON.stringify({
      objectClassName: 'domain',
      events: [{ eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' }, expiration],
    }),
  }),
  'nothing.com': () => ({ status: 200, body: JSON.stringify({ events: [] }) }),
  'gone.com': () => ({ status: 404, body: '{}' }),
  'busy.com': () => ({ status: 429, body: '' }),
  'html.com': () => ({ status: 200, body: '<html>' }),
  'long.com': () => ({ status: 200, body: `{"a":"${'x'.repeat(600_000)}"}` }),
  'moved.com': () => ({ status: 302, body: '', location: '/domain/example.com' }),
  'inside.com': () => ({ status: 302, body: '', location: 'http://10.0.0.1/domain/inside.com' }),
}
let server: http.Server
let known: Record<string, string>
const asked: string[] = []
before(async () => {
  server = http.createServer(({ url = '' }, response) => {
    const domain = url.replace('/domain/', '')
    asked.push(domain)
    const { status, body, location } = answers[domain]?.() ?? { status: 404, body: '{}' }
    response.writeHead(status, { 'Content-Type': 'application/rdap+json', ...(location && { Location: location }) }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  known = { com: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/` }
})
after(() => server.close())

describe('the registered domain of a target', () => {
  const http = {
    kind: 'http',
    host: null,
    port: null,
    keyword: null,
    expected_status: 200,
    accepted_statuses: '[]',
    http_method: 'GET',
  } as const
  const rows: [url: string, domain: string | null][] = [
    ['https://www.example.co.uk/a', 'example.co.uk'],
    ['http://example.com:8080', 'example.com'],
    ['https://a.b.bücher.de/', 'xn--bcher-kva.de'],
    ['https://93.184.216.34/', null],
    ['https://[2606:2800::1]/', null],
    ['http://localhost/', null],
    ['https://com/', null],
    ['https://project.github.io/', 'github.io'],
    ['https://EXAMPLE.com./', 'example.com'],
  ]
  for (const [url, domain] of rows) test(`${url} is ${domain}`, () => assert.equal(registrableDomain({ ...http, url }), domain))
})

describe('the table of registries', () => {
  test('names servers over TLS with a slash at the end, and the common domains', () => {
    for (const [tld, address] of Object.entries(registries)) assert.match(`${tld} ${address}`, /^[a-z]+ https:\/\/[a-z0-9./-]+\/$/)
    for (const tld of ['com', 'net', 'org', 'io', 'dev', 'app', 'de', 'uk', 'fr', 'nl', 'ch', 'xyz', 'info', 'biz', 'co', 'ai'])
      assert.ok(Object.hasOwn(registries, tld), tld)
  })
})

describe('answers of a registry', () => {
  const at = Date.parse(expiration.eventDate)
  const rows: [says: string, answer: unknown, at: number | null][] = [
    ['an expiration', { events: [expiration] }, at],
    ['none', { events: [] }, null],
    ['no events', {}, null],
    ['events that are no list', { events: 'x' }, null],
    ['a date that is none', { events: [{ eventAction: 'expiration', eventDate: 'soon' }] }, null],
    ['a date beyond time', { events: [{ eventAction: 'expiration', eventDate: '+275760-09-13T00:00:00.001Z' }] }, null],
    ['something else', { events: [null, 1, 'x', { eventAction: 'expiration' }, expiration] }, at],
    ['nothing', null, null],
  ]
  for (const [says, answer, expected] of rows) test(says, () => assert.equal(expirationIn(answer), expected))

  test('over the wire: an expiry, none, or ask again later', async () => {
    const ask = (domain: string) => domainExpiry({ domain, registries: known, guard, userAgent: 'test' })
    assert.equal(await ask('example.com'), at)
    assert.equal(await ask('moved.com'), at)
    assert.equal(await ask('nothing.com'), null)
    assert.equal(await ask('gone.com'), null)
    assert.equal(await ask('example.unheardof'), null)
    assert.equal(await ask('example.constructor'), null)
    for (const domain of ['busy.com', 'html.com', 'long.com']) await assert.rejects(ask(domain), domain)
    await assert.rejects(ask('inside.com'), (error: unknown) => error instanceof OutboundError && error.code === 'blocked')
  })
})

onAnyEngine('domains of checks', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    service.clock.now += 30 * 86_400_000
    await service.store.write.deleteFrom('uptime_checks').execute()
    await service.store.write.deleteFrom('uptime_domains').execute()
    world = await makeSite(service)
    await service.store.write.deleteFrom('uptime_checks').execute()
    asked.length = 0
  })
  const refresh = () =>
    createScheduler(service.app, [task({ ...domains_refresh, run: context => refreshDomains(context, guard, known) })]).runDue()
  const make = async (url: string) =>
    (await request(service, 'POST', `/workspaces/${world.ids.workspace}/uptime`, { token: world.token, body: { url } })).body.data
  const expiry = async (id: string) =>
    (await request(service, 'GET', `/uptime/checks/${id}`, { token: world.token })).body.data.domain_expires_at
  const later = async (hours: number) => {
    service.clock.now += hours * 3_600_000
    await refresh()
  }

  test('are asked about once for all checks under them, again after a day, and known to new ones at once', async () => {
    const [one, two] = [await make('https://www.example.com/'), await make('https://shop.example.com/')]
    assert.equal(one.domain_expires_at, null)
    await refresh()
    assert.deepEqual([await expiry(one.id), await expiry(two.id)], ['2027-08-13T04:00:00.000Z', '2027-08-13T04:00:00.000Z'])
    assert.equal((await make('https://example.com/')).domain_expires_at, '2027-08-13T04:00:00.000Z')
    await later(23.9)
    assert.deepEqual(asked, ['example.com'])
    await later(0.2)
    assert.deepEqual(asked, ['example.com', 'example.com'])
  })

  test('whose registry does not answer are asked again after an hour, and keep what was known', async () => {
    const { id } = await make('https://example.com/')
    await refresh()
    const whole = answers['example.com']
    answers['example.com'] = () => ({ status: 503, body: '' })
    await later(24)
    assert.equal(await expiry(id), '2027-08-13T04:00:00.000Z')
    await later(0.9)
    assert.equal(asked.length, 2)
    if (whole) answers['example.com'] = whole
    await later(0.2)
    assert.equal(asked.length, 3)
  })

  test('without a registry, domain dates are null, and no request is sent', async () => {
    const { id } = await make('https://93.184.216.34/')
    const other = await make('https://example.zz/')
    await refresh()
    assert.deepEqual([await expiry(id), await expiry(other.id), asked], [null, null, []])
  })

  test('change with the target, and end with the last check', async () => {
    const { id } = await make('https://gone.com/')
    await refresh()
    assert.equal(await expiry(id), null)
    const { body } = await request(service, 'PATCH', `/uptime/checks/${id}`, { token: world.token, body: { url: 'https://example.com/' } })
    assert.equal(body.data.domain_expires_at, null)
    await refresh()
    assert.equal(await expiry(id), '2027-08-13T04:00:00.000Z')
    await later(24)
    assert.deepEqual(asked, ['gone.com', 'example.com', 'example.com'])
    const left = await service.store.read.selectFrom('uptime_domains').select('id').execute()
    assert.deepEqual(left, [{ id: 'example.com' }])
  })
})

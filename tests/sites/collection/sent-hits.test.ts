/** Hits of a site's server: in batches, by `footfall/server`, each once. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createFootfall, forExpress, forFetch, forNext } from '../../../tracker/server/server.ts'
import { onAnyEngine, onEachEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** A site, and a client of it that calls the service without a socket. */
function siteOf(service: TestService, world: World) {
  const figures = async () => {
    const { data } = (await request(service, 'GET', `/sites/${world.ids.site}/stats/aggregate?period=today`, { token: world.token })).body
    return [data.metrics.visitors, data.metrics.visits, data.metrics.pageviews]
  }
  const post = (hits: readonly unknown[], headers = {}) =>
    request(service, 'POST', `/sites/${world.ids.site}/hits`, { token: world.token, body: { hits }, headers })
  const sent: Array<Record<string, unknown>> = []
  const errors: string[] = []
  const fetch = async (address: unknown, { body, headers }: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(address))
    const parsed = JSON.parse(String(body))
    const { 'content-type': _, ...given } = Object.fromEntries(new Headers(headers))
    sent.push(...parsed.hits)
    const answer = await request(service, 'POST', pathname, { body: parsed, headers: given })
    return new Response(answer.text, { status: answer.status })
  }
  const client = (more: Pick<Parameters<typeof createFootfall>[0], 'fetch' | 'include' | 'addressHeader'> = {}) =>
    createFootfall({
      url: 'https://footfall.example.com/',
      site: String(world.ids.site),
      token: String(world.token),
      exit: false,
      onError: ({ message }) => errors.push(message),
      ...{ fetch, ...more },
    })
  return { figures, post, client, fetch, sent, errors }
}

onEachEngine('hits of a server', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
  })
  const hit = (url: string, more: object = {}) => ({ name: 'pageview', url, ip: '81.2.69.160', user_agent: chrome, ...more })

  test('count for the site of the path, by visitor; the answer says what became of the others', async () => {
    const { post, figures } = siteOf(service, world)
    const { body, status } = await post([
      hit('https://example.com/'),
      hit('https://example.com/b', { domain: 'another.example', d: 'another.example' }),
      hit('/c', { ip: '2.125.160.216' }),
      hit('/c', { name: 'Signup', ip: '2.125.160.216', props: { plan: 'pro' } }),
      hit('/', { user_agent: 'curl/8.0' }),
      hit('/', { timestamp: 1_000 }),
      hit('/', { ip: 'nowhere' }),
      hit('/', { url: 7 }),
      {},
    ])
    assert.equal(status, 200)
    const left_out = [
      ['bot', 1],
      ['too_old', 1],
      ['invalid', 3],
    ].map(([reason, hits]) => ({ reason, hits }))
    assert.deepEqual(body.data, { stored: 4, left_out })
    assert.deepEqual(await figures(), [2, 2, 3])
  })

  test('count once if the call is repeated with its key, and are refused of another site or in a batch that is too long', async () => {
    const { post, figures } = siteOf(service, world)
    const key = { 'Idempotency-Key': 'batch-1' }
    const [first, again] = [await post([hit('/')], key), await post([hit('/')], key)]
    assert.deepEqual(first.body.data, again.body.data)
    assert.deepEqual((await figures())[2], 1)
    const other = await makeWorld(service)
    assert.equal((await request(service, 'POST', `/sites/${other.ids.site}/hits`, { token: world.token, body: { hits: [] } })).status, 404)
    assert.equal((await post(Array.from({ length: 501 }, () => ({})))).status, 422)
    assert.equal((await post(['x'])).status, 422)
  })

  test('of the client are sent again after a lost answer, and count once', async () => {
    const { client, figures, fetch, errors } = siteOf(service, world)
    let lost = 1
    const footfall = client({
      fetch: async (...call) => {
        const answer = await fetch(...call)
        if (lost-- > 0) throw new TypeError('the connection was reset')
        return answer
      },
    })
    const visitor = { url: 'https://example.com/a', ip: '81.2.69.160', userAgent: chrome, timestamp: service.clock.now }
    footfall.pageview(visitor)
    footfall.track('Signup', { ...visitor, props: { plan: 'pro' } })
    await footfall.flush()
    await footfall.close()
    assert.deepEqual([await figures(), errors, lost], [[1, 1, 1], [], -1])
  })
})

onAnyEngine('footfall/server', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
  })

  test('sends again after 503, 429 and 409 of a running request, waits as Retry-After says, and gives up after another refusal', async () => {
    const { client, errors } = siteOf(service, world)
    const answers = [
      new Response('', { status: 503 }),
      new Response('{"error":{"code":"idempotency_in_progress"}}', { status: 409 }),
      new Response('', { status: 429, headers: { 'Retry-After': '1' } }),
      new Response('{"data":{}}'),
      new Response('no such site', { status: 404 }),
    ]
    const calls: Array<{ key: string | null; at: number }> = []
    const footfall = client({
      fetch: async (_, options) => {
        calls.push({ key: new Headers(options?.headers).get('idempotency-key'), at: performance.now() })
        return answers.shift()!
      },
    })
    footfall.track('A', { url: '/' })
    await footfall.flush()
    assert.equal(new Set(calls.map(({ key }) => key)).size, 1, 'under one key')
    assert.ok(calls[3]!.at - calls[2]!.at > 990)
    assert.deepEqual(errors, [])
    footfall.track('B', { url: '/' })
    await footfall.flush()
    assert.deepEqual([calls.length, errors], [5, ['Footfall: answered 404 no such site; hits that are lost: 1']])
  })

  test('never throws into the code that calls it, and bounds what waits', async () => {
    const { client, errors } = siteOf(service, world)
    const footfall = client({ fetch: () => new Promise(() => {}) })
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    footfall.track('cycle', { props: cycle as never })
    footfall.track('bigint', { props: { n: 1n } as never })
    footfall.track('large', { title: 'x'.repeat(60_000) })
    assert.equal(errors.length, 3)
    for (let i = 0; i < 10_200; i++) footfall.track('E')
    assert.equal(errors.filter(error => /too many hits wait/.test(error)).length, 100, 'in addition to a batch that is on its way')
    assert.throws(() => createFootfall({ url: 'https://footfall.example.com', site: '', token: 'x' }), /needs site/)
    assert.throws(() => forExpress({ ...footfall }), TypeError)
  })

  test('the middleware of Express counts pages that were shown, with the address of the connection, and gives calls to the handler', async () => {
    const { client, sent, errors } = siteOf(service, world)
    const footfall = client({ include: path => path !== '/admin' })
    const middleware = forExpress(footfall)
    const server = createServer((incoming, response) =>
      middleware(incoming, response, () => {
        if (incoming.url === '/buy') Reflect.get(incoming, 'footfall').track('Purchase', { revenue: { amount: 9, currency: 'EUR' } })
        response.writeHead(incoming.url === '/gone' ? 404 : 200, {
          'Content-Type': incoming.url === '/a.json' ? 'application/json' : 'text/html; charset=utf-8',
        })
        response.end('x')
      }),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const visit = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      new Promise(done =>
        get(
          {
            port,
            host: '127.0.0.1',
            path,
            method,
            headers: { Accept: 'text/html', 'User-Agent': chrome, 'Accept-Language': 'de-DE,de;q=0.9', ...headers },
          },
          answer => answer.resume().on('end', done),
        ),
      )
    await visit('/?utm_source=x', { Referer: 'https://www.google.com/', 'X-Forwarded-For': '203.0.113.9' })
    for (const path of ['/gone', '/a.json', '/admin']) await visit(path)
    await visit('/ahead', { 'Sec-Purpose': 'prefetch;prerender' })
    await visit('/frame', { 'Sec-Fetch-Dest': 'iframe' })
    await visit('/head', {}, 'HEAD')
    await visit('/buy')
    server.close()
    await footfall.flush()
    await footfall.close()
    assert.deepEqual(errors, [])
    const base = `http://127.0.0.1:${port}`
    assert.deepEqual(
      sent.map(({ name, u, r, ip, l, user_agent }) => [name, u, r, ip, l, user_agent === chrome]),
      [
        ['pageview', `${base}/?utm_source=x`, 'https://www.google.com/', '127.0.0.1', 'de-DE', true],
        ['Purchase', `${base}/buy`, undefined, '127.0.0.1', 'de-DE', true],
        ['pageview', `${base}/buy`, undefined, '127.0.0.1', 'de-DE', true],
      ],
    )
  })

  test('takes the address from the header that the platform sets, its last entry; others are ignored', async () => {
    const { client, sent } = siteOf(service, world)
    const ask = (headers: Record<string, string>) =>
      new Request('https://example.com/a', { headers: { Accept: 'text/html', 'User-Agent': chrome, ...headers } })
    const html = (_request: Request, _info?: unknown) => new Response('x', { headers: { 'Content-Type': 'text/html' } })
    const footfall = client({ addressHeader: 'x-forwarded-for' })
    await forFetch(footfall, html)(ask({ 'X-Forwarded-For': '203.0.113.9, 2.125.160.216', 'CF-Connecting-IP': '203.0.113.9' }))
    footfall.of(ask({ 'X-Forwarded-For': '[2001:db8::1]:443' })).track('A')
    const deno = client()
    await forFetch(deno, html)(ask({ 'X-Forwarded-For': '203.0.113.9' }), { remoteAddr: { hostname: '::ffff:81.2.69.160' } })
    const bun = { requestIP: () => ({ address: '81.2.69.161' }) }
    await forFetch(deno, html)(ask({}), bun)
    await Promise.all([footfall.flush(), deno.flush()])
    assert.deepEqual(sent.map(({ ip }) => ip).sort(), ['2.125.160.216', '2001:db8::1', '81.2.69.160', '81.2.69.161'])
  })

  test('at the edge, a page is sent within the request that counted it', async () => {
    const { client, sent } = siteOf(service, world)
    const proxy = forNext(client())
    const later: Promise<unknown>[] = []
    const ask = (path: string, headers: Record<string, string> = {}) =>
      proxy(new Request(`https://example.com${path}`, { headers: { Accept: 'text/html', 'User-Agent': chrome, ...headers } }), {
        waitUntil: promise => void later.push(promise),
      })
    ask('/a', { 'X-Forwarded-For': '81.2.69.160' })
    for (const path of ['/_next/x', '/api/x', '/logo.png']) ask(path)
    await Promise.all(later)
    assert.deepEqual(
      sent.map(({ u, ip }) => [u, ip]),
      [['https://example.com/a', '81.2.69.160']],
    )
  })
})

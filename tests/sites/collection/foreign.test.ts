/** Messages of other products' tags and libraries: what each becomes, and hostile input to every address of them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { foreignEndpoints } from '../../../operations/sites/collection/foreign/routes.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
interface Kept {
  readonly pages?: readonly string[]
  readonly events?: readonly string[]
  /** In minor units. */
  readonly revenue?: number
  /** Reasons of dropped messages. */
  readonly dropped?: string
  readonly status?: number
}
type Case = readonly [title: string, sent: (domain: string) => Sent, kept: Kept]

const query = (fields: Readonly<Record<string, string | number>>) =>
  new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString()
const matomo = (fields: Record<string, string | number>) => (domain: string) => ({
  path: `/matomo.php?${query({ idsite: 1, rec: 1, url: `https://${domain}/a?utm_source=x`, ...fields })}`,
  method: 'GET' as const,
})
const segment = (path: string, message: object) => (domain: string) => ({
  path,
  body: { context: { page: { url: `https://${domain}/a`, title: 'A' } }, ...message },
})
const posthog =
  (event: string, properties: object = {}) =>
  (domain: string) => ({
    path: '/e/?ip=0',
    body: { event, properties: { $current_url: `https://${domain}/a`, $lib: 'web', token: 'phc_1', ...properties } },
  })
const measured =
  (...events: object[]) =>
  (domain: string) => ({
    path: '/mp/collect?measurement_id=G-1&api_secret=x',
    body: {
      client_id: 'c',
      events: events
        .map(event => ({ params: {}, ...event }))
        .map(({ params, ...event }) => ({ ...event, params: { page_location: `https://${domain}/a`, ...params } })),
    },
  })

const cases: readonly Case[] = [
  ['Matomo: a pageview', matomo({ action_name: 'A' }), { pages: ['/a'] }],
  ['Matomo: an event', matomo({ e_c: 'Video', e_a: 'Play', e_n: 'Intro', e_v: 3 }), { events: ['Video - Play'] }],
  [
    'Matomo: a goal with revenue, which has no currency of its own',
    matomo({ idgoal: 3, revenue: 9.5 }),
    { events: ['Goal 3'], revenue: 950 },
  ],
  [
    'Matomo: an order',
    matomo({ idgoal: 0, ec_id: 'A-1', revenue: 20, ec_items: '[["s","n","c",10,2]]' }),
    { events: ['Purchase'], revenue: 2000 },
  ],
  ['Matomo: a cart', matomo({ idgoal: 0, revenue: 20, ec_items: '[' }), { events: ['Abandoned Cart'] }],
  ['Matomo: a search', matomo({ search: 'shoes', search_count: 4 }), { events: ['Search'] }],
  ['Matomo: a download', matomo({ download: 'https://x.example/a.pdf' }), { events: ['File Download'] }],
  ['Matomo: an outbound link', matomo({ link: 'https://x.example/' }), { events: ['Outbound Link: Click'] }],
  ['Matomo: an impression of content', matomo({ c_n: 'Ad', c_p: 'ad.png' }), { events: ['Content Impression'] }],
  ['Matomo: an interaction with content', matomo({ c_n: 'Ad', c_i: 'click' }), { events: ['Content Interaction'] }],
  ['Matomo: a message of a plug-in has no place', matomo({ ma_id: 'x1', ma_ti: 'Video' }), { dropped: 'unsupported' }],
  [
    'Matomo: a batch; one invalid request does not affect the others',
    domain => ({
      path: '/matomo.php',
      body: { requests: [`?idsite=1&rec=1&url=https%3A%2F%2F${domain}%2Fb`, '?rec=1', { idsite: 1, rec: 1, url: `https://${domain}/c` }] },
    }),
    { pages: ['/b', '/c'], dropped: 'invalid' },
  ],
  [
    'Matomo: a form',
    domain => ({ path: '/piwik.php', body: query({ idsite: 1, rec: 1, send_image: 0, url: `https://${domain}/b` }) }),
    { pages: ['/b'], status: 204 },
  ],
  [
    'GoatCounter: a page of the site that its browser names',
    domain => ({
      path: `/count?${query({ p: '/a', t: 'A', q: '?utm_source=x' })}`,
      method: 'GET',
      headers: { Referer: `https://${domain}/` },
    }),
    { pages: ['/a'] },
  ],
  [
    'GoatCounter: an event',
    domain => ({ path: '/count?p=my-event&e=true&t=T', headers: { Origin: `https://${domain}` } }),
    { events: ['my-event'] },
  ],
  ['GoatCounter: the site in the path', domain => ({ path: `/count/${domain}?p=/a`, method: 'GET' }), { pages: ['/a'] }],
  [
    'GoatCounter: a browser that a program drives',
    domain => ({ path: '/count?p=/a&b=153', headers: { Origin: `https://${domain}` } }),
    { dropped: 'bot' },
  ],
  [
    'Simple Analytics: a pageview',
    domain => ({
      path: `/simple.gif?${query({ type: 'pageview', hostname: domain, path: '/a', query: 'utm_source=x', referrer: 'x.example' })}`,
      method: 'GET',
    }),
    { pages: ['/a'] },
  ],
  [
    'Simple Analytics: an event of a server',
    domain => ({ path: '/events', body: { type: 'event', hostname: domain, event: 'bought', path: '/a', metadata: { plan: 'pro' } } }),
    { events: ['bought'] },
  ],
  [
    'Cloudflare: a page load',
    domain => ({ path: '/cdn-cgi/rum', body: { location: `https://${domain}/a`, referrer: '', siteToken: 't', eventType: 1 } }),
    { pages: ['/a'], status: 204 },
  ],
  [
    'Cloudflare: web vitals',
    domain => ({
      path: '/cdn-cgi/rum',
      body: { location: `https://${domain}/a`, eventType: 3, lcp: { value: 900, path: 'p' }, cls: { value: 0.1 } },
    }),
    { status: 204 },
  ],
  [
    'Google: several events of a page in one request',
    domain => ({
      path: `/g/collect?${query({ v: 2, tid: 'G-1', dl: `https://${domain}/a`, dt: 'A' })}`,
      body: 'en=page_view\r\nen=sign_up&ep.method=mail\r\nen=session_start',
    }),
    { pages: ['/a'], events: ['sign_up'], dropped: 'unsupported', status: 204 },
  ],
  [
    'Google: a purchase and a refund by the Measurement Protocol',
    measured({ name: 'purchase', params: { value: 30, currency: 'EUR' } }, { name: 'refund', params: { value: 10, currency: 'eur' } }),
    { events: ['purchase', 'refund'], revenue: 2000, status: 204 },
  ],
  ['Segment: a page', segment('/v1/page', { type: 'page', name: 'A' }), { pages: ['/a'] }],
  [
    'Segment: a batch of an order, a group and an unknown thing',
    domain => ({
      path: '/v1/batch',
      body: {
        context: { page: { url: `https://${domain}/a` } },
        batch: [{ type: 'track', event: 'Order Completed', properties: { revenue: 12, currency: 'EUR' } }, { type: 'group' }, 5],
      },
    }),
    { events: ['Order Completed'], revenue: 1200, dropped: 'unsupported, invalid' },
  ],
  ['Segment: the short path of a track', segment('/v1/t', { event: 'Signup' }), { events: ['Signup'] }],
  ['PostHog: a pageview', posthog('$pageview'), { pages: ['/a'] }],
  ['PostHog: an event with revenue', posthog('bought', { revenue: 5, currency: 'EUR' }), { events: ['bought'], revenue: 500 }],
  ['PostHog: an event that it sends by itself has no place', posthog('$autocapture'), { dropped: 'unsupported' }],
  [
    'PostHog: a compressed batch',
    domain => ({
      path: '/batch/?compression=gzip-js',
      body: gzipSync(
        JSON.stringify({ api_key: 'phc_1', batch: [{ event: '$pageview', properties: { $current_url: `https://${domain}/a` } }] }),
      ),
    }),
    { pages: ['/a'] },
  ],
  [
    'PostHog: a form with base64',
    domain => ({
      path: '/e/',
      body: `data=${encodeURIComponent(Buffer.from(JSON.stringify(posthog('$pageview')(domain).body)).toString('base64'))}`,
    }),
    { pages: ['/a'] },
  ],
]

onAnyEngine('formats of other products', engine => {
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

  const send = async ({ method = 'POST', path, body, headers = {} }: Sent) => {
    const sent = typeof body === 'string' || body === undefined ? body : Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body)
    const answer = await service.web.request(path, {
      method,
      headers: { 'User-Agent': chrome, 'Content-Type': 'text/plain', ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const rows = async (dimension: string, metric: string) => {
    const { body } = await request(service, 'GET', `/sites/${world.ids.site}/breakdown/${dimension}?period=today`, { token: world.token })
    return body.data.rows.filter((row: any) => row[metric] > 0).map((row: any) => row.value)
  }

  for (const [title, sent, { pages = [], events = [], revenue = 0, dropped = null, status = 200 }] of cases) {
    test(title, async () => {
      const answer = await send(sent(domain))
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.equal(answer.headers.get('x-footfall-dropped'), dropped)
      assert.deepEqual((await rows('page', 'pageviews')).sort(), pages)
      assert.deepEqual((await rows('event', 'events')).sort(), events)
      const { body } = await request(service, 'GET', `/sites/${world.ids.site}/stats/aggregate?period=today`, { token: world.token })
      assert.equal(body.data.metrics.revenue, revenue)
    })
  }

  test('a HEAD shows no page', async () => {
    for (const path of [
      `/count?p=%2Fa`,
      `/simple.gif?${query({ type: 'pageview', hostname: domain, path: '/a' })}`,
      `/matomo.php?${query({ idsite: 1, rec: 1, url: `https://${domain}/a` })}`,
      `/g/collect?${query({ v: 2, tid: 'G-1', en: 'page_view', dl: `https://${domain}/a` })}`,
    ]) {
      assert.equal((await send({ path, method: 'HEAD', headers: { Referer: `https://${domain}/a` } })).status, 204)
    }
    assert.deepEqual(await rows('page', 'pageviews'), [])
  })

  test('an id of another product counts for the site that has it as an alias, on hosts that are no site', async () => {
    const elsewhere = { path: '/matomo.php?idsite=77&rec=1&url=https%3A%2F%2Felsewhere.example%2Fa', method: 'GET' } as const
    assert.equal((await send(elsewhere)).headers.get('x-footfall-dropped'), 'unknown_site')
    const { status } = await request(service, 'PATCH', `/sites/${world.ids.site}`, {
      token: world.token,
      body: { aliases: ['matomo:77', 'google:G-ABC', 'posthog:phc_Key', 'segment:WKEY'] },
    })
    assert.equal(status, 200)
    assert.equal((await send(elsewhere)).headers.get('x-footfall-dropped'), null)
    await send({ path: '/mp/collect?measurement_id=G-abc', body: { events: [{ name: 'server_event' }] } })
    await send({ path: '/batch', body: { api_key: 'phc_Key', batch: [{ event: 'posted', properties: {} }] } })
    await send({
      path: '/v1/track',
      body: { event: 'tracked' },
      headers: { Authorization: `Basic ${Buffer.from('WKEY:').toString('base64')}` },
    })
    assert.deepEqual((await rows('event', 'events')).sort(), ['posted', 'server_event', 'tracked'])
    assert.deepEqual(await rows('page', 'pageviews'), ['/a'])
  })

  test('the own host of another site comes before an alias', async () => {
    const other = await makeSite(service)
    await request(service, 'PATCH', `/sites/${other.ids.site}`, { token: other.token, body: { aliases: ['matomo:78'] } })
    await send({ path: `/matomo.php?idsite=78&rec=1&url=https%3A%2F%2F${domain}%2Fa`, method: 'GET' })
    assert.deepEqual(await rows('page', 'pageviews'), ['/a'])
  })

  test('only a token of the site lets a server name its visitor', async () => {
    const url = `https://${domain}/a`
    const claim = (token: string) => ({
      path: '/matomo.php',
      body: { token_auth: token, requests: [`?${query({ idsite: 1, rec: 1, url, cip: '203.0.113.9' })}`] },
    })
    const other = await makeSite(service)
    assert.equal((await send(claim(other.token))).status, 403)
    assert.equal((await send(claim(`${world.token.slice(0, -1)}?`))).status, 200, 'no token of ours: an anonymous sender')
    assert.equal((await send(claim(world.token))).status, 200)
    const visits = await service.store.read.selectFrom('visits').selectAll().where('site_id', '=', world.siteNumber).execute()
    assert.equal(visits.length, 2, 'the visitor that the token names is another one')
  })

  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  const hostile: readonly unknown[] = [
    '',
    '{',
    '[]',
    'null',
    '5',
    deep,
    '\u0000',
    'x=%ff%fe&=&&&=',
    `data=${'A'.repeat(5_000)}`,
    Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]),
    Buffer.from([0xff, 0xfe, 0xfd]),
    gzipSync(Buffer.alloc(8 * 1024 * 1024)),
    {
      batch: [null, 5, [], 'x', {}, { type: {}, event: [], properties: 'x', context: 5 }],
      events: [null, { name: {} }, { name: 'x', params: [] }],
    },
    { batch: 'x', events: 'x', requests: 'x', properties: 5 },
    { requests: [null, 5, [], {}, '?', { url: { a: 1 }, idsite: [] }], location: {}, hostname: [], path: {}, event: {}, siteToken: [] },
    { batch: Array.from({ length: 1_001 }, () => ({})), events: Array.from({ length: 1_001 }, () => ({})) },
    { requests: Array.from({ length: 1_001 }, () => '?') },
    { event: 'x'.repeat(5_000), properties: { $current_url: 'x'.repeat(5_000), __proto__: { a: 1 } }, location: 'data:text/html,x' },
  ]

  test('a form with as many names as fit takes time in proportion to its length', async () => {
    const names = Array.from({ length: 120_000 }, (_, i) => `a${i.toString(36)}=`)
    const before = process.cpuUsage()
    for (const path of ['/matomo.php', '/g/collect', '/e/', '/mp/collect', '/v1/batch']) {
      for (const body of [names.join('&'), `data=&${names.join('&')}`, names.join('\n')]) {
        const { status } = await request(service, 'POST', path, { headers: { 'Content-Type': 'text/plain' }, body })
        assert.ok(status < 500 && status !== 413, `${path} ${status}`)
      }
    }
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 20e6, `${(user + system) / 1e6} s of CPU; each pass over the names for each name takes minutes`)
  })

  for (const { route } of Object.values(foreignEndpoints)) {
    test(`${route}: hostile input is answered below 500, and leaves nothing`, async () => {
      const [method, path = ''] = route.split(' ') as ['GET' | 'POST', string]
      const to = path.replace('{site}', 'x').replace('{key}', 'k')
      const junk = [
        '',
        '?p=%00&e=true',
        `?${query({ idsite: '\u202e', url: 'about:blank', dl: '///', p: '\ud800', hostname: '..', data: '%%%', type: 'x' })}`,
      ]
      for (const search of junk) assert.ok((await send({ method, path: to + search })).status < 500)
      if (method === 'POST')
        for (const body of hostile) {
          const answer = await send({ path: to, body })
          assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
          assert.equal(answer.headers.get('access-control-allow-origin'), '*')
        }
      assert.equal((await service.store.read.selectFrom('hits').selectAll().where('site_id', '=', world.siteNumber).execute()).length, 0)
      const preflight = await request(service, 'OPTIONS' as 'GET', to)
      assert.equal(preflight.status, 204)
    })
  }

  test('scripts are served at the addresses of other products’ scripts', async () => {
    for (const [path, holds] of Object.entries({
      '/script.js': /data-website-id[^]*data-site|data-site[^]*data-website-id/,
      '/umami.js': /data-website-id/,
      '/matomo.js': /trackPageView/,
      '/piwik.js': /trackPageView/,
      '/count.js': /data-goatcounter/,
      '/latest.js': /sa_event/,
      '/beacon.min.js': /data-cf-beacon/,
      '/gtag/js?id=G-1': /dataLayer/,
    })) {
      const { status, text, headers } = await request(service, 'GET', path)
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/javascript; charset=utf-8'], path)
      assert.match(text, holds)
    }
  })
})

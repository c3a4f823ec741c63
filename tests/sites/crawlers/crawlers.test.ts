/** Crawlers of a site: from logs that are sent, and from bots that run our script. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { column, faultsOf } from '../../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { withBody } from '../../support/with-body.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const gpt = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

onAnyEngine('crawlers', engine => {
  let service: TestService
  let world: World
  let base: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
    await service.store.write.deleteFrom('crawler_days').execute()
    await service.store.write.deleteFrom('crawler_pages').execute()
    base = `/sites/${world.ids.site}/crawlers`
  })

  const call = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, body })
  const seen = (user_agent: string, url: string, more: object = {}) => ({
    at: new Date(service.clock.now).toISOString(),
    ip: '203.0.113.9',
    url,
    status: 200,
    bytes: 1_000,
    user_agent,
    ...more,
  })
  const post = (requests: readonly object[]) => call('POST', `${base}/requests`, { requests })

  test('requests are counted by crawler, day and path; people are left out, and no address is kept', async () => {
    const { data } = (
      await post([
        seen(gpt, '/a?x=1'),
        seen(gpt, '/a', { status: 404 }),
        seen(gpt, '/b', { status: 503, bytes: 10, at: '2026-03-09T08:00:00Z' }),
        seen(google, '/a', { ip: '66.249.66.1' }),
        seen(google, '/a', { ip: '198.51.100.99' }),
        seen(chrome, '/a'),
        seen(gpt, '/c', { ip: 'nobody' }),
        seen(gpt, 'OPTIONS *'),
        seen(gpt, '/c', { at: '2020-01-01T00:00:00Z' }),
        seen(gpt, '/c', { at: 'soon' }),
      ])
    ).body
    assert.deepEqual(data, {
      accepted: 5,
      human: 1,
      rejected: [
        { index: 6, code: 'invalid_address' },
        { index: 7, code: 'invalid_path' },
        { index: 8, code: 'invalid_time' },
        { index: 9, code: 'invalid_format' },
      ],
    })
    const listed = await call('GET', base)
    assert.deepEqual(listed.body.data[0], {
      name: 'GPTBot',
      operator: 'OpenAI',
      category: 'ai_training',
      requests: 3,
      script_hits: 0,
      paths: 2,
      status_4xx: 1,
      status_5xx: 1,
      bytes: 2_010,
      verified: 0,
      spoofed: 0,
      first_seen_at: '2026-03-09T08:00:00.000Z',
      last_seen_at: new Date(service.clock.now).toISOString(),
    })
    assert.deepEqual([listed.body.data[1].name, listed.body.data[1].verified, listed.body.meta.total], ['Googlebot', 1, 2])
    assert.deepEqual(column(await call('GET', `${base}?category=search`), 'name'), ['Googlebot'])
    assert.deepEqual(column(await call('GET', `${base}?to=2026-03-09`), 'requests'), [1])
    const detail = (await call('GET', `${base}/detail?name=GPTBot&from=2026-03-08`)).body.data
    assert.deepEqual(
      detail.series.map(({ date, requests }: { date: string; requests: number }) => [date, requests]),
      [
        ['2026-03-08', 0],
        ['2026-03-09', 1],
        ['2026-03-10', 2],
      ],
    )
    assert.deepEqual(column({ body: { data: detail.top_paths } } as never, 'path'), ['/a', '/b'])
    const stored = JSON.stringify([
      await service.store.read.selectFrom('crawler_days').selectAll().execute(),
      await service.store.read.selectFrom('crawler_pages').selectAll().execute(),
    ])
    assert.doesNotMatch(stored, /203\.0\.113|66\.249|198\.51/)
    assert.deepEqual(faultsOf(await call('GET', `${base}/detail?name=Nobot`)), ['/name not_found'])
    assert.deepEqual(faultsOf(await call('GET', `${base}?from=2020-01-01`)), ['/from too_small'])
  })

  test('each log format is read by its lines; fields that exclude each other are refused', async () => {
    const lines = [`203.0.113.9 - - [10/Mar/2026:11:59:00 +0000] "GET /blog HTTP/1.1" 200 5120 "-" "${gpt}"`, '', 'nonsense']
    const { data } = (await call('POST', `${base}/requests`, { format: 'combined', lines })).body
    assert.deepEqual(data, { accepted: 1, human: 0, rejected: [{ index: 2, code: 'invalid_format' }] })
    const front = '2026-03-10\t11:59:01\tFRA2-C1\t512\t203.0.113.9\tGET\td1.cloudfront.net\t/blog\t200\t-\tGPTBot/1.2\t-\t-'
    await call('POST', `${base}/requests`, { format: 'cloudfront', lines: ['#Version: 1.0', front] })
    assert.equal((await call('GET', base)).body.data[0].requests, 2)
    assert.deepEqual(faultsOf(await call('POST', `${base}/requests`, { format: 'caddy', requests: [] })), [
      '/lines required',
      '/requests mismatch',
    ])
    assert.deepEqual(faultsOf(await call('POST', `${base}/requests`, { requests: Array(1_001).fill(seen(gpt, '/')) })), [
      '/requests too_many_items',
    ])
    const analyst = await world.tokenFor('analyst')
    assert.equal((await request(service, 'POST', `${base}/requests`, { token: analyst, body: { requests: [] } })).status, 403)
  })

  test('bots that run our script count too, and stay out of visits', async () => {
    for (const [agent, u] of [
      [gpt, '/a'],
      [gpt, '/a'],
      [chrome, '/a'],
    ] as const)
      await request(service, 'POST', '/api/event', {
        body: { n: 'pageview', u: `https://${world.ids.domain}${u}`, d: world.ids.site },
        headers: { 'User-Agent': agent },
      })
    while ((await call('GET', base)).body.data.length === 0) await new Promise(resolve => setTimeout(resolve, 50))
    const [bot] = (await call('GET', base)).body.data
    assert.deepEqual([bot.name, bot.requests, bot.script_hits], ['GPTBot', 0, 2])
    assert.equal((await call('GET', `/sites/${world.ids.site}/stats/aggregate?period=today`)).body.data.metrics.visits, 1)
  })

  test('pages: crawlers by category compared with visits, visits that AI sent, and pages that are never crawled', async () => {
    const visit = (ip: string, url: string, r = '') =>
      request(service, 'POST', '/api/event', {
        token: world.token,
        body: { n: 'pageview', u: `https://${world.ids.domain}${url}`, d: world.ids.site, ip, r },
        headers: { 'User-Agent': chrome },
      })
    await visit('203.0.113.1', '/caf%C3%A9', 'https://chatgpt.com/')
    await visit('203.0.113.2', '/caf%C3%A9')
    await visit('203.0.113.3', '/hidden')
    await post([seen(gpt, '/caf%C3%A9'), seen(google, '/caf%C3%A9'), seen(gpt, '/caf%C3%A9'), seen(gpt, '/old')])
    const { data } = (await call('GET', `${base}/pages`)).body
    assert.deepEqual(data, [
      {
        path: '/café',
        requests: 3,
        by_category: [
          { category: 'ai_training', requests: 2 },
          { category: 'search', requests: 1 },
        ],
        visits: 2,
        ai_visits: 1,
        never_crawled: false,
      },
      { path: '/old', requests: 1, by_category: [{ category: 'ai_training', requests: 1 }], visits: 0, ai_visits: 0, never_crawled: false },
      { path: '/hidden', requests: 0, by_category: [], visits: 1, ai_visits: 0, never_crawled: true },
    ])
    assert.deepEqual(column(await call('GET', `${base}/pages?never_crawled=true`), 'path'), ['/hidden'])
    const robots = (await call('GET', `${base}/robots?block=ai_training&block=ai_search`)).body.data
    assert.match(robots.robots_txt, /^# ai_training\nUser-agent: [^]*User-agent: GPTBot\n[^]*Disallow: \/\n\n# ai_search\n/)
    assert.doesNotMatch(robots.robots_txt, /Googlebot\n/)
    assert.deepEqual([robots.blocked[0].recent_requests, robots.blocked[1].recent_visits], [3, 1])
  })

  test('a site’s day keeps so many paths; further ones count as (other)', async () => {
    const { site } = world.ids
    const rows = Array.from({ length: 4_999 }, (_, i) => ({
      site_id: site ?? '',
      day: 20_522,
      name: 'GPTBot',
      category: 'ai_training',
      path: `/p${i}`,
      requests: 1,
      last_at: 0,
    }))
    for (let i = 0; i < rows.length; i += 1_000)
      await service.store.write
        .insertInto('crawler_pages')
        .values(rows.slice(i, i + 1_000))
        .execute()
    await post([seen(gpt, '/n1'), seen(gpt, '/n2'), seen(gpt, '/n3'), seen(gpt, '/p7')])
    const paths = await service.store.read.selectFrom('crawler_pages').select(['path', 'requests']).where('requests', '>', 1).execute()
    assert.deepEqual(
      new Map(paths.map(({ path, requests }) => [path, requests])),
      new Map([
        ['(other)', 2],
        ['/p7', 2],
      ]),
    )
  })

  test('sums of bytes end where numbers do', async () => {
    const huge = seen(gpt, '/a', { bytes: Number.MAX_SAFE_INTEGER })
    for (let i = 0; i < 2; i++) assert.equal((await post(Array.from({ length: 1_000 }, () => huge))).status, 200)
    const { data } = (await call('GET', base)).body
    assert.deepEqual([data[0].requests, data[0].bytes], [2_000, 1e14])
  })

  test('the command sends a log, and says what became of it', async () => {
    const server = http
      .createServer(
        withBody(async (from, to, body) => {
          const headers = new Headers(Object.entries(from.headers).map(([name, value]): [string, string] => [name, String(value)]))
          const answer = await service.web.request(from.url ?? '/', { method: from.method ?? 'GET', headers, body })
          to.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
        }),
      )
      .listen(0, '127.0.0.1')
    await once(server, 'listening')
    const log = path.join(await mkdtemp(path.join(tmpdir(), 'log-')), 'access.log')
    const line = (agent: string, i: number) => `203.0.113.9 - - [10/Mar/2026:11:59:00 +0000] "GET /p${i} HTTP/1.1" 200 10 "-" "${agent}"\n`
    await writeFile(
      log,
      `${Array.from({ length: 1_500 }, (_, i) => line(i % 3 ? gpt : chrome, i % 10)).join('')}\0\0broken\n${'x'.repeat(15_999)}😀\n`,
    )
    const { port } = server.address() as AddressInfo
    const child = spawn(
      process.execPath,
      ['scripts/run.mjs', 'crawlers', log, '--server', `http://127.0.0.1:${port}`, '--site', world.ids.site ?? ''],
      { env: { ...process.env, FOOTFALL_TOKEN: world.token } },
    )
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
    const [code] = await once(child, 'exit')
    server.closeAllConnections()
    server.close()
    assert.deepEqual([said, code], ['1000 requests of crawlers, 500 of people, 2 lines not read\n', 0])
    assert.equal((await call('GET', base)).body.data[0].requests, 1_000)
  })
})

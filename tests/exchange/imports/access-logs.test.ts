/** Logs of web servers: the same visit sent live and as lines of a log gives the same reports. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { onAnyEngine } from '../../support/engines.ts'
import { assertSame, reportsOf, sendLive } from './same-reports.ts'
import { visitsOf } from './same-visits.ts'
import { type Importing, siteBeside, siteIn, startImporting, zipOf } from './site.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const period = { period: 'custom', from: '2026-03-09', to: '2026-03-09' }

interface Logged {
  /** Epoch seconds. */
  readonly at: number
  readonly ip: string
  readonly agent: string
  /** Path and query. */
  readonly url: string
  readonly referrer: string
  readonly method?: string
  readonly status?: number
}

const clock = (at: number) => {
  const [, weekday, month, day, year, time] =
    /^(\w+) (\w+) (\d+) (\d+) (\S+)/.exec(new Date(at * 1000).toUTCString().replace(/^(\w+), (\d+) (\w+)/, '$1 $3 $2')) ?? []
  assert.ok(weekday)
  return `${day}/${month}/${year}:${time} +0000`
}
const quoted = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
const combined = ({ at, ip, agent, url, referrer, method = 'GET', status = 200 }: Logged) =>
  `${ip} - - [${clock(at)}] "${method} ${url} HTTP/1.1" ${status} 512 "${quoted(referrer) || '-'}" "${quoted(agent) || '-'}"`

const isoOf = (at: number) => new Date(at * 1000).toISOString()
const columns = 'date time c-ip cs-method sc-status cs-uri-stem cs-uri-query cs(Referer) cs(User-Agent) x-host-header'

/** The lines of one log in each format. */
const formats: Readonly<Record<string, (requests: readonly Logged[], domain: string) => readonly string[]>> = {
  combined: requests => requests.map(combined),
  'vhost_combined of Apache': (requests, domain) => requests.map(each => `${domain}:443 ${combined(each)}`),
  Caddy: (requests, domain) =>
    requests.map(({ at, ip, agent, url, referrer, method = 'GET', status = 200 }) =>
      JSON.stringify({
        level: 'info',
        ts: at,
        request: {
          remote_ip: ip,
          method,
          host: domain,
          uri: url,
          headers: { 'User-Agent': [agent], ...(referrer && { Referer: [referrer] }) },
        },
        resp_headers: { 'Content-Type': ['text/html; charset=utf-8'] },
        status,
        size: 512,
      }),
    ),
  Cloudflare: (requests, domain) =>
    requests.map(({ at, ip, agent, url, referrer, method = 'GET', status = 200 }) =>
      JSON.stringify({
        ClientIP: ip,
        ClientRequestHost: domain,
        ClientRequestMethod: method,
        ClientRequestURI: url,
        ClientRequestReferer: referrer,
        ClientRequestUserAgent: agent,
        EdgeResponseContentType: 'text/html',
        EdgeResponseStatus: status,
        EdgeStartTimestamp: at * 1e9,
      }),
    ),
  'CloudFront, with its own columns': (requests, domain) => [
    '#Version: 1.0',
    `#Fields: ${columns}`,
    ...requests.map(({ at, ip, agent, url, referrer, method = 'GET', status = 200 }) => {
      const [date, time] = isoOf(at).slice(0, 19).split('T')
      const [path, query = '-'] = url.split('?')
      return [date, time, ip, method, status, path, query, encodeURI(referrer) || '-', encodeURI(agent), domain].join('\t')
    }),
  ],
}

onAnyEngine('a log of a web server', engine => {
  let service: Importing
  before(async () => {
    service = await startImporting(engine)
  })
  after(() => service.close())

  test('gives the reports that the same visits give live, in every format', async () => {
    const able = {
      userAgents: [chrome, phone],
      tags: ['utm_source', 'utm_medium', 'utm_campaign'],
      props: false,
      money: false,
      language: false,
      referrers: ['', 'https://www.google.com/search', 'https://news.ycombinator.com/item?id=1'],
    }
    const requests = visitsOf(able, 30)
      .flatMap(({ at, ip, userAgent, key, referrer, tags, hits }) => {
        const query = new URLSearchParams(tags).toString()
        let now = at
        return hits.flatMap(({ kind, name, after }, i) => {
          now += after
          const url = encodeURI(name) + (i === 0 && query !== '' ? `?${query}` : '')
          return kind === 'page' ? [{ at: now, ip, agent: `${userAgent} ${key}`, url, referrer: i === 0 ? referrer : '' }] : []
        })
      })
      .toSorted((a, b) => a.at - b.at)
    const workspace = await siteIn(service)
    const live = await siteBeside(service, workspace)
    const { domain } = (await live.get('sites_get')).data
    for (const { at, ip, agent, url, referrer } of requests)
      await sendLive(service, live, '/api/event', {
        n: 'pageview',
        u: `https://${domain}${url}`,
        d: domain,
        r: referrer,
        ip,
        user_agent: agent,
        timestamp: isoOf(at),
      })
    const expected = await reportsOf(live, { period, props: [], without: ['hostname'] })
    const noise = { at: requests[0]?.at ?? 0, ip: '81.2.69.160', agent: chrome, url: '/', referrer: '' }
    for (const [name, lines] of Object.entries(formats)) {
      const site = await siteBeside(service, workspace)
      const own = (await site.get('sites_get')).data.domain
      const others = [
        { ...noise, method: 'POST' },
        { ...noise, status: 404 },
        { ...noise, status: 301 },
        { ...noise, agent: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' },
      ]
      const done = await site.load('access_log', 'access.log', `${lines([...others, ...requests], own).join('\n')}\n`)
      const counts = [done.status, done.rows_read, done.rows_taken, done.rows_refused]
      assert.deepEqual(counts, ['completed', requests.length + 4, requests.length, 0], name)
      const left = done.ignored.map(({ what, rows }: { what: string; rows: number }) => [what, rows])
      assert.deepEqual(
        left,
        [
          ['method', 1],
          ['status', 2],
          ['bots', 1],
        ],
        name,
      )
      assertSame(await reportsOf(site, { period, props: [], without: ['hostname'] }), expected)
    }
  })

  test('counts pages only: files, scripts’ requests and lines without a user agent are left out by name', async () => {
    const site = await siteIn(service)
    const of = (url: string, more: Partial<Logged> = {}) =>
      combined({ at: 1_773_046_800, ip: '81.2.69.160', agent: chrome, url, referrer: '', ...more })
    const pages = ['/', '/a.html', '/index.php?id=1', '/docs/v1.2', '/@ada.lovelace-king', '/b.aspx']
    const files = ['/a.css', '/a.js?v=1', '/img/a.PNG', '/font.woff2', '/feed.xml', '/robots.txt', '/favicon.ico', '/a.mp4']
    const background = ['/.well-known/security', '/wp-json/wp/v2/posts', '/cdn-cgi/rum', '/xmlrpc.php', '/stats/piwik.php?idsite=1']
    const common = '81.2.69.160 - - [09/Mar/2026:09:00:00 +0000] "GET / HTTP/1.1" 200 512'
    const text = [
      ...[...pages, ...files, ...background].map(url => of(url)),
      of('/c', { status: 304 }),
      of('/', { agent: '' }),
      common,
    ].join('\n')
    const done = await site.load('access_log', 'access.log.gz', gzipSync(text))
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused], ['completed', 7, 0])
    assert.deepEqual(
      done.ignored.map(({ what, rows }: { what: string; rows: number }) => [what, rows]),
      [
        ['files', 8],
        ['background', 5],
        ['user agent', 2],
      ],
    )
    const { rows } = (await site.get('stats_breakdown', { dimension: 'page', ...period })).data
    assert.deepEqual(rows.map((row: any) => row.value).sort(), [
      '/',
      '/@ada.lovelace-king',
      '/a.html',
      '/b.aspx',
      '/c',
      '/docs/v1.2',
      '/index.php',
    ])
  })

  test('refuses faulty lines with their numbers, and files of another format at the start', async () => {
    const site = await siteIn(service)
    const good = combined({ at: 1_773_046_800, ip: '81.2.69.160', agent: chrome, url: '/', referrer: '' })
    const faulty = [
      'broken',
      '{"ts":"x","request":[]}',
      good.replace('81.2.69.160', 'nobody'),
      good.replace('GET / ', 'GET shop.example:443 '),
      'x'.repeat(40_000),
      `${good.slice(0, 60)}${'\\"'.repeat(7_000)}`,
      good.replace('2026', '2099'),
    ]
    const done = await site.load('access_log', 'access.log', [good, ...faulty, '', good.replace('"GET / ', '"GET /last ')].join('\n'))
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused], ['completed', 2, faulty.length])
    const refused = (await site.get('imports_refused_list', { id: done.id })).data
    assert.deepEqual(
      refused.map(({ line }: { line: number }) => line),
      [2, 3, 4, 5, 6, 7, 8],
    )
    assert.match(await site.refusal('access_log', 'a.csv', 'a,b\n1,2\n'), /No record of the file can be read/)
    assert.match(await site.refusal('access_log', 'logs.zip', await zipOf({ 'a.log': good, 'b.log': good })), /Upload one log/)
  })
})

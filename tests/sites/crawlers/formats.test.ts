/** Lines of logs, crawlers by their user agents, and addresses. */
import assert from 'node:assert/strict'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { publishedRanges, verifier } from '../../../operations/sites/crawlers/addresses.ts'
import { instant, lineFormats } from '../../../operations/sites/crawlers/formats/line-formats.ts'
import { crawlerOf } from '../../../operations/sites/crawlers/identify.ts'
import { pathOf } from '../../../operations/sites/crawlers/path.ts'
import { startCpuTimer } from '../../support/cpu.ts'

const at = Date.parse('2026-03-10T11:59:01Z')

test('each format is read', () => {
  const { combined, caddy, cloudflare, cloudfront } = lineFormats
  const request = { at, ip: '203.0.113.9', method: 'GET', url: '/a?b=1', status: 404, bytes: 512 }
  const read = { ...request, userAgent: 'GPTBot/1.2 "x"', referrer: 'https://e.example/', host: '' }
  assert.deepEqual(
    combined('203.0.113.9 - frank [10/Mar/2026:12:59:01 +0100] "GET /a?b=1 HTTP/1.1" 404 512 "https://e.example/" "GPTBot/1.2 \\"x\\""'),
    read,
  )
  const agent = { ...request, userAgent: 'GPTBot/1.2', referrer: '', host: '', type: '' }
  assert.deepEqual(
    caddy(
      JSON.stringify({
        ts: at / 1_000,
        request: {
          remote_ip: '10.0.0.1',
          client_ip: '203.0.113.9',
          method: 'GET',
          uri: '/a?b=1',
          headers: { 'User-Agent': ['GPTBot/1.2'] },
        },
        status: 404,
        size: 512,
      }),
    ),
    agent,
  )
  assert.deepEqual(
    cloudflare(
      JSON.stringify({
        ClientIP: '203.0.113.9',
        ClientRequestMethod: 'GET',
        ClientRequestURI: '/a?b=1',
        EdgeResponseStatus: 404,
        EdgeResponseBytes: 512,
        EdgeStartTimestamp: '2026-03-10T11:59:01Z',
        ClientRequestUserAgent: 'GPTBot/1.2',
      }),
    ),
    agent,
  )
  const front =
    '2026-03-10\t11:59:01\tFRA2-C1\t512\t203.0.113.9\tGET\td1.cloudfront.net\t/a\t404\t-\tMozilla/5.0%20(compatible;%2520GPTBot/1.2)\tb=1\t-'
  assert.deepEqual(cloudfront(front), { ...agent, userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.2)' })
  assert.equal(cloudfront('#Version: 1.0'), null)
})

test('a log of several hosts has them with a port or without one', () => {
  const { combined } = lineFormats
  const rest = '[10/Mar/2026:12:59:01 +0100] "GET / HTTP/1.1" 200 512 "-" "Mozilla/5.0"'
  const rows = [
    ['shop.example:443 203.0.113.9 - -', 'shop.example', '203.0.113.9'],
    ['shop.example 203.0.113.9 - -', 'shop.example', '203.0.113.9'],
    ['shop.example 2001:db8::9 - frank', 'shop.example', '2001:db8::9'],
    ['203.0.113.9 - -', '', '203.0.113.9'],
    ['2001:db8::9 - frank', '', '2001:db8::9'],
    ['203.0.113.9 abcd frank miller', '', '203.0.113.9'],
  ] as const
  for (const [start, host, ip] of rows) {
    const read = combined(`${start} ${rest}`)
    assert.deepEqual([read?.host, read?.ip], [host, ip], start)
  }
})

test('Caddy before 2.5 logs the address with its port', () => {
  const read = (remote_addr: string) =>
    lineFormats.caddy(JSON.stringify({ ts: at / 1_000, request: { remote_addr, method: 'GET', uri: '/' }, status: 200, size: 0 }))?.ip
  assert.equal(read('203.0.113.9:41844'), '203.0.113.9')
  assert.equal(read('[2001:db8::9]:41844'), '2001:db8::9')
})

test('a line of another format is refused quickly, whatever its contents', () => {
  const hostile = [
    '',
    '-',
    '{',
    '[]',
    'null',
    '"',
    '{"ts":"x","request":[]}',
    '1.2.3.4 - - [',
    `shop.example ${':a'.repeat(20)} ${'x'.repeat(15_000)}`,
    `${'shop.'.repeat(60)} 1.2.3.4 ${'- '.repeat(8_000)}`,
    `${'a '.repeat(8_000)}`,
    `1 - ${'['.repeat(15_000)}`,
    `1 - - [10/Mar/2026:12:59:01 +0100] "GET ${'\\"'.repeat(7_000)}`,
    '\t'.repeat(15_000),
  ]
  for (const [name, read] of Object.entries(lineFormats)) {
    for (const line of hostile) {
      const cpu = startCpuTimer(100)
      assert.equal(read(line) ?? undefined, undefined, `${name}: ${line.slice(0, 40)}`)
      assert.ok(cpu.taken() < 100, `${name}: ${line.slice(0, 40)} took ${cpu.taken()} ms`)
    }
  }
})

test('times in every unit', () => {
  for (const value of [at / 1_000, String(at / 1_000), at, at * 1_000, at * 1e6, '2026-03-10T11:59:01Z'])
    assert.equal(instant(value), at, String(value))
  for (const value of ['', 'soon', null, undefined, true, -1, 0, {}, [], Number.NaN, Infinity])
    assert.equal(instant(value), undefined, String(value))
})

test('pages as reports have them', () => {
  const rows = [
    ['/a?b#c', '/a'],
    ['https://shop.example/a/b?c', '/a/b'],
    ['https://shop.example', '/'],
    ['/caf%C3%A9', '/café'],
    ['/%', '/%'],
    ['*', ''],
    ['', ''],
    ['shop.example:443', ''],
  ] as const
  for (const [url, expected] of rows) assert.equal(pathOf(url), expected, url)
  assert.equal(pathOf(`/${'x'.repeat(5_000)}`).length, 1_024)
})

test('crawlers by the longest name that fits; others by the package; people are none', () => {
  const of = (agent: string) => {
    const found = crawlerOf(agent)
    return found && `${found.name} · ${found.category}`
  }
  const rows = [
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot · search'],
    ['Googlebot-Image/1.0', 'Googlebot-Image · search'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
      'ChatGPT-User · ai_assistant',
    ],
    ['Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)', 'ClaudeBot · ai_training'],
    ['Mozilla/5.0 (Applebot-Extended/0.1)', 'Applebot-Extended · ai_training'],
    ['', 'Other bots · other'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36', undefined],
    ['Mozilla/5.0 (Linux; Android 13; Spider 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0 Mobile Safari/537.36', undefined],
  ] as const
  for (const [agent, expected] of rows) assert.equal(of(agent), expected, agent)
  assert.match(of('curl/8.5.0') ?? '', /^curl · other$/)
  const cpu = startCpuTimer(400)
  for (let i = 0; i < 20; i++) crawlerOf(`bot ${'a-/ ('.repeat(100)}${i}`)
  assert.ok(cpu.taken() < 400, `${cpu.taken()} ms for twenty new ones`)
})

test('verified where the operator’s addresses are known, spoofed only by whole lists', async () => {
  const bundled = verifier('')
  assert.deepEqual(
    [bundled('google', '66.249.66.1'), bundled('google', '192.0.2.1'), bundled(null, '192.0.2.1')],
    ['verified', 'unverifiable', 'unverifiable'],
  )
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'ranges-')), 'ranges.json')
  await writeFile(file, JSON.stringify({ google: ['192.0.2.0/28', '2001:db8::/32'] }))
  const whole = verifier(file)
  assert.deepEqual(
    [whole('google', '192.0.2.1'), whole('google', '2001:db8::1'), whole('google', '66.249.66.1'), whole('bing', '192.0.2.1')],
    ['verified', 'verified', 'spoofed', 'unverifiable'],
  )
  for (const wrong of ['[]', '{"google": 1}', '{"google": ["all"]}']) {
    await writeFile(file, wrong)
    assert.throws(() => verifier(file), /must be|invalid range/)
  }
  assert.deepEqual(publishedRanges('{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "2001:db8::/32"}, {}]}'), [
    '192.0.2.0/24',
    '2001:db8::/32',
  ])
  for (const wrong of ['{}', '{"prefixes": []}', '{"prefixes": [{"ipv4Prefix": "x"}]}']) assert.throws(() => publishedRanges(wrong))
})

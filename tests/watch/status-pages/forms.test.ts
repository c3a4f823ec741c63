/** The other forms of a status page: an Atom feed, Atlassian's JSON, Markdown as HTML, and a host of its own. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DOMParser } from '@xmldom/xmldom'
import { openMarkdown } from '../../../runtime/ui/markdown.tsx'
import { overall, worst } from '../../../operations/watch/status-pages/status.ts'
import { startCpuTimer } from '../../support/cpu.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { request } from '../../support/world.ts'
import { HOUR, makePage, startTelling, type Telling } from './telling.ts'

onAnyEngine('forms of a status page', engine => {
  let telling: Telling
  before(async () => {
    telling = await startTelling(engine)
  })
  after(() => telling.close())
  const call = (...given: Parameters<Telling['watching']['call']>) => telling.watching.call(...given)
  const get = (path: string, headers: Record<string, string> = {}) => request(telling.watching.service, 'GET', path, { headers })
  const iso = (at: number) => new Date(at).toISOString()

  test('the feed is well-formed Atom with one entry for each incident, whatever was typed', async () => {
    const { world, page, slug } = await makePage(telling, 1, { name: 'A <b>&"\'' })
    await call(world, 'POST', `/status_pages/${page}/incidents`, {
      title: ']]> <script>alert(1)</script> & \u0007\ufffe',
      body: '<img src=x onerror=alert(1)>\n\n&lt;b&gt; ![p](https://evil.example.org/p.png) [x](javascript:alert(1)) \ud83d\ude00',
    })
    const { headers, text, status } = await get(`/status/${slug}/feed.atom`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/atom+xml; charset=utf-8'])
    const faults: string[] = []
    const feed = new DOMParser({ errorHandler: (_: string, message: string) => faults.push(message) }).parseFromString(text, 'text/xml')
    assert.deepEqual(faults, [])
    const root = feed.documentElement
    assert.deepEqual([root.namespaceURI, root.localName], ['http://www.w3.org/2005/Atom', 'feed'])
    const childrenOf = (name: string) => {
      const found = root.getElementsByTagName(name)
      return Array.from({ length: found.length }, (_, i) => found.item(i)?.textContent ?? '')
    }
    assert.equal(childrenOf('entry').length, 1)
    // RFC 4287 §4.1: id, title and updated of the feed and of each entry.
    for (const name of ['id', 'title', 'updated']) assert.equal(childrenOf(name).length, 2, name)
    assert.equal(new Set(childrenOf('id')).size, 2)
    for (const at of childrenOf('updated')) assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const [content = ''] = childrenOf('content')
    assert.doesNotMatch(content, /<img|<script|href="javascript|onerror=alert\(1\)>(?!)/)
    assert.match(content, /&lt;img src=x/)
  })

  test('the summary has what readers of Atlassian Statuspage look for', async () => {
    const { world, page, slug, checks } = await makePage(telling, 2)
    const now = telling.watching.service.clock.now
    await call(world, 'POST', `/status_pages/${page}/incidents`, { title: 'A', impact: 'major', check_ids: [checks[0]?.id], body: 'B' })
    await call(world, 'POST', `/status_pages/${page}/incidents`, {
      kind: 'maintenance',
      title: 'M',
      starts_at: iso(now + HOUR),
      ends_at: iso(now + 2 * HOUR),
    })
    const { body, headers } = await get(`/status/${slug}/api/v2/summary.json`)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(body.status, { indicator: 'major', description: 'Partial System Outage' })
    assert.deepEqual(
      body.components.map((each: any) => [each.group, each.group_id !== null, each.status]),
      [
        [true, false, 'partial_outage'],
        [false, true, 'partial_outage'],
        [false, true, 'operational'],
      ],
    )
    assert.deepEqual(
      body.components[0].components,
      checks.map(({ id }) => id),
    )
    const [incident] = body.incidents
    assert.deepEqual(
      [incident.name, incident.status, incident.impact, incident.resolved_at, incident.incident_updates[0].body, incident.components[0].id],
      ['A', 'investigating', 'major', null, 'B', checks[0]?.id],
    )
    const [planned] = body.scheduled_maintenances
    assert.deepEqual([planned.scheduled_for, planned.scheduled_until, planned.status], [iso(now + HOUR), iso(now + 2 * HOUR), 'scheduled'])
    const short = await get(`/status/${slug}/api/v2/status.json`)
    assert.deepEqual([short.body.page, short.body.status], [body.page, body.status])
  })

  test('at its own host the page is the address without a path, and so are feed and JSON', async () => {
    const domain = `status-${Date.now()}.example.net`
    const { slug } = await makePage(telling, 1, { domain })
    const at = { Host: `${domain.toUpperCase()}:8443`, Accept: 'text/html' }
    const page = await get('http://footfall.test/', at)
    assert.equal(page.status, 200, page.text.slice(0, 200))
    assert.match(page.text, /All systems are operational/)
    assert.equal(page.headers.get('set-cookie'), null)
    assert.equal((await get('http://footfall.test/', { Host: domain })).status, 200, 'also for who asks for no HTML')
    assert.equal((await get('http://footfall.test/api/v2/summary.json', { Host: domain })).body.page.url, `http://${domain}/`)
    assert.match((await get('http://footfall.test/feed.atom', { Host: domain })).text, /<feed /)
    for (const host of ['other.example.net', 'footfall.test', '10.0.0.1', 'x'.repeat(400), 'a b', '[::1]:80']) {
      assert.equal((await get('http://footfall.test/', { Host: host, Accept: 'text/html' })).status, 303, host)
      assert.equal((await get('http://footfall.test/feed.atom', { Host: host })).status, 404, host)
    }
    assert.equal((await get(`http://footfall.test/status/${slug}`, { Accept: 'text/html' })).status, 200)
  })

  test('search engines may list it only where it says so', async () => {
    const [hidden, listed] = [await makePage(telling), await makePage(telling, 0, { indexable: true })]
    const robots = async ({ slug }: { slug: string }) => (await get(`/status/${slug}`, { Accept: 'text/html' })).headers.get('x-robots-tag')
    assert.deepEqual([await robots(hidden), await robots(listed)], ['noindex, nofollow', null])
  })

  test('a page of 100 checks with 90 days each does not hold the event loop', async () => {
    const shown = await makePage(telling, 100)
    const { service } = telling.watching
    const today = Math.floor(service.clock.now / 86_400_000)
    for (const { number } of shown.checks)
      await service.store.write
        .insertInto('uptime_days')
        .values(
          Array.from({ length: 89 }, (_, i) => ({
            check_number: number,
            day: today - 1 - i,
            up_ms: 86_000_000,
            down_ms: i % 9 === 0 ? 1 : 0,
          })),
        )
        .execute()
    const path = `/status/${shown.slug}`
    await get(path, { Accept: 'text/html' })
    const timer = startCpuTimer(150)
    const { text } = await get(path, { Accept: 'text/html' })
    const taken = timer.taken()
    assert.ok(taken < 150, `${taken} ms`)
    assert.ok(text.length < 500_000, `${text.length} characters`)
  })
})

test('a status page has the state of its worst check, and a major outage if every check is down', () => {
  const rows: [...Parameters<typeof overall>, string][] = [
    [[], [], false, 'unknown'],
    [['unknown'], [], false, 'unknown'],
    [['unknown', 'operational'], [], false, 'operational'],
    [['operational', 'major_outage'], [], false, 'partial_outage'],
    [['major_outage', 'major_outage', 'unknown'], [], false, 'major_outage'],
    [['operational', 'under_maintenance'], [], true, 'under_maintenance'],
    [['operational', 'degraded_performance', 'under_maintenance'], [], true, 'degraded_performance'],
    [['operational'], ['critical'], false, 'major_outage'],
    [['operational'], ['none'], false, 'operational'],
    [[], ['minor'], false, 'degraded_performance'],
    [['operational'], [], true, 'under_maintenance'],
  ]
  for (const [checks, open, isMaintained, expected] of rows)
    assert.equal(overall(checks, open, isMaintained), expected, JSON.stringify([checks, open]))
  assert.equal(worst([]), 'unknown')
})

test('Markdown makes what it should, and nothing else, in time', async () => {
  const render = await openMarkdown()
  const html = (text: string) => String(render(text))
  const rows: [text: string, expected: RegExp, absent?: RegExp][] = [
    ['**a** _b_ `c` ~~d~~', /<strong>a<\/strong> <em>b<\/em> <code>c<\/code> <del>d<\/del>/],
    ['- a\n- b\n\n1. c', /<ul><li>a<\/li><li>b<\/li><\/ul><ol start="1"><li>c<\/li><\/ol>/],
    [
      '[a](https://example.org/?a=1&b="x")',
      /<a href="https:\/\/example\.org\/\?a=1&amp;b=[^"]*" rel="nofollow noopener noreferrer">a<\/a>/,
    ],
    ['https://example.org', /<a href="https:\/\/example\.org"/],
    ['<script>alert(1)</script>', /&lt;script&gt;/, /<script/],
    ['a <img src=x onerror=alert(1)> b', /&lt;img/, /<img/],
    ['![alt](https://example.org/a.png)', /<a href="https:\/\/example\.org\/a\.png"[^>]*>alt<\/a>/, /<img/],
    ['[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example.org) [d](/account)', /a.*b.*c.*d/, /<a /],
    ['[a](JaVaScRiPt:alert(1)) <javascript:alert(1)>', /a/, /<a /],
    ['# Big', /<p><strong>Big<\/strong><\/p>/, /<h1/],
    ['| a | b |\n|---|---|\n| c | d |', /\| a \| b \|/, /<table/],
    ['&lt;b&gt; &amp; "', /&/, /<b>/],
  ]
  for (const [text, expected, absent] of rows) {
    assert.match(html(text), expected, text)
    if (absent) assert.doesNotMatch(html(text), absent, text)
  }
  const hostile = [
    '[',
    '*',
    '`',
    '>',
    '> ',
    '- ',
    '![](',
    '<',
    '_a',
    '\\',
    '|',
    '[a](',
    '**a',
    '~',
    '&',
    '\n',
    '#',
    '1. ',
    '<a href="',
    '<!--',
    '*a_',
    '.**a',
    '*a **b',
    '*a[',
  ]
  for (const part of hostile) {
    const text = part.repeat(5_000).slice(0, 5_000)
    const cpu = startCpuTimer(120)
    const made = String((await openMarkdown())(text))
    assert.ok(cpu.taken() < 120, `${JSON.stringify(part)} took ${cpu.taken()} ms`)
    assert.ok(made.length < 100_000, `${JSON.stringify(part)} made ${made.length} characters`)
  }
  const cpu = startCpuTimer(1_500)
  const whole = String(Array.from({ length: 500 }, () => html('*a '.repeat(1_600))))
  assert.ok(cpu.taken() < 1_500, `a page of hostile texts took ${cpu.taken()} ms`)
  assert.ok(whole.includes('*a *a'), 'all of it is shown')
})

/** Internationalized hosts: stored in ASCII form, shown in letters, found by either, on every surface. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { callTool } from '../support/mcp.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const [ascii, letters] = ['xn--bcher-kva.example', 'b\u00fccher.example']
/** Typed with a combining character. */
const decomposed = 'bu\u0308cher.example'

onAnyEngine('internationalized hosts', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    service.clock.now += 86_400_000
    const arrivals = [
      { r: `https://${letters}/Caf\u00e9` },
      { r: `https://www.${ascii}/` },
      { u: `?ref=https://${letters}/list` },
      { u: `?ref=${letters}` },
      { u: `?utm_source=${letters.toUpperCase()}` },
      { r: `https://shop.${ascii}/` },
      { r: 'https://example.org/' },
    ]
    for (const [i, { r, u = '' }] of arrivals.entries()) {
      const body = { n: 'pageview', u: `https://${letters}.test/${u}`, d: world.ids.site, r, ip: `203.0.113.${i}` }
      const reply = await request(service, 'POST', '/api/event', { token: world.token, body, headers: { 'User-Agent': chrome } })
      assert.equal(reply.headers.get('x-footfall-dropped'), null)
    }
  })
  after(() => service.close())

  const listed = (rows: readonly { value: string; label: string; visits: number }[]) =>
    rows.map(({ value, label, visits }) => [value, label, visits])
  const filtersOf = (value: string, operator: string, dimension: string) => JSON.stringify([[dimension, operator, value]])

  test('one host is one source, labelled in letters, over HTTP and MCP', async () => {
    const expected = [
      [ascii, letters, 5],
      ['example.org', 'example.org', 1],
      [`shop.${ascii}`, `shop.${letters}`, 1],
    ]
    const input = { dimension: 'source', period: 'today', metrics: ['visits'], limit: 9 }
    const { body } = await request(service, 'GET', `/sites/${world.ids.site}/breakdown/source?period=today&metrics=visits`, world)
    const tool = await callTool(service, 'stats_breakdown', { site_id: world.ids.site, ...input }, world.token)
    assert.deepEqual(listed(body.data.rows), expected)
    assert.deepEqual(listed(tool.body.data.rows), expected)
  })

  const asked = [
    ['source', 'is', 5],
    ['source', 'any_of', 5],
    ['source', 'contains', 6],
    ['source', 'starts_with', 5],
    ['source', 'regex', 6],
    ['referrer', 'starts_with', 2],
    ['hostname', 'contains', 7],
  ] as const
  for (const [dimension, operator, count] of asked) {
    test(`${dimension} ${operator} finds a host by either form, over HTTP and MCP`, async () => {
      for (const host of [ascii, letters, decomposed]) {
        const value = operator === 'any_of' ? [host] : host
        const query = `period=today&filters=${encodeURIComponent(JSON.stringify([[dimension, operator, value]]))}`
        const { body } = await request(service, 'GET', `/sites/${world.ids.site}/stats/aggregate?${query}`, world)
        assert.equal(body.data?.metrics.visits, count, `${host} ${JSON.stringify(body)}`)
        const filters = [[dimension, operator, value]]
        const tool = await callTool(service, 'stats_aggregate', { site_id: world.ids.site, period: 'today', filters }, world.token)
        assert.equal(tool.body.data?.metrics.visits, count, `${host} ${JSON.stringify(tool.body)}`)
      }
    })
  }

  test('pages show hosts in letters, and filter by either form', async () => {
    const open = (path: string) =>
      request(service, 'GET', `/sites/${world.ids.site}/${path}`, { token: world.shown.session, headers: { Accept: 'text/html' } })
    for (const host of [ascii, letters]) {
      const { status, text } = await open(`breakdown/source?period=today&filters=${encodeURIComponent(filtersOf(host, 'is', 'source'))}`)
      assert.equal(status, 200)
      const shown = text.replace(/<[^>]+>/g, ' ')
      assert.match(shown, new RegExp(letters))
      assert.doesNotMatch(shown, /xn--/)
    }
  })
})

/** The service below a path of a host, `BASE_URL=https://example.com/stats`, behind a proxy that removes the path and one that does not. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { after, before, test } from 'node:test'
import { hasPage } from '../../../adapters/surfaces.ts'
import { createWeb } from '../../../adapters/http/http.ts'
import { serverOf } from '../../../adapters/http/server.ts'
import { mounts } from '../../../adapters/index.ts'
import { table } from '../../../operations/index.ts'
import { within } from '../../../runtime/values/base-path.ts'
import { filled } from '../../../runtime/ui/words.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { someOf } from '../../support/full.ts'
import { freePort } from '../../support/ports.ts'
import { fill, makeWorld, startService, type TestService, type World } from '../../support/world.ts'

/** Keys, values, and a path within the service that a script completes. */
const notAddresses = ['data-key', 'data-value', 'data-proposed', 'data-action']

onAnyEngine('below a path of a host', engine => {
  let service: TestService
  let world: World
  let server: Server
  let host: string
  before(async () => {
    const port = await freePort()
    host = `http://127.0.0.1:${port}`
    service = await startService(engine, { BASE_URL: `${host}/stats` })
    world = await makeWorld(service)
    server = serverOf(service.web, { app: service.app, hostname: '127.0.0.1' })
    await once(server.listen(port, '127.0.0.1'), 'listening')
  })
  after(async () => {
    server.close()
    server.closeAllConnections()
    await service.close()
  })
  const ask = (path: string, init: RequestInit = {}) => fetch(host + path, { redirect: 'manual', ...init })
  const cookie = () => ({ Cookie: `session=${world.shown.session}`, Accept: 'text/html' })
  const own = () => ({ Authorization: `Bearer ${world.token}` })

  test('every address on a page is below the path, and the addresses answer', async () => {
    const rows = [...table.operations.values()].filter(hasPage)
    const addresses = rows.map(row => {
      const input = fill(row.examples[0]?.input ?? {}, world)
      return filled(row.path, Object.fromEntries(Object.keys(row.pathInput).map(name => [name, String(input[name])])))
    })
    const others = table.pages.flatMap(({ route }) => (route.includes('{') ? [] : [route.slice('GET '.length)]))
    const found = new Map<string, string>()
    for (const address of [...someOf(addresses, 25), ...others, '/', '/nowhere']) {
      const answer = await ask(`/stats${address}`, { headers: cookie() })
      const html = await answer.text()
      const to = answer.headers.get('location')
      if (to !== null) assert.match(to, /^\/stats\//, address)
      for (const [whole, name = '', value = ''] of html.matchAll(/ ([\w-]+)="(\/[^"]*)"/g)) {
        if (!/^(href|src|srcset|action|formaction|data-.*)$/.test(name) || notAddresses.includes(name)) continue
        assert.match(value, /^\/stats(?:\/|$)/, `${address}: ${whole}`)
        if (name === 'href' || name === 'src') found.set(value.replace(/[?#].*/, '').replace(/\w+_\w{16,}/g, '{id}'), value)
      }
    }
    assert.ok(found.size > 60, String(found.size))
    for (const address of someOf([...found.values()], 50)) {
      const { status } = await ask(address.replaceAll('&amp;', '&'), { headers: cookie() })
      assert.ok(status < 400, `${address}: ${status}`)
    }
  })

  test('stylesheets find their fonts, and the script of a site its endpoint', async () => {
    const html = await (await ask('/stats/sign-in', { headers: { Accept: 'text/html' } })).text()
    const [, style = ''] = /href="([^"]+\.css)"/.exec(html) ?? []
    const [, font = ''] = /url\("?([^")]+woff2)/.exec(await (await ask(style)).text()) ?? []
    assert.equal((await fetch(new URL(font, host + style))).status, 200, font)
    assert.match(await (await ask('/stats/js/footfall.js')).text(), /"\/stats\/api\/event"/)
    const hit = await ask('/stats/api/event', {
      method: 'POST',
      body: JSON.stringify({ n: 'pageview', u: 'https://a.example/', d: world.ids.site }),
    })
    assert.equal(hit.status, 202)
  })

  test('the proxy may have removed the path', async () => {
    const answer = await ask('/sign-in', { headers: { Accept: 'text/html' } })
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /action="\/stats\/session/)
    assert.equal((await ask(`/sites/${world.ids.site}`, { headers: own() })).status, 200)
    assert.equal((await ask(`/statssites/${world.ids.site}`, { headers: own() })).status, 404)
  })

  test('a signed-in browser is led below the path, by a cookie of the path', async () => {
    const post = (path: string, form: Record<string, string>, headers = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(form), headers: { Accept: 'text/html', Origin: host, ...headers } })
    const closed = await ask(`/stats/sites/${world.ids.site}/overview?period=7d`, { headers: { Accept: 'text/html' } })
    assert.equal(
      closed.headers.get('location'),
      `/stats/sign-in?${new URLSearchParams({ next: `/sites/${world.ids.site}/overview?period=7d` })}`,
    )
    const ended = await post('/stats/session?_method=DELETE', {}, cookie())
    assert.match(ended.headers.get('location') ?? '', /^\/stats\//)
    assert.match(ended.headers.getSetCookie().join('\n'), /^session=; Path=\/stats; Max-Age=0;/m)
  })

  test('the API and OAuth name addresses below the path', async () => {
    const goal = { name: 'Paid', kind: 'page', path: '/paid' }
    const made = await ask(`/stats/sites/${world.ids.site}/goals`, {
      method: 'POST',
      headers: { ...own(), 'Content-Type': 'application/json' },
      body: JSON.stringify(goal),
    })
    const place = made.headers.get('location') ?? `${made.status} ${await made.text()}`
    assert.equal((await ask(place, { headers: own() })).status, 200, place)
    const list = await ask(`/stats/sites/${world.ids.site}/goals?per_page=1`, { headers: own() })
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(list.headers.get('link') ?? '') ?? []
    assert.match(next, /^\/stats\/sites\//)
    assert.equal((await ask(next, { headers: own() })).status, 200)

    const refused = await ask('/stats/mcp', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    const resource = (await (await fetch(metadata)).json()) as { resource: string; authorization_servers: string[] }
    assert.deepEqual(resource.resource, `${host}/stats/mcp`)
    // RFC 8414 §3.1: before the path of the issuer.
    const [issuer = ''] = resource.authorization_servers
    const server = (await (await ask(`/.well-known/oauth-authorization-server${new URL(issuer).pathname}`)).json()) as Record<
      string,
      string
    >
    assert.deepEqual([server.issuer, server.token_endpoint], [`${host}/stats`, `${host}/stats/oauth/token`])
    assert.equal((await ask('/.well-known/oauth-protected-resource/stats/mcp')).status, 200)
  })

  test('a path that is one of the service stops the start', () => {
    const config = { ...service.app.config, BASE_URL: 'https://example.com/sites' }
    assert.throws(() => createWeb({ ...service.app, config }, mounts), /BASE_URL has the path \/sites, but Footfall itself/)
  })
})

test('the path of BASE_URL is removed once, and only as whole segments', () => {
  const cases = {
    '/stats': '/',
    '/stats?a': '/?a',
    '/stats/': '/',
    '/stats/sites/a?b': '/sites/a?b',
    '/statsx': '/statsx',
    '/stats/stats': '/stats',
    '/.well-known/oauth-protected-resource/stats/mcp': '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server/stats': '/.well-known/oauth-authorization-server',
    '/.well-known/security.txt': '/.well-known/security.txt',
  }
  for (const [asked, found] of Object.entries(cases)) assert.equal(within(asked, '/stats'), found)
})

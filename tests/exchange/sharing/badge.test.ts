/** The badge of a site: a picture for anyone, where the site is public. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { serve } from '@hono/node-server'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { hit, store as keep } from '../../storage/engine/traffic.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { removeSite, makeSite, request, startService, type TestService } from '../../support/world.ts'

onAnyEngine('Badges', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('show the visitors of 30 days as SVG, to be embedded and kept for a while', async () => {
    const world = await makeSite(service)
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 60_000
    const hits = Array.from({ length: 1_240 }, (_, i) => hit(zone, { who: `${i}`, at: at + i }))
    await keep(service.store, hits, hits.length)
    const { status, text, headers } = await request(service, 'GET', `/badge/${world.ids.site}.json`)
    assert.equal(status, 200)
    assert.match(text, /^<svg [^]*1\.2K in 30 days, added up[^]*<\/svg>$/)
    assert.equal(headers.get('content-type'), 'image/svg+xml; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'public, max-age=300')
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    const tag = { 'If-None-Match': headers.get('etag') ?? '' }
    const again = await request(service, 'GET', `/badge/${world.ids.site}`, { headers: tag })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  test('count the visitors of one page on request', async () => {
    const world = await makeSite(service)
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 60_000
    await keep(service.store, [hit(zone, { who: 'a', at, page: '/x' }), hit(zone, { who: 'b', at: at + 1, page: '/y' })], 2)
    const badge = async (query: string) => (await request(service, 'GET', `/badge/${world.ids.site}${query}`)).text
    assert.match(await badge(''), />2 in 30 days/)
    assert.match(await badge('?page=/x'), />1 in 30 days/)
    assert.match(await badge('?page=/nowhere'), />0 in 30 days/)
  })

  test('a site that is not public, is deleted or is not there answers the same 404', async () => {
    const [hidden, deleted] = [await makeSite(service), await makeSite(service)]
    await request(service, 'PATCH', `/sites/${hidden.ids.site}`, { token: hidden.token, body: { public: false } })
    await removeSite(service, deleted)
    const replies = await Promise.all(
      [hidden.ids.site, deleted.ids.site, 'pa_x', '%00', 'x'.repeat(300)].map(id =>
        request(service, 'GET', `/badge/${id}.json`, { token: hidden.token }),
      ),
    )
    assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))].length, 1)
    assert.deepEqual([replies[0]?.status, replies[0]?.body.error.code], [404, 'not_found'])
    assert.match(replies[0]?.headers.get('content-type') ?? '', /^application\/json/)
  })

  test('are a number for pages of any origin; a site that is not public, is deleted or is not there answers the same 404', async () => {
    const [world, hidden, deleted] = [await makeSite(service), await makeSite(service), await makeSite(service)]
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 60_000
    await keep(service.store, [hit(zone, { who: 'a', at, page: '/x' }), hit(zone, { who: 'b', at: at + 1, page: '/y' })], 2)
    const count = (id: unknown, query = '') => request(service, 'GET', `/badge/${id}/count${query}`)
    const { text, headers } = await count(world.ids.site)
    assert.equal(text, '{"data":{"visitors":2}}')
    assert.deepEqual([headers.get('access-control-allow-origin'), headers.get('cache-control')], ['*', 'public, max-age=300'])
    assert.equal((await count(world.ids.site, '?page=/x')).body.data.visitors, 1)
    await request(service, 'PATCH', `/sites/${hidden.ids.site}`, { token: hidden.token, body: { public: false } })
    await removeSite(service, deleted)
    const asked = [hidden.ids.site, deleted.ids.site, 'pa_x', '%00', 'x'.repeat(300)].map(id => count(id))
    const replies = await Promise.all([...asked, count(world.ids.site, '?page=%00'), count(world.ids.site, `?page=/${'x'.repeat(2_000)}`)])
    assert.deepEqual([...new Set(replies.map(reply => `${reply.status} ${reply.text}`))].length, 1)
    assert.equal(replies[0]?.status, 404)
  })

  test('<footfall-count> shows the number as text of the page, in the language of the browser, and else keeps its text', {
    skip: withoutChromium,
  }, async () => {
    const world = await makeSite(service)
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const hits = Array.from({ length: 1_240 }, (_, i) => hit(zone, { who: `${i}`, at: service.clock.now - 60_000 + i, page: '/x' }))
    await keep(service.store, hits, hits.length)
    const server = serve({ fetch: service.web.fetch, port: 0, hostname: '127.0.0.1' }) as Server
    await once(server, 'listening')
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const host = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.setHeader('Content-Security-Policy', `default-src 'none'; script-src ${own}; connect-src ${own}`)
      response.end(`<!doctype html><title>Host</title><script async src="${own}/js/count.js" data-site="${world.ids.site}"></script>
        <p>Read by <footfall-count path="/x">many</footfall-count>, <footfall-count site="pa_x">few</footfall-count>`)
    }).listen(0, '127.0.0.1')
    await once(host, 'listening')
    const browser = await launchChromium()
    try {
      const page = await (await browser.newContext({ locale: 'de-DE' })).newPage()
      await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`)
      await page.getByText('Read by 1.240, few').waitFor()
      await page
        .locator('footfall-count')
        .first()
        .evaluate(element => element.setAttribute('path', '/nowhere'))
      await page.getByText('Read by 0, few').waitFor()
    } finally {
      await browser.close()
      for (const each of [server, host]) {
        each.closeAllConnections()
        each.close()
      }
    }
  })
})

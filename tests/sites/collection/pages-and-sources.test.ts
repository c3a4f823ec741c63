/** Settings of a site that say what its pages and sources are. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onAnyEngine('pages and sources of a site', engine => {
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

  let visitors = 0
  const agent = () => `${chrome} ${++visitors}`
  const change = (body: object) => request(service, 'PATCH', `/sites/${world.ids.site}`, { token: world.token, body })
  const see = (path: string, r = '', headers = {}) =>
    request(service, 'POST', '/api/event', {
      body: { n: 'pageview', u: `https://${domain}${path}`, d: domain, r },
      headers: { 'User-Agent': agent(), ...headers },
    })
  const rows = async (dimension: string, filters: unknown[] = []) => {
    const query = new URLSearchParams({ period: 'today', filters: JSON.stringify(filters) })
    const { body } = await request(service, 'GET', `/sites/${world.ids.site}/breakdown/${dimension}?${query}`, { token: world.token })
    return body.data.rows.map((row: { value: string; visits: number }) => [row.value, row.visits]).sort()
  }

  test('a listed parameter belongs to the page, in sorted order and readable form; all others are dropped', async () => {
    const { body } = await change({ page_parameters: ['p', 'lang', 'p'] })
    assert.deepEqual(body.data.page_parameters, ['lang', 'p'])
    await see('/?p=12&utm_source=news')
    await see('/?utm_source=news&lang=de&p=12')
    await see('/?lang=de&p=12&x=1#top')
    await see('/?P=12')
    await see('/a?p=caf%C3%A9%20au+lait%26%3D%2B%23')
    await request(service, 'POST', '/api/send', {
      body: { type: 'event', payload: { website: world.ids.site, hostname: domain, url: '/?y=1&p=3#/route?lang=fr' } },
      headers: { 'User-Agent': agent() },
    })
    const pages = await rows('page')
    assert.deepEqual(pages, [
      ['/', 1],
      ['/?lang=de&p=12', 2],
      ['/?lang=fr&p=3#/route', 1],
      ['/?p=12', 1],
      ['/a?p=café au lait%26%3D%2B%23', 1],
    ])
    for (const [asked, stored] of [
      ['/?p=12&lang=de', '/?lang=de&p=12'],
      ['/a?p=caf%C3%A9+au%20lait%26%3d%2B%23', '/a?p=café au lait%26%3D%2B%23'],
    ])
      assert.deepEqual(
        (await rows('page', [['page', 'is', asked]])).map(([page]: [string]) => page.toUpperCase()),
        [stored?.toUpperCase()],
        asked,
      )
  })

  test('payment providers, sign-ins, the site itself, listed hosts and their subdomains are not sources', async () => {
    await change({ ignored_referrers: ['https://www.Till.example/'] })
    const known = ['https://www.paypal.com/checkoutnow?token=1', 'https://accounts.google.com/', 'https://tenant.eu.auth0.com/login']
    for (const from of [...known, 'https://pay.till.example/x', `https://${domain}/`]) await see('/thanks', from)
    await see('/?ref=https://www.paypal.com/x')
    await request(service, 'POST', '/api/event', {
      body: { n: 'pageview', u: `https://shop.${domain}/`, d: domain, r: `https://${domain}/` },
      headers: { 'User-Agent': agent() },
    })
    await see('/', 'https://notpaypal.com/')
    await see('/', 'https://www.google.com/')
    assert.deepEqual(await rows('source'), [
      ['', 7],
      ['Google', 1],
      ['notpaypal.com', 1],
    ])
    assert.deepEqual(await rows('referrer', [['channel', 'is', 'Direct']]), [['', 7]])
  })

  test('the built-in list can be switched off, and other sites of the workspace are ignored on request', async () => {
    const other = await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, {
      token: world.token,
      body: { domain: `other-${domain}` },
    })
    assert.equal(other.status, 201, other.text)
    await see('/', `https://other-${domain}/`)
    assert.deepEqual(await rows('source'), [[`other-${domain}`, 1]])
    world = await makeSite(service)
    const { body } = await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, {
      token: world.token,
      body: { domain: `third-${domain}` },
    })
    world = { ...world, ids: { ...world.ids, site: body.data.id } }
    const sister = domain
    domain = body.data.domain
    await change({ ignore_known_referrers: false, ignore_own_sites: true })
    const { domain: first } = (
      await request(service, 'GET', `/workspaces/${world.ids.workspace}/sites`, { token: world.token })
    ).body.data.find((site: { domain: string }) => site.domain !== domain)
    await see('/', `https://${first}/`)
    await see('/', 'https://www.paypal.com/')
    await see('/', `https://${sister}/`)
    assert.deepEqual(
      await rows('source'),
      [
        ['', 1],
        ['paypal.com', 1],
        [sister, 1],
      ].sort(),
    )
  })

  test('lists with wrong names or hosts are refused with all their faults', async () => {
    const { status, body } = await change({ page_parameters: ['a=b', 'ok', ' '], ignored_referrers: ['no host'] })
    assert.equal(status, 422)
    assert.deepEqual(
      body.error.details.map((fault: { pointer: string }) => fault.pointer),
      ['/page_parameters/0', '/page_parameters/2', '/ignored_referrers/0'],
    )
  })
})

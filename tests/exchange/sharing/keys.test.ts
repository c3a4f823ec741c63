/** Keys of shared links: spreadsheets read tables by an address, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hit, store as keep } from '../../storage/engine/traffic.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

onEachEngine('Keys of shared links', engine => {
  let service: TestService
  let world: World
  let site: string
  let link: string
  let key: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeSite(service)
    site = `/sites/${world.ids.site}`
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 60_000
    await keep(service.store, [hit(zone, { who: 'a', at, page: '/x' }), hit(zone, { who: 'b', at: at + 1, page: '/y' })], 2)
    const body = { name: 'Sheet', password: 'river-stone', allow_export: true, reports: ['breakdown'] }
    link = (await as('POST', `${site}/shared_links`, body)).body.data.id
    const { data } = (await as('POST', `${site}/shared_links/${link}/key`)).body
    key = data.key
    assert.equal(data.csv_url, `http://footfall.test${site}/breakdown/page.csv?period=30d&key=${key}`)
  })

  const as = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, ...(body && { body }) })
  const csv = (path: string, headers: Record<string, string> = {}) => request(service, 'GET', path, { headers })

  test('a table is read by its address, without a header', async () => {
    const { status, text, headers } = await csv(`${site}/breakdown/page.csv?period=today&metrics=visitors&key=${key}`)
    assert.equal(status, 200, text)
    assert.match(headers.get('content-type') ?? '', /^text\/csv/)
    assert.match(text, /^value,[^]*\/x,[^]*\/y,/)
    assert.doesNotMatch(headers.get('cache-control') ?? '', /public/)
  })

  test('only CSV, only the reports of the link, and only keys are accepted', async () => {
    const refused = [
      `${site}/breakdown/page?key=${key}`,
      `${site}/breakdown/page.json?key=${key}`,
      `${site}/breakdown/page.csv?key=${world.token}`,
      `${site}/breakdown/page.csv?key=sht_x`,
      `${site}/breakdown/page.csv?key=`,
      `${site}/stats/timeseries.csv?key=${key}`,
      `${site}/goals.csv?key=${key}`,
      `${site}/metrics?key=${key}`,
      `/workspaces/${world.ids.workspace}/sites.csv?key=${key}`,
    ]
    for (const path of refused) {
      const { status } = await csv(path)
      assert.ok(status === 401 || status === 403 || status === 404, `${path}: ${status}`)
    }
    const other = await makeSite(service)
    assert.equal((await csv(`/sites/${other.ids.site}/breakdown/page.csv?key=${key}`)).status, 404)
    assert.equal((await request(service, 'DELETE', `${site}.csv?key=${key}`)).status, 401)
    assert.equal(
      (await csv(`${site}/breakdown/page.csv?key=${key}`, { Authorization: 'Bearer pat_x' })).status,
      401,
      'a header comes first',
    )
  })

  test('the page of a link offers to delete its key only if there is one', async () => {
    const { ids, token, shown } = await makeWorld(service)
    const call = (method: string, path: string, body?: object) => request(service, method, path, { token, ...(body && { body }) })
    const links = `/sites/${ids.site}/shared_links`
    const path = `${links}/${(await call('POST', links, { name: 'Without a key' })).body.data.id}`
    const offers = async () => {
      const { text } = await request(service, 'GET', path, { token: shown.session, headers: { Accept: 'text/html' } })
      return [(await call('GET', path)).body.data.key_present, text.includes('do=shared_links_key_delete')]
    }
    assert.deepEqual(await offers(), [false, false])
    await call('POST', `${path}/key`)
    assert.deepEqual(await offers(), [true, true])
    assert.equal((await call('DELETE', `${path}/key`)).body.data.key_present, false)
    assert.deepEqual(await offers(), [false, false])
  })

  test('another key ends the former one; without export, or without the link, none is accepted', async () => {
    const table = (of: string) => csv(`${site}/breakdown/page.csv?period=today&key=${of}`)
    const { data } = (await as('POST', `${site}/shared_links/${link}/key`)).body
    assert.deepEqual([(await table(key)).status, (await table(data.key)).status], [401, 200])
    await as('PATCH', `${site}/shared_links/${link}`, { allow_export: false })
    assert.equal((await table(data.key)).status, 403)
    await as('PATCH', `${site}/shared_links/${link}`, { allow_export: true })
    service.clock.now += 400 * 86_400_000
    assert.equal((await table(data.key)).status, 200, 'a key stays valid')
    assert.equal((await as('DELETE', `${site}/shared_links/${link}/key`)).status, 200)
    assert.equal((await table(data.key)).status, 401)
    const next = (await as('POST', `${site}/shared_links/${link}/key`)).body.data.key
    await as('DELETE', `${site}/shared_links/${link}`)
    assert.equal((await table(next)).status, 401)
  })

  test('figures for Prometheus equal the reports, with escaped names', async () => {
    await as('POST', `${site}/goals`, { kind: 'page', path: '/x', name: 'A "goal" \\' })
    const { text, headers } = await as('GET', `${site}/metrics`)
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const { metrics } = (await as('GET', `${site}/stats/aggregate?period=today`)).body.data
    const [, visitors] = /^footfall_site_visitors\{site="pa_\w+",domain="[^"]+"\} (\d+)$/m.exec(text) ?? []
    assert.deepEqual([Number(visitors), metrics.visitors], [metrics.visitors, 2])
    assert.match(text, /^footfall_site_conversions\{.*goal="A \\"goal\\" \\\\"\} 1$/m)
    assert.equal((await csv(`${site}/metrics`)).status, 401)
  })
})

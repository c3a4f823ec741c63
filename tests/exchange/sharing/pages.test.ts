/** A shared link in a browser: it opens its reports without an account, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sendTraffic } from '../../adapters/pages/traffic.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { someOf } from '../../support/full.ts'

onAnyEngine('pages of shared links', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    await sendTraffic(service, world)
  })
  after(() => service.close())

  async function made(fields: object): Promise<{ id: string; path: string }> {
    const { body, text, status } = await request(service, 'POST', `/sites/${world.ids.site}/shared_links.json`, {
      token: world.token,
      body: { name: 'Client', ...fields },
    })
    assert.equal(status, 201, text)
    return { id: body.data.id, path: new URL(body.data.url).pathname }
  }
  const look = (path: string, headers: Record<string, string> = {}) =>
    request(service, 'GET', path, { headers: { Accept: 'text/html,*/*', ...headers } })
  const submit = (path: string, fields: Record<string, string>) =>
    request(service, 'POST', path, {
      headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null' },
      body: new URLSearchParams(fields).toString(),
    })
  /** Addresses of a page, as a browser reads them. */
  const addresses = (html: string): string[] =>
    [...html.matchAll(/ (?:href|action)="([^"]*)"/g)].map(([, each = '']) => each.replaceAll('&amp;', '&'))

  test('a link shows its first report; every way on the page leads to another of them', async () => {
    const reports = [
      'overview',
      'aggregate',
      'timeseries',
      'breakdown',
      'events',
      'pages',
      'journeys',
      'funnels',
      'live',
      'insights',
      'performance',
      'campaigns',
    ]
    const { path } = await made({ reports, show_revenue: true })
    const first = await look(path)
    assert.equal(first.status, 200, first.text)
    assert.match(first.text, /At a glance/)
    assert.deepEqual(first.headers.getSetCookie(), [])
    assert.equal(first.headers.get('x-robots-tag'), 'noindex, nofollow')
    assert.equal(first.headers.get('referrer-policy'), 'no-referrer')
    assert.match(first.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.doesNotMatch(first.text, /Sign out|workspaces\//)
    const ways = [...new Set(addresses(first.text))].filter(each => !each.startsWith('/assets/') && !each.startsWith('/favicon'))
    assert.ok(ways.length > 20)
    const followed = ways.filter(each => !each.startsWith('#'))
    for (const way of someOf(followed, 25)) {
      assert.ok(way.startsWith(`${path}/`), way)
      assert.match(way, /[?&]key=sht_\w{36}/)
      const asksFirst = /\/pages\/detail\?key=/.test(way) // which page is still to be chosen
      assert.equal((await look(way.replace(/#.*/, ''))).status, asksFirst ? 422 : 200, way)
    }
    const funnels = await look(ways.find(each => each.startsWith(`${path}/funnels`)) ?? '')
    assert.match(funnels.text, new RegExp(`${path}/funnels/fun_\\w+`))
  })

  test('a shared link returns 404 for other reports and other sites', async () => {
    const { path } = await made({ reports: ['overview'] })
    for (const rest of ['breakdown/page', 'goals', 'live', 'tracking', '..%2f..%2faccount', 'overview/x', 'shared_links'])
      assert.equal((await look(`${path}/${rest}`)).status, 404, rest)
    const unknown = await look(`/share/${'x'.repeat(24)}`)
    assert.equal(unknown.status, 404)
    assert.match(unknown.text, /<a href="\/">Sign in<\/a>/)
    assert.doesNotMatch((await look(`/share/${'x'.repeat(24)}?embed=1`)).text, /Sign in/)
    const other = await look(`${path}/overview?key=sht_${'x'.repeat(36)}`)
    assert.equal(other.status, 200, 'a key that is over: without a password, the link is opened again')
  })

  test('a password opens a shared link for an hour, and a key of another link does not open it', async () => {
    const { path, id } = await made({ password: 'river-stone', theme: 'dark' })
    const asked = await look(`${path}?period=7d&embed=1`)
    assert.equal(asked.status, 200)
    assert.match(asked.text, /requires? a password/)
    assert.doesNotMatch(asked.text, /At a glance/)
    const query = /name="_query" value="([^"]*)"/.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const fields = { _slug: path.split('/')[2] ?? '', _query: query }
    const wrong = await submit(path, { ...fields, password: 'not this one' })
    assert.equal(wrong.status, 401)
    assert.match(wrong.text, /This is not the password/)
    assert.doesNotMatch(wrong.text, /not this one/)
    const right = await submit(path, { ...fields, password: 'river-stone' })
    assert.equal(right.status, 303, right.text)
    const location = right.headers.get('location') ?? ''
    assert.match(location, new RegExp(`^${path}\\?period=7d&embed=1&key=sht_\\w+$`))
    const shown = await look(location)
    assert.match(shown.text, /At a glance/)
    assert.match(shown.text, /data-theme="dark" data-embedded="true"/)
    const foreign = await made({ password: 'another-stone' })
    const key = new URL(location, 'http://x').searchParams.get('key') ?? ''
    assert.match((await look(`${foreign.path}?key=${key}`)).text, /requires? a password/)
    await request(service, 'DELETE', `/sites/${world.ids.site}/shared_links/${id}.json`, { token: world.token })
    assert.equal((await look(location)).status, 404)
  })

  test('limits show in what is offered: periods, comparisons, panels, figures', async () => {
    const { path } = await made({ max_days: 14, dimensions: ['page', 'country'], reports: ['overview', 'breakdown'] })
    const { text, status } = await look(path)
    assert.equal(status, 200)
    assert.match(text, /At a glance/)
    assert.doesNotMatch(text, /90 days|12 months|All time|Revenue|Browsers|Sources/)
    assert.match(text, /Countries/)
    assert.equal((await look(`${path}/overview?period=90d`)).status, 422)
  })

  test('reports leave as files where the link allows it, and nowhere else', async () => {
    const { path } = await made({ allow_export: true, reports: ['breakdown', 'timeseries'] })
    const { text } = await look(`${path}/breakdown/page`)
    const way = addresses(text).find(each => each.includes('.csv')) ?? ''
    assert.match(way, new RegExp(`^${path}/breakdown/page\\.csv\\?.*key=sht_`))
    const file = await look(way)
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
    assert.match(file.text, /^value,label,.*\r\n/)
    assert.doesNotMatch(file.text, /revenue/)
    const closed = await made({ reports: ['breakdown'] })
    assert.doesNotMatch((await look(`${closed.path}/breakdown/page`)).text, /\.csv/)
    assert.equal((await look(`${closed.path}/breakdown/page.csv`)).status, 404)
    const { token } = (await request(service, 'POST', `${closed.path}.json`, { body: {} })).body.data
    const asked = await request(service, 'GET', `/sites/${world.ids.site}/breakdown/page.csv`, { token })
    assert.deepEqual([asked.status, asked.body.error.code], [403, 'permission_denied'])
  })

  test('pages of a shared link ignore the session and never redirect to the sign-in', async () => {
    const { path } = await made({})
    const { text } = await look(path, { Cookie: `session=${world.shown.session}` })
    assert.doesNotMatch(text, /Sign out/)
    assert.doesNotMatch(text, new RegExp(world.owner.email))
  })

  test('a public site is shown to everyone, including search engines; a private site is not', async () => {
    const path = `/public/${world.ids.site}`
    await request(service, 'PATCH', `/sites/${world.ids.site}`, { token: world.token, body: { public: true } })
    const { text, headers, status } = await look(path)
    assert.equal(status, 200)
    assert.match(text, /At a glance/)
    assert.equal(headers.get('x-robots-tag'), null)
    const way = addresses(text).find(each => each.startsWith(`${path}/`)) ?? ''
    assert.equal((await look(way)).headers.get('x-robots-tag'), 'noindex, nofollow', 'the address of a visit')
    assert.match((await look('/robots.txt')).text, /^Allow: \/public\/$/m)
    await request(service, 'PATCH', `/sites/${world.ids.site}`, { token: world.token, body: { public: false } })
    assert.equal((await look(path)).status, 404)
    assert.equal((await look(way)).status, 404)
  })
})

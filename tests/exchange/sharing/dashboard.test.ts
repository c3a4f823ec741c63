/** A dashboard, experiments, campaigns and performance by a shared link, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sendTraffic } from '../../adapters/pages/traffic.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeWorld, type Reply, request, startService, type TestService, type World } from '../../support/world.ts'

onAnyEngine('shared dashboards', engine => {
  let service: TestService
  let world: World
  let foreign: World
  let elsewhere: string
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    foreign = await makeWorld(service)
    await sendTraffic(service, world)
    const other = await send('POST', `/workspaces/${world.ids.workspace}/sites.json`, { domain: 'second.example.com', name: 'Second' })
    elsewhere = other.body.data.id
  })
  after(() => service.close())

  const send = (method: string, path: string, body?: object, token: string | undefined = world.token): Promise<Reply> =>
    request(service, method, path, { token, ...(body && { body }) })
  const links = () => `/sites/${world.ids.site}/shared_links`
  const boards = (of = world) => `/workspaces/${of.ids.workspace}/dashboards`
  const made = (fields: object) => send('POST', `${links()}.json`, { name: 'Link', ...fields })
  async function board(): Promise<string> {
    const site_id = world.ids.site
    const cards = [
      { type: 'metric', site_id, title: 'People', params: { metric: 'visitors' } },
      { type: 'metric', site_id: elsewhere, title: 'Of the second site' },
      { type: 'metric', site_id, title: 'Money', params: { metric: 'revenue' } },
      { type: 'breakdown', site_id, title: 'Where money is from', params: { dimension: 'country', metric: 'revenue' } },
      { type: 'breakdown', site_id, title: 'Where from', params: { dimension: 'country' } },
    ]
    return (await send('POST', `${boards()}.json`, { name: 'For the client', cards })).body.data.id
  }
  async function opened(
    fields: object,
  ): Promise<{ link: { id: string; url: string; dashboard_id: string | null }; token: string; body: any }> {
    const { status, text, body } = await made(fields)
    assert.equal(status, 201, text)
    const answer = await request(service, 'POST', `${new URL(body.data.url).pathname}.json`, { body: {} })
    assert.equal(answer.status, 201, answer.text)
    return { link: body.data, token: answer.body.data.token, body: answer.body.data }
  }

  test('shows the cards of its site, without revenue, and no other dashboard', async () => {
    const [id, other] = [await board(), await board()]
    const { token, body } = await opened({ dashboard_id: id, reports: [] })
    assert.deepEqual([body.reports, body.dashboard], [[], { id, workspace_id: world.ids.workspace }])
    const shown = await send('GET', `${boards()}/${id}.json`, undefined, token)
    assert.equal(shown.status, 200, shown.text)
    assert.deepEqual(
      shown.body.data.cards.map(({ title }: { title: string }) => title),
      ['People', 'Money', 'Where from'],
    )
    assert.doesNotMatch(shown.text, new RegExp(elsewhere))
    const card = (index: number) => send('GET', `${boards()}/${id}/cards/${index}.json`, undefined, token)
    assert.ok((await card(0)).body.data.metrics.visitors > 0)
    for (const index of [0, 1]) assert.doesNotMatch(JSON.stringify((await card(index)).body.data), /"(revenue|purchases|average_order)":/)
    const unknown = await send('GET', `${boards()}/dash_1kkbswhg0000000000000000.json`, undefined, token)
    const replies = [
      await card(3),
      await send('GET', `${boards()}/${other}.json`, undefined, token),
      await send('GET', `${boards()}/${other}/cards/0.json`, undefined, token),
      await send('GET', `${boards(foreign)}/${foreign.ids.dashboard}.json`, undefined, token),
    ]
    assert.equal(unknown.status, 404)
    for (const reply of replies) assert.deepEqual([reply.status, reply.text], [404, unknown.text])
    for (const [method, path] of [
      ['GET', `${boards()}.json`],
      ['PATCH', `${boards()}/${id}.json`],
      ['DELETE', `${boards()}/${id}.json`],
      ['GET', `/sites/${world.ids.site}/overview.json`],
      ['GET', `/workspaces/${world.ids.workspace}.json`],
    ] as const)
      assert.equal((await send(method, path, method === 'PATCH' ? { name: 'Mine' } : undefined, token)).status, 403, `${method} ${path}`)
    const over = await callTool(service, 'dashboards_get', { workspace_id: world.ids.workspace, id: other }, token)
    assert.equal(over.isError, true)
  })

  test('its page is the dashboard, whose ways stay below the link', async () => {
    const id = await board()
    const { link } = await opened({ dashboard_id: id, reports: ['overview'] })
    const path = new URL(link.url).pathname
    const look = (at: string) => request(service, 'GET', at, { headers: { Accept: 'text/html,*/*' } })
    const first = await look(path)
    assert.equal(first.status, 200, first.text.slice(0, 2_000))
    for (const text of ['<h1>For the client</h1>', 'People', 'Where from', 'Not shown here.', 'Overview'])
      assert.ok(first.text.includes(text), text)
    assert.doesNotMatch(first.text, /Of the second site|Add a card|Sign out|workspaces\//)
    const ways = [...first.text.matchAll(/ (?:href|action)="(\/[^"]*)"/g)].map(([, way = '']) => way.replaceAll('&amp;', '&'))
    for (const way of ways.filter(each => !/^\/(assets\/|favicon)/.test(each))) {
      assert.ok(way.startsWith(`${path}/`), way)
      assert.ok([200, 404].includes((await look(way.replace(/#.*/, ''))).status), way)
    }
    assert.ok(ways.some(way => way.startsWith(`${path}/dashboard?`)))
    assert.equal((await look(`${path}/dashboard`)).status, 200)
    for (const rest of ['dashboard/x', 'dashboards', `../${id}`, 'dashboard/../../dashboards', 'dashboard/cards/99'])
      assert.equal((await look(`${path}/${rest}`)).status, 404, rest)
    await send('DELETE', `${boards()}/${id}.json`)
    assert.match((await look(path)).text, /<h1>Overview<\/h1>/, 'what is left')
    assert.equal((await look(`${path}/dashboard`)).status, 404)
  })

  test('promises nothing that a dashboard does not keep, and takes none of others', async () => {
    const id = await board()
    const wrong = await made({ dashboard_id: id, segment_id: world.ids.segment, max_days: 7, dimensions: ['page'] })
    const pointers = wrong.body.error.details.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual([wrong.status, pointers], [422, ['/dashboard_id', '/dashboard_id', '/dashboard_id']])
    const of = async (dashboard_id: string) => (await made({ dashboard_id })).text
    const same = (text: string) => text.replace(/"request_id":"[^"]*"/, '')
    assert.equal(same(await of(foreign.ids.dashboard ?? '')), same(await of('dash_1kkbswhg0000000000000000')))
    assert.match(await of('nonsense'), /not_found/)
    assert.match((await made({ reports: [] })).text, /too_short/)
    const { link, token } = await opened({ dashboard_id: id, reports: [] })
    assert.equal((await send('PATCH', `${links()}/${link.id}.json`, { dashboard_id: '' })).status, 422)
    assert.equal((await send('PATCH', `${links()}/${link.id}.json`, { max_days: 3 })).status, 422)
    const changed = await send('PATCH', `${links()}/${link.id}.json`, { dashboard_id: null, reports: ['overview'] })
    assert.deepEqual([changed.body.data.dashboard_id, changed.body.data.reports], [null, ['overview']])
    assert.equal((await send('GET', `${boards()}/${id}.json`, undefined, token)).status, 403, 'at once')
  })

  test('experiments, performance and campaigns are read within the limits of the link', async () => {
    const site = `/sites/${world.ids.site}`
    const { token } = await opened({
      reports: ['experiments', 'performance'],
      max_days: 30,
      dimensions: ['goal', 'page', 'property:variant'],
    })
    const get = async (path: string, who = token) => (await send('GET', `${site}/${path}`, undefined, who)).status
    const goal = `goal_id=${world.ids.goal}`
    assert.deepEqual(
      [
        await get(`experiments.json?property=variant&${goal}&period=7d`),
        await get(`experiments.json?property=secret&${goal}&period=7d`),
        await get(`experiments.json?property=variant&${goal}&period=all`),
        await get('performance.json?period=7d'),
        await get('performance/page.json?period=7d'),
        await get('performance/country.json?period=7d'),
        await get('performance.json?period=12mo'),
        await get('campaigns/report.json?period=7d'),
      ],
      [200, 422, 422, 200, 200, 422, 422, 403],
    )
    assert.match((await made({ reports: ['campaigns'] })).text, /shows revenue/)
    const told = await opened({ reports: ['campaigns'], show_revenue: true })
    assert.deepEqual([await get('campaigns/report.json', told.token), await get('campaigns.json', told.token)], [200, 403])
    const page = await request(service, 'GET', new URL(told.link.url).pathname, { headers: { Accept: 'text/html,*/*' } })
    assert.match(page.text, /<h1>Campaign results<\/h1>/)
    assert.doesNotMatch(page.text, /campaigns\/cmp_/)
  })
})

/** Groups of sites: every operation of a site with the id of a group, and what a group is made of. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, fill, makeWorld, removeSite, request, startService, tokenOf, type TestService, type World } from '../support/world.ts'
import { addGoal, addSite, hit, type Sent, store as keep } from '../storage/engine/traffic.ts'
import type { LiveSite } from '../../operations/sites/sites/records.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const HOUR = 3_600_000

onAnyEngine('groups of sites', engine => {
  let service: TestService
  let world: World
  let shop: LiveSite
  let group: string
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const { workspace } = world.ids
    shop = await addSite(service.store, 'Europe/Berlin', {
      id: 'pa_shop',
      domain: 'shop.test',
      name: 'Shop',
      workspace_id: workspace ?? '',
    })
    await addGoal(service.store, shop, 'goal_shop', { name: 'Example', event: 'Signup' })
    await send({ number: world.siteNumber, timezone: 'Europe/Berlin' }, ['/', '/a'], 'a')
    await send(shop, ['/', '/b', '/b'], 'b')
    await send(shop, ['/b'], 'c')
    const made = await post('site_groups', { name: 'Both', site_ids: [world.ids.site, shop.id] })
    assert.equal(made.status, 201, made.text)
    group = made.body.data.id
  })
  after(() => service.close())

  const send = (site: Pick<LiveSite, 'number' | 'timezone'>, pages: readonly string[], who: string, more: Partial<Sent> = {}) =>
    keep(
      service.store,
      pages.map((page, i) => hit(site, { at: NOW - 3 * HOUR + i * 60_000, who, page, ...more })),
    )
  const post = (path: string, body: object) =>
    request(service, 'POST', `/workspaces/${world.ids.workspace}/${path}.json`, { token: world.token, body })
  const read = async (site: string, path: string, token = world.token) => request(service, 'GET', `/sites/${site}/${path}`, { token })

  test('each operation of a site takes a group or refuses it by its declaration', async () => {
    const ofGroup: World = { ...world, ids: { ...world.ids, site: group } }
    for (const operation of table.operations.values()) {
      const [subject] = operation.on
      if (subject?.name !== 'site' || operation.credential || operation.access === 'public' || operation.effect !== 'read') continue
      if (operation.on.length > 1 && operation.groups) continue // its record belongs to another site
      const [example] = operation.examples
      const input = { ...fill(example?.input ?? {}, ofGroup), site_id: group }
      const { status, body, text } = await callHttp(service, operation, input, tokenOf(world, operation))
      if (operation.groups) assert.equal(status, 200, `${operation.id}: ${text}`)
      else if (operation.on.length === 1) assert.deepEqual([status, body?.error.code], [422, 'not_for_groups'], operation.id)
      else assert.equal(status, 404, operation.id)
    }
  })

  test('figures are the sums of the sites, and a visitor of both sites is two', async () => {
    const path = 'stats/aggregate.json?period=today'
    const [a, b, both] = [await read(world.ids.site ?? '', path), await read(shop.id, path), await read(group, path)]
    for (const name of ['visitors', 'visits', 'pageviews']) {
      assert.equal(both.body.data.metrics[name], a.body.data.metrics[name] + b.body.data.metrics[name], name)
    }
    assert.deepEqual(both.body.data.period, a.body.data.period)
    const { body } = await read(group, 'breakdown/page.json?period=today')
    const rows = body.data.rows.map((row: { value: string; visitors: number; pageviews: number }) => [
      row.value,
      row.visitors,
      row.pageviews,
    ])
    assert.deepEqual(rows, [
      ['/', 2, 2],
      ['/b', 2, 3],
      ['/a', 1, 1],
    ])
  })

  test('sites are a dimension, in rows and in filters', async () => {
    const { body } = await read(group, 'breakdown/site.json?period=today')
    const rows = body.data.rows.map((row: { value: string; label: string; visitors: number }) => [row.value, row.visitors])
    assert.deepEqual(rows, [
      [shop.id, 2],
      [world.ids.site, 1],
    ])
    const filters = encodeURIComponent(JSON.stringify([['site', 'is', shop.id]]))
    const one = await read(group, `breakdown/page.json?period=today&filters=${filters}`)
    assert.deepEqual(
      one.body.data.rows.map((row: { value: string }) => row.value),
      ['/b', '/'],
    )
  })

  test('a shared link shows the reports of a group, and nothing of its sites', async () => {
    const made = await request(service, 'POST', `/sites/${group}/shared_links.json`, {
      token: world.token,
      body: { name: 'Both', reports: ['overview', 'timeseries', 'breakdown'] },
    })
    assert.equal(made.status, 201, made.text)
    const share = new URL(made.body.data.url).pathname
    const opened = await request(service, 'POST', `${share}.json`, { body: {} })
    assert.equal(opened.status, 201, opened.text)
    const { token } = opened.body.data
    const path = 'overview.json?period=today'
    const shown = await read(group, path, token)
    assert.equal(shown.status, 200, shown.text)
    assert.equal(shown.body.data.metrics.visits, (await read(group, path)).body.data.metrics.visits)
    const { body } = await read(group, 'breakdown/site.json?period=today', token)
    assert.equal(body.data.rows.length, 2)
    for (const site of [world.ids.site ?? '', shop.id]) assert.equal((await read(site, path, token)).status, 404)
    const page = await service.web.request(share, { headers: { Accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Both/)
  })

  test('an alert watches the traffic of a group, but no uptime checks', async () => {
    const alert = { name: 'Few', site_id: group, window_minutes: 60 }
    const traffic = await post('alerts', { ...alert, kind: 'threshold', metric: 'visitors', operator: 'lt', threshold: 5 })
    assert.equal(traffic.status, 201, traffic.text)
    const uptime = await post('alerts', { ...alert, kind: 'uptime' })
    assert.deepEqual([uptime.status, uptime.body.error.details[0].pointer], [422, '/site_id'], uptime.text)
  })

  test('a token that is restricted to sites, and one of another workspace, see no group', async () => {
    const restricted = await world.tokenFor('owner', { siteIds: [world.ids.site ?? '', shop.id] })
    const other = await makeWorld(service)
    for (const token of [restricted, other.token]) {
      const [found, unknown] = [await read(group, 'stats/aggregate.json', token), await read('pa_unknown', 'stats/aggregate.json', token)]
      assert.deepEqual([found.status, found.text], [unknown.status, unknown.text])
    }
  })

  test('sites of several currencies and time zones have no common amount, and each its own days', async () => {
    const far = await addSite(service.store, 'Pacific/Auckland', {
      id: 'pa_far',
      domain: 'far.test',
      currency: 'NZD',
      workspace_id: world.ids.workspace ?? '',
    })
    await send(far, ['/'], 'd', { revenue: 500 })
    await send(shop, ['/paid'], 'e', { revenue: 300 })
    const made = await post('site_groups', { name: 'World', site_ids: [far.id, shop.id] })
    assert.deepEqual([made.body.data.currency, made.body.data.timezone], [null, null])
    const { body } = await read(made.body.data.id, 'stats/aggregate.json?period=7d')
    assert.equal(body.data.metrics.revenue, null)
    assert.equal(body.data.metrics.visitors, 4)
    assert.deepEqual(
      body.meta.notes.map((note: { code: string }) => note.code),
      ['several_time_zones', 'several_currencies'],
    )
    const hours = await read(made.body.data.id, 'stats/timeseries.json?period=7d&interval=hour')
    const busy = hours.body.data.series.filter((point: { visitors: number }) => point.visitors > 0)
    assert.deepEqual(
      busy.map((point: { at: string; visitors: number }) => [point.at.slice(0, 13), point.visitors]),
      [
        ['2026-03-10T10', 3],
        ['2026-03-10T22', 1],
      ],
    )
  })

  test('a deleted site leaves its groups, and the group of all sites follows', async () => {
    const other = await makeWorld(service)
    const { body } = await request(service, 'POST', `/workspaces/${other.ids.workspace}/sites.json`, {
      token: other.token,
      body: { domain: 'another.test' },
    })
    const list = async () =>
      (await request(service, 'GET', `/workspaces/${other.ids.workspace}/site_groups.json`, { token: other.token })).body.data
    const ids = ([all, own]: { kind: string; site_ids: string[] }[]) => [all?.kind, all?.site_ids.toSorted(), own?.site_ids]
    assert.deepEqual(ids(await list()), ['all', [other.ids.site, body.data.id].toSorted(), [other.ids.site]])
    await removeSite(service, other)
    assert.deepEqual(ids(await list()), ['all', [body.data.id], []])
    const empty = await read(other.ids.site_group ?? '', 'stats/aggregate.json', other.token)
    assert.equal(empty.body.data.metrics.visitors, 0, empty.text)
  })
})

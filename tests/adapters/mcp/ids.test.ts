/** Ids that callers need not know: omitted if there is only one, given as a name, and reported if they are wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import { sender } from '../../../adapters/client/core.ts'
import { isTool } from '../../../adapters/mcp/tools.ts'
import { table } from '../../../operations/index.ts'
import { referenceOf } from '../../../runtime/table/subject-finders.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

onAnyEngine('ids over MCP', engine => {
  let service: TestService
  let world: World
  let other: World
  const call = (name: string, args: unknown, token = world.token) => callTool(service, name, args, token)
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    other = await makeWorld(service)
  })
  after(() => service.close())

  const goals = (reply: { body: any }) => reply.body.data.map(({ id }: { id: string }) => id)

  test('the workspace is the token’s, the site the only one', async () => {
    assert.equal((await call('workspaces_get', {})).body.data.id, world.ids.workspace)
    assert.equal((await call('sites_list', {})).body.data[0].id, world.ids.site)
    assert.equal((await call('sites_get', {})).body.data.id, world.ids.site)
    assert.ok(goals(await call('goals_list', {})).includes(world.ids.goal))
    assert.equal((await call('sites_get', {}, other.token)).body.data.id, other.ids.site)
  })

  test('a deletion requires an id, even if there is only one record', async () => {
    for (const name of ['sites_delete', 'workspaces_delete', 'events_delete']) {
      const { isError, body } = await call(name, {})
      assert.equal(isError, true)
      assert.ok(
        body.error.details.some((detail: any) => detail.code === 'required' && /^\/(site|workspace)_id$/.test(detail.pointer)),
        name,
      )
    }
    assert.equal((await call('sites_get', {})).isError, false)
  })

  test('a site is named by its domain, as an address bar shows it, and other things by their name', async () => {
    const { domain, site, goal, segment } = world.ids
    for (const site_id of [domain, domain?.toUpperCase(), `https://www.${domain}/`, ` ${domain} `])
      assert.equal((await call('sites_get', { site_id })).body.data.id, site)
    const { name } = (await call('goals_get', { id: goal })).body.data
    assert.equal((await call('goals_get', { site_id: domain, id: name.toLowerCase() })).body.data.id, goal)
    const saved = (await call('segments_get', { id: segment })).body.data
    const narrowed = await call('stats_aggregate', { site_id: domain, segment_id: saved.name })
    assert.deepEqual(narrowed.body.data, (await call('stats_aggregate', { segment_id: segment })).body.data)
    const alert = await call('alerts_create', { name: 'Quiet', kind: 'no_data', site_id: domain })
    assert.equal(alert.body.data.site_id, site)
    const changed = await call('goals_update', { id: name, name: 'Renamed' })
    assert.equal(changed.body.data.id, goal)
  })

  test('an id that is not there names its argument and what there is, as far as the caller may see it', async () => {
    const { site, goal, domain } = world.ids
    const fault = async (name: string, args: unknown, token?: string) => {
      const { body } = await call(name, args, token)
      assert.equal(body.error.code, 'not_found')
      assert.equal(body.error.details.length, 1)
      assert.doesNotMatch(JSON.stringify(body), /in the path|"in":"path"/)
      return body.error.details[0]
    }
    for (const site_id of ['nope.example.com', 'pa_00000000000000000000000', other.ids.site, other.ids.domain]) {
      const { pointer, code, message } = await fault('stats_aggregate', { site_id })
      assert.deepEqual([pointer, code], ['/site_id', 'not_found'])
      assert.ok(message.includes(`${domain} (${site})`), message)
    }
    const foreign = await fault('stats_aggregate', { site_id: other.ids.site })
    const unknown = await fault('stats_aggregate', { site_id: 'pa_00000000000000000000000' })
    assert.deepEqual(foreign, unknown)
    assert.match((await fault('goals_get', { id: 'nope' })).message, new RegExp(`\\(${goal}\\)`))
    assert.match((await fault('goals_get', { id: other.ids.goal })).message, new RegExp(`\\(${goal}\\)`))
    const blind = await world.tokenFor('owner', { permissions: ['sites.manage'] })
    assert.ok(!(await fault('sites_update', { site_id: 'nope.example.com', name: 'x' }, blind)).message.includes(String(domain)))
  })

  test('an id deeper in the input that is not there says what there is as well, of the site that stands beside it', async () => {
    const { site, funnel, domain, channel } = world.ids
    const told = async (name: string, args: unknown): Promise<[string, string][]> => {
      const { body } = await call(name, args)
      assert.equal(body.error.code, 'validation_failed', JSON.stringify(body))
      return body.error.details.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message])
    }
    const wrong = (funnel_id = 'fun_x') => ({ name: 'x', cards: [{ type: 'funnel', site_id: site, params: { funnel_id } }] })
    const [[pointer, message] = ['', '']] = await told('dashboards_create', wrong())
    assert.equal(pointer, '/cards/0/params/funnel_id')
    assert.ok(message.includes(`(${funnel})`) && message.endsWith('.'), message)
    const foreign = await told('dashboards_create', wrong(other.ids.funnel))
    assert.equal(foreign[0]?.[1].replace(other.ids.funnel ?? '', 'fun_x'), message)
    const [card] = await told('dashboards_create', { name: 'x', cards: [{ type: 'live', site_id: other.ids.site }] })
    assert.ok(card?.[1].includes(`${domain} (${site})`), card?.[1])
    const [unheard] = await told('alerts_create', { name: 'Quiet', kind: 'no_data', site_id: site, channel_ids: ['nch_x'] })
    assert.ok(unheard?.[1].includes(String(channel)), unheard?.[1])
  })

  test('with more than one site they are named as choices; a token restricted to one has no choice', async () => {
    const made = await call('sites_create', { domain: 'second.example.net' })
    const { isError, body } = await call('stats_aggregate', {})
    assert.deepEqual([isError, body.error.code, body.error.details[0].code], [true, 'validation_failed', 'required'])
    for (const one of [world.ids.domain, 'second.example.net']) assert.ok(body.error.details[0].message.includes(one))
    const token = await world.tokenFor('owner', { permissions: ['analytics.read'], siteIds: [made.body.data.id] })
    assert.equal((await call('sites_get', {}, token)).body.data.id, made.body.data.id)
    const hidden = await call('sites_get', { site_id: world.ids.domain }, token)
    assert.ok(hidden.body.error.code === 'not_found' && !hidden.body.error.details[0].message.includes(world.ids.site))
    const gone = await call('sites_delete', { site_id: 'second.example.net', confirm: 'second.example.net' })
    assert.equal(gone.isError, false)
  })

  test('a conflict returns the id of the existing record', async () => {
    const first = await call('segments_create', { site_id: world.ids.site, name: 'Twice', filters: [['country', 'is', 'DE']] })
    const again = await call('segments_create', { site_id: world.ids.site, name: 'Twice', filters: [['country', 'is', 'FR']] })
    assert.equal(again.body.error.code, 'already_exists')
    assert.ok(again.body.error.message.includes(first.body.data.id), again.body.error.message)
    const site = await call('sites_create', { domain: world.ids.domain })
    assert.ok(site.body.error.code === 'already_exists' && site.body.error.message.includes(world.ids.site))
    const foreign = await call('sites_create', { domain: other.ids.domain })
    assert.ok(foreign.body.error.code === 'already_exists' && !/pa_/.test(foreign.body.error.message))
  })

  /** The names of records by their ids: as the lists return them. */
  const namesIn = async (world: World): Promise<Map<string, string>> => {
    const names = new Map<string, string>()
    for (const list of [
      'sites_list',
      'goals_list',
      'segments_list',
      'funnels_list',
      'dashboards_list',
      'channels_list',
      'uptime_checks_list',
    ])
      for (const { id, domain, name } of (await call(list, {}, world.token)).body.data) names.set(id, domain ?? name)
    return names
  }
  /** Fields of an input that refer to records, at any depth, with their ids replaced by names. */
  const withNames = (value: unknown, names: ReadonlyMap<string, string>, field = ''): unknown => {
    if (Array.isArray(value)) return value.map(each => withNames(each, names, field))
    if (typeof value === 'string') return referenceOf(table, field) ? (names.get(value) ?? value) : value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNames(inner, names, name)]))
  }
  const referring = new Set<string>()
  const refer = (schema: TSchema): void => {
    for (const each of (schema.anyOf as TSchema[] | undefined) ?? [schema]) {
      if (each.items) refer(each.items)
      for (const [name, inner] of Object.entries<TSchema>(each.properties ?? {})) {
        if (referenceOf(table, name)) referring.add(name)
        refer(inner)
      }
    }
  }
  for (const operation of table.operations.values()) if (isTool(operation)) refer(operation.input)

  test('every argument that refers to a record takes its name, at any depth', async () => {
    const { ids } = world
    const inputs: Readonly<Record<string, object>> = {
      alerts_create: { name: 'a', kind: 'uptime', site_id: ids.site, uptime_check_id: ids.check, channel_ids: [ids.channel] },
      retention_get: { goal_id: ids.goal, return_goal_id: ids.goal },
      attribution_get: { goal_id: ids.goal },
      campaigns_create: { name: 'b', utm_campaign: 'named', goal_id: ids.goal },
      dashboards_create: { name: 'c', cards: [{ type: 'funnel', site_id: ids.site, params: { funnel_id: ids.funnel } }] },
      email_reports_create: {
        name: 'd',
        frequency: 'weekly',
        recipients: ['team@example.com'],
        site_ids: [ids.site],
        goal_ids: [ids.goal],
        segment_id: ids.segment,
      },
      funnels_create: { name: 'e', steps: [{ kind: 'page', path: '/' }, { goal_id: ids.goal }] },
      shared_links_create: { name: 'f', dashboard_id: ids.dashboard },
      status_pages_create: { name: 'g', slug: 'named-one', groups: [{ name: 'h', checks: [{ check_id: ids.check }] }] },
      status_incidents_create: { status_page_id: ids.status_page, title: 'i', impact: 'minor', body: 'j', check_ids: [ids.check] },
    }
    /** Of previews that need a second site, or a rule of a certain kind. */
    const onlyPreviewed = new Set(['into_site_id', 'traffic_rule_id'])
    const names = await namesIn(world)
    const taken = new Set<string>()
    for (const [name, input] of Object.entries(inputs)) {
      const named = withNames(input, names) as object
      assert.notDeepEqual(named, input)
      for (const [, field = ''] of JSON.stringify(input).matchAll(/"(\w+)":/g)) if (referenceOf(table, field)) taken.add(field)
      const { body, isError } = await call(name, named)
      assert.equal(isError, false, `${name}: ${JSON.stringify(body.error)}`)
      for (const id of JSON.stringify(input).match(/[a-z]{2,4}_[0-9a-z]{23}/g) ?? [])
        if (id !== ids.status_page && id !== ids.check) assert.ok(JSON.stringify(body).includes(id), `${name} keeps ${id}`)
    }
    assert.deepEqual(
      [...referring].filter(field => !taken.has(field) && !onlyPreviewed.has(field)),
      [],
      'every kind of reference is among them',
    )
  })

  test('a goal is found by its name in the sites that a report lists, unless two of them have one of that name', async () => {
    const second = (await call('sites_create', { domain: 'goals.example.net' })).body.data.id
    const made = await call('goals_create', { site_id: second, name: 'Only there', kind: 'page', path: '/there' })
    const report = async (site_ids: unknown, goal_ids: unknown) =>
      (
        await call('email_reports_create', {
          name: `r${Math.abs(JSON.stringify([site_ids, goal_ids]).length)}`,
          frequency: 'daily',
          recipients: ['team@example.com'],
          site_ids,
          goal_ids,
        })
      ).body
    const found = await report([world.ids.domain, 'goals.example.net'], ['only there'])
    assert.deepEqual(found.data?.goal_ids, [made.body.data.id], JSON.stringify(found))
    const { name } = (await call('goals_get', { site_id: world.ids.site, id: world.ids.goal })).body.data
    await call('goals_create', { site_id: second, name, kind: 'page', path: '/twice' })
    const unclear = await report([world.ids.domain, 'goals.example.net'], [name])
    assert.equal(unclear.error.code, 'validation_failed', JSON.stringify(unclear))
    await call('sites_delete', { site_id: second, confirm: 'goals.example.net' })
  })

  test('a goal is not found by its name in more sites than are searched: it could also be in the others', async () => {
    const { name } = (await call('goals_get', { site_id: world.ids.site, id: world.ids.goal })).body.data
    const others: string[] = []
    for (let i = 0; i < 20; i++) others.push((await call('sites_create', { domain: `many-${i}.example.net` })).body.data.id)
    const report = { name: 'of many', frequency: 'daily', recipients: ['team@example.com'], goal_ids: [name] }
    const searched = await call('email_reports_create', { ...report, site_ids: [world.ids.site, ...others.slice(1)] })
    assert.deepEqual(searched.body.data?.goal_ids, [world.ids.goal], JSON.stringify(searched.body))
    const unclear = await call('email_reports_create', { ...report, site_ids: [world.ids.site, ...others] })
    assert.equal(unclear.body.error?.code, 'validation_failed', JSON.stringify(unclear.body))
    for (const [i, id] of others.entries()) await call('sites_delete', { site_id: id, confirm: `many-${i}.example.net` })
  })

  test('a name that is too long, and a list of too many names, is refused without looking each up', async () => {
    const long = await call('goals_get', { site_id: world.ids.site, id: 'x'.repeat(500_000) })
    assert.equal(long.body.error.code, 'not_found')
    const inInput = await call('campaigns_create', { name: 'b', utm_campaign: 'long', goal_id: 'x'.repeat(500_000) })
    assert.equal(inInput.body.error.code, 'validation_failed')
    const names = Array.from({ length: 50_000 }, (_, i) => `goal ${i}`)
    const report = { name: 'many', frequency: 'daily', recipients: ['team@example.com'], site_ids: [world.ids.site] }
    const many = await call('email_reports_create', { ...report, goal_ids: names })
    assert.deepEqual(
      many.body.error.details.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/goal_ids', 'too_many_items']],
    )
  })

  test('over HTTP no id is completed, and every id that is not found answers the same bytes', async () => {
    const { text } = await request(service, 'GET', '/sites/pa_nope', { token: world.token })
    for (const id of [other.ids.site, other.ids.domain, 'x', 'nope.example.com'])
      assert.equal((await request(service, 'GET', `/sites/${id}`, { token: world.token })).text, text)
    assert.deepEqual(JSON.parse(text).error.details, [])
    const named = await request(service, 'GET', `/sites/${world.ids.site}/stats/aggregate?segment_id=nope`, { token: world.token })
    const { name } = (await call('segments_get', { id: world.ids.segment })).body.data
    const { status } = await request(service, 'GET', `/sites/${world.ids.site}/stats/aggregate?segment_id=${encodeURIComponent(name)}`, {
      token: world.token,
    })
    assert.equal(status, named.status, 'a name is no id where the path has an id')
    const blind = await world.tokenFor('owner', { permissions: ['sites.manage'] })
    assert.equal((await request(service, 'PATCH', `/sites/${world.ids.domain}`, { token: blind, body: { name: 'x' } })).status, 404)
  })

  test('over HTTP, names work everywhere in a request whose path has the domain of its site', async () => {
    const { domain, site, goal, segment } = world.ids
    const ask = (method: string, path: string, body?: object) =>
      request(service, method, path, { token: world.token, ...(body && { body }) })
    for (const end of ['', '.json']) assert.equal((await ask('GET', `/sites/${domain}${end}`)).body.data.id, site)
    const { name } = (await ask('GET', `/sites/${site}/goals/${goal}`)).body.data
    assert.equal((await ask('GET', `/sites/${domain}/goals/${encodeURIComponent(name)}.json`)).body.data.id, goal)
    const saved = (await ask('GET', `/sites/${site}/segments/${segment}`)).body.data
    const named = await ask('GET', `/sites/${domain}/stats/aggregate.json?segment_id=${encodeURIComponent(saved.name)}`)
    assert.deepEqual(named.body.data, (await ask('GET', `/sites/${site}/stats/aggregate.json?segment_id=${segment}`)).body.data)
    const made = await ask('POST', `/sites/${domain}/funnels.json`, {
      name: 'By name',
      steps: [{ kind: 'page', path: '/' }, { goal_id: name }],
    })
    assert.equal(made.body.data?.steps[1].goal_id, goal, made.text)
    const send = sender({ server: 'http://footfall.test', token: world.token, fetch: async (url, init) => service.web.request(url, init) })
    assert.deepEqual(
      await send('GET /sites/{site_id}/goals/{id}', { site_id: domain, id: name }),
      (await ask('GET', `/sites/${site}/goals/${goal}`)).body,
    )
    const foreign = await request(service, 'GET', `/sites/${domain}.json`, { token: other.token })
    assert.equal(foreign.status, 404)
  })
})

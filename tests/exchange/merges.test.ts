/** The history of a site moves into another: nothing is lost, and nothing is counted twice. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { mergeSites } from '../../operations/exchange/merges/merge.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { onEachEngine } from '../support/engines.ts'
import { overtaken } from '../support/overtaken.ts'
import { rowsBack } from '../support/packed.ts'
import { taskContext } from '../support/task-context.ts'
import { callHttp, request, startService, type TestService } from '../support/world.ts'
import { type Asking, at, newSite } from '../reports/events/asking.ts'
import { visitsAddUp } from '../reports/events/visits.ts'
import { hit, type Sent, store } from '../storage/engine/traffic.ts'
import { table } from '../../operations/index.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onEachEngine('merges of sites', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  let other: { id: string; number: number; timezone: string; domain: string }
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(begin)
  async function begin(): Promise<void> {
    site = await newSite(service)
    const domain = `second.${(await site.get('sites_get')).data.domain}`
    const { currency } = (await site.get('sites_get')).data
    const input = { workspace_id: site.world.ids.workspace, domain, timezone: 'America/New_York', currency }
    const { data } = (await ask('sites_create', input)).body
    const { number } = await service.store.read.selectFrom('sites').select('number').where('id', '=', data.id).executeTakeFirstOrThrow()
    other = { id: data.id, number, timezone: data.timezone, domain }
  }
  after(() => service.close())

  function ask(name: string, input: Record<string, unknown>) {
    const operation = table.operations.get(name)
    assert.ok(operation)
    return callHttp(service, operation, input, site.world.token)
  }
  const send = (...hits: Sent[]) =>
    store(
      service.store,
      hits.map(one => hit(other, one)),
    )
  async function run(): Promise<void> {
    service.clock.now += 5 * 60_000
    await createScheduler(service.app).runDue(['sites_merging'])
  }
  const totals = async (id: string, input: object = {}) => {
    const { body, text } = await ask('stats_aggregate', { site_id: id, period: 'all', ...input })
    assert.ok(body.data, text)
    const { visitors, visits, pageviews, revenue } = body.data.metrics
    return [visitors, visits, pageviews, revenue]
  }

  test('all visits of both sites are kept, in the days of the other site', async () => {
    const own = site.world.ids.site ?? ''
    await site.send({ who: 'a', at: at('10:00'), page: '/both', visit: { country: 'DE' } })
    await send(
      { who: 'a', at: at('10:00'), page: '/both', visit: { country: 'US' } },
      { who: 'a', at: at('10:05'), event: 'Buy', revenue: 700, props: { size: 'L', n: 3 } },
      { who: 'a', at: at('10:06'), page: '/both', kind: 'vitals', vitals: { lcp: 1200 } },
      { who: 'b', at: at('04:00'), page: '/early', visit: { country: 'US' } }, // 8 March in New York
      { who: 'd', at: at('10:00'), page: '/loose', kind: 'vitals', vitals: { lcp: 900 } }, // without a visit
      { who: 'e', at: at('10:00'), page: '/loose', kind: 'clicks', clicks: [{ selector: '#a', x: 1, y: 2 }] },
      // One visit over a midnight in Berlin.
      { who: 'c', at: at('23:50', '2026-03-08'), page: '/before', visit: { country: 'US' } },
      { who: 'c', at: at('00:10'), page: '/after', visit: { country: 'US' } },
    )
    const before = await totals(other.id)
    assert.deepEqual(before, [3, 3, 4, 700])
    const { body } = await ask('sites_merge_preview', { site_id: other.id, into_site_id: own })
    const { visits, pageviews, events, revenue, days, is_cut_again, aliases } = body.data
    assert.deepEqual([visits, pageviews, events, revenue, days, is_cut_again, aliases], [3, 4, 1, 700, 2, true, [other.domain]])
    const refused = await ask('sites_merge', { site_id: other.id, into_site_id: own, confirm: 'wrong' })
    assert.equal(refused.status, 422)
    const merged = await ask('sites_merge', { site_id: other.id, into_site_id: own, confirm: other.domain })
    assert.equal(merged.status, 201, merged.text)
    await run()
    const [done] = (await ask('site_merges_list', { site_id: own })).body.data
    assert.deepEqual([done.state, done.visits, done.hits, done.progress], ['finished', 3, 5, 100])

    await rowsBack(service.app, site.world.siteNumber)
    await visitsAddUp(service.store, site.world.siteNumber)
    assert.deepEqual(await totals(other.id), [0, 0, 0, 0])
    assert.deepEqual(await totals(own), [5, 5, 5, 700]) // the visit over midnight counts on both days
    assert.deepEqual(await totals(own, { filters: [['country', 'is', 'US']] }), [4, 4, 4, 700])
    assert.deepEqual(await totals(own, { period: 'custom', from: '2026-03-08', to: '2026-03-08' }), [1, 1, 1, 0])
    const { data: event } = await site.get('events_get', { period: '7d', name: 'Buy', properties: ['size'] })
    assert.equal(JSON.stringify(event).includes('"L"'), true)
    await rowsBack(service.app, site.world.siteNumber) // the requests since then packed them again
    const vitals = await service.store.read.selectFrom('vitals').selectAll().where('site_id', '=', site.world.siteNumber).execute()
    assert.deepEqual(vitals.map(({ metric, value, visit_id }) => [metric, value, visit_id === 0]).sort(), [
      ['lcp', 1200, false],
      ['lcp', 900, true],
    ])
    for (const table of ['visits', 'hits', 'hit_props', 'vitals', 'clicks'] as const) {
      const left = await service.store.read.selectFrom(table).select('site_id').where('site_id', '=', other.number).execute()
      assert.deepEqual(left, [], table)
    }

    // Its names count for the other site, and its records stay with it.
    assert.deepEqual((await site.get('sites_get')).data.aliases, [other.domain])
    assert.equal((await ask('sites_get', { site_id: other.id })).body.data.domain, `${other.domain}.invalid`)
    const body2 = { n: 'pageview', u: `https://${other.domain}/new`, d: other.domain }
    const reply = await request(service, 'POST', '/api/event', { body: body2, headers: { 'User-Agent': chrome } })
    assert.equal(reply.headers.get('x-footfall-dropped'), null)
    assert.deepEqual((await totals(own)).slice(1, 3), [6, 6])
  })

  /** People declared, with ids kept or not. */
  const declare = (id: string, more: object) =>
    ask('sites_update', { site_id: id, identity: 'declared', identity_traits: [{ name: 'plan', type: 'text' }], ...more })
  async function identify(id: string, user: string, more: object = {}) {
    service.clock.now += 2_000 // the settings of a site are known for a second
    const body = { n: 'pageview', u: `https://example.com/${user}`, d: id, user, ...more }
    const reply = await request(service, 'POST', '/api/event', { body, headers: { 'User-Agent': chrome + user } })
    assert.equal(reply.status, 202, reply.text)
    return reply.headers.get('x-footfall-identity-ignored')
  }
  /** Counted from the rows, without the engine: persons, visits of persons, persons without a row. */
  async function counted(number: number) {
    await rowsBack(service.app, number)
    const visits = await service.store.read.selectFrom('visits').select('person').where('site_id', '=', number).execute()
    const rows = await service.store.read.selectFrom('persons').select(['person', 'moved_to']).where('site_id', '=', number).execute()
    const of = new Set(visits.flatMap(({ person }) => (person === 0 ? [] : [person])))
    assert.ok(rows.every(({ moved_to }) => moved_to === 0))
    return [of.size, visits.filter(({ person }) => person !== 0).length, [...of].filter(n => !rows.some(row => row.person === n)).length]
  }
  async function merge() {
    const own = site.world.ids.site ?? ''
    const merged = await ask('sites_merge', { site_id: other.id, into_site_id: own, confirm: other.domain })
    assert.equal(merged.status, 201, merged.text)
    await run()
    assert.equal((await ask('site_merges_list', { site_id: own })).body.data[0].state, 'finished')
  }

  for (const keeps of [true, false])
    test(`people move along: ${keeps ? 'with its id a person of both sites is one' : 'without ids each stays a person of its own'}`, async () => {
      const own = site.world.ids.site ?? ''
      for (const id of [own, other.id]) await declare(id, { identity_names: keeps })
      await identify(other.id, 'ann', { traits: { plan: 'free' } })
      await identify(other.id, 'bob', { traits: { plan: 'free' } })
      service.clock.now += 86_400_000
      await identify(own, 'ann', { traits: { plan: 'pro' } })
      await identify(own, 'cem')
      await identify(other.id, 'bob')
      await identify(other.id, 'dan')
      const [before] = (await ask('people_list', { site_id: other.id, user: 'bob' })).body.data
      const { body } = await ask('sites_merge_preview', { site_id: other.id, into_site_id: own })
      assert.deepEqual([body.data.people, body.data.people_left], [3, 0])
      const merged = await ask('sites_merge', { site_id: other.id, into_site_id: own, confirm: other.domain })
      assert.equal(merged.status, 201, merged.text)
      const refused = await ask('people_delete', { site_id: own, id: (await site.get('people_list')).data[0].id })
      assert.equal(refused.body.error.code, 'invalid_state')
      await run()

      const people = keeps ? 4 : 5
      assert.deepEqual(await counted(site.world.siteNumber), [people, 6, 0])
      assert.deepEqual(await counted(other.number), [0, 0, 0])
      assert.equal((await ask('people_list', { site_id: other.id })).body.data.length, 0)
      const found = (await site.get('people_list')).data
      assert.equal(found.length, people)
      const { data } = await site.get('stats_aggregate', { period: '7d' })
      assert.equal(data.metrics.people, people)
      const news = await site.get('stats_breakdown', { period: '7d', dimension: 'new_person' })
      assert.deepEqual(news.data.rows.map((row: any) => [row.value, row.visits]).sort(), [
        ['no', keeps ? 2 : 1],
        ['yes', people],
      ])
      // By the id that the site sends, whichever key it was hashed with.
      const ann = (await site.get('people_list', { user: 'ann' })).data
      assert.deepEqual(
        ann.map((row: any) => row.traits.find(({ name }: any) => name === 'plan')?.value).sort(),
        keeps ? ['pro'] : ['free', 'pro'],
      )
      const [bob] = (await site.get('people_list', { user: 'bob' })).data
      assert.deepEqual([bob.id, bob.first_seen_at, bob.last_seen_at], [before.id, before.first_seen_at, before.last_seen_at])
      await identify(own, 'bob')
      assert.equal((await site.get('people_list', { user: 'bob' })).data.length, keeps ? 1 : 2)
      // Moved persons can be deleted like any other.
      await site.get('people_delete', { id: bob.id })
      service.clock.now += 5 * 60_000
      await createScheduler(service.app).runDue(['people_erase'])
      assert.deepEqual(await counted(site.world.siteNumber), [keeps ? 3 : 5, keeps ? 4 : 5, 0])
    })

  test('a site that identifies no people gets visits without people, and no trait or id that it does not keep', async () => {
    const own = site.world.ids.site ?? ''
    await declare(other.id, { identity_names: true })
    await identify(other.id, 'ann', { traits: { plan: 'free' } })
    const { body } = await ask('sites_merge_preview', { site_id: other.id, into_site_id: own })
    assert.deepEqual([body.data.people, body.data.people_left], [0, 1])
    await merge()
    assert.deepEqual(await counted(site.world.siteNumber), [0, 0, 0])
    const left = await service.store.read.selectFrom('persons').select('name').where('site_id', '=', other.number).execute()
    assert.deepEqual(left, [{ name: 'ann' }])
  })

  test('ids and traits that the other site does not keep are left', async () => {
    await declare(other.id, { identity_names: true })
    await declare(site.world.ids.site ?? '', { identity_names: false, identity_traits: [{ name: 'plan', type: 'number' }] })
    await identify(other.id, 'ann', { traits: { plan: 'free' } })
    await merge()
    const rows = await service.store.read.selectFrom('persons').selectAll().execute()
    const own = rows.filter(({ site_id }) => [other.number, site.world.siteNumber].includes(site_id))
    assert.deepEqual(
      own.map(({ site_id, name, traits }) => [site_id, name, traits]),
      [[site.world.siteNumber, null, '{}']],
    )
    await identify(site.world.ids.site ?? '', 'ann')
    assert.deepEqual(
      await counted(site.world.siteNumber),
      [1, 2, 0], // the same person, of whom no id is stored
    )
  })

  test('until it has ended, neither site moves to another workspace', async () => {
    const own = site.world.ids.site ?? ''
    const taker = (await newSite(service)).world
    const offered = async (site_id: string) => {
      const { code } = (await ask('sites_transfer_offer', { site_id })).body.data
      const { status, body } = await request(service, 'POST', `/workspaces/${taker.ids.workspace}/sites/accept`, {
        token: taker.token,
        body: { code },
      })
      return body.error?.code ?? status
    }
    assert.equal((await ask('sites_merge', { site_id: other.id, into_site_id: own, confirm: other.domain })).status, 201)
    assert.deepEqual([await offered(other.id), await offered(own)], ['invalid_state', 'invalid_state'])
    await run()
    assert.deepEqual([await offered(other.id), await offered(own)], [200, 200])
  })

  test('a member who may not list visits cannot move them into a site that lists its visits', async () => {
    const tokens = `/workspaces/${site.world.ids.workspace}/api_tokens`
    const mergeWith = async (permissions: readonly string[]) => {
      const made = await request(service, 'POST', tokens, { token: site.world.token, body: { name: 'merges', permissions } })
      const body = { into_site_id: site.world.ids.site, confirm: other.domain }
      return request(service, 'POST', `/sites/${other.id}/merges`, { token: made.body.data.token, body })
    }
    await ask('sites_update', { site_id: other.id, visit_list: false })
    const { status, text } = await mergeWith(['sites.manage', 'analytics.read'])
    assert.equal(status, 403)
    assert.match(text, /analytics\.export/)
    assert.equal((await mergeWith(['sites.manage', 'analytics.read', 'analytics.export'])).status, 201)
  })

  test('nothing moves to a site that is deleted meanwhile', async () => {
    let isFirst = true
    const left = async (of: { number: number }) => {
      const { visits } = await service.store.read
        .selectFrom('visits')
        .select(({ fn }) => fn.countAll<number>().as('visits'))
        .where('site_id', '=', of.number)
        .executeTakeFirstOrThrow()
      return visits
    }
    await overtaken(service.store, async slowly => {
      if (!isFirst) await begin()
      isFirst = false
      await service.store.write.deleteFrom('site_merges').execute() // each reads its sites, until they are purged
      const into = { site_id: site.world.ids.site ?? '', confirm: (await site.get('sites_get')).data.domain }
      await send({ who: 'a', at: at('10:00') }, { who: 'b', at: at('10:00', '2026-03-08') })
      assert.equal((await ask('sites_merge', { site_id: other.id, into_site_id: into.site_id, confirm: other.domain })).status, 201)
      service.clock.now += 5 * 60_000
      let expected: number | undefined
      const slow = slowly(async () => {
        expected = await left(other)
        assert.equal((await ask('sites_delete', into)).status, 200)
      })
      await mergeSites({ ...taskContext(service.app), store: slow })
      if (expected !== undefined) assert.equal(await left(other), expected)
    })
  })

  test('refuses deletions and erasures in both sites until it has ended, which would miss hits or be undone by others', async () => {
    const own = site.world.ids.site ?? ''
    await send({ who: 'a', at: at('10:00') }, { who: 'a', at: at('10:05'), event: 'Buy' })
    await site.send({ who: 'b', at: at('10:00'), event: 'Buy' })
    await ask('sites_merge', { site_id: other.id, into_site_id: own, confirm: other.domain })
    const domainOf = async (site_id: string) => (await ask('sites_get', { site_id })).body.data.domain
    const refused: unknown[] = []
    for (const site_id of [own, other.id]) {
      refused.push((await ask('events_delete', { site_id, name: 'Buy', confirm: 'Buy' })).body.error?.code)
      const filters = [['event', 'is', 'Buy']]
      refused.push((await ask('visits_erase', { site_id, period: 'all', filters, confirm: await domainOf(site_id) })).body.error?.code)
    }
    await run()
    await rowsBack(service.app, site.world.siteNumber)
    await visitsAddUp(service.store, site.world.siteNumber)
    assert.deepEqual(refused, Array<string>(4).fill('invalid_state'))
  })

  test('refuses a foreign site, another currency, itself, and other work in progress', async () => {
    const own = site.world.ids.site ?? ''
    const merge = (into_site_id: string) => ask('sites_merge', { site_id: other.id, into_site_id, confirm: other.domain })
    const foreign = await newSite(service)
    const unknown = await merge('pa_00000000000000000000000')
    const known = await merge(foreign.world.ids.site ?? '')
    assert.deepEqual([unknown.status, known.status], [422, 422])
    assert.deepEqual(known.body.error.details, unknown.body.error.details)
    assert.equal((await merge(other.id)).status, 422)
    await ask('sites_update', { site_id: other.id, currency: 'JPY' })
    assert.equal((await merge(own)).status, 422)
    const { currency } = (await site.get('sites_get')).data
    await ask('sites_update', { site_id: other.id, currency })
    await ask('visits_erase', { site_id: own, period: '7d', confirm: (await site.get('sites_get')).data.domain })
    assert.equal((await merge(own)).body.error.code, 'invalid_state')
  })
})

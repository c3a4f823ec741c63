/** People whom a site identifies: who they are is kept only where the site has said so, and is gone once it is deleted. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { firstPart, partIn, writtenPart } from '../../operations/reports/people/export-parts.ts'
import { exportedVisits, type PartPlace } from '../../operations/reports/people/visits.ts'
import type { LiveSite } from '../../operations/sites/sites/records.ts'
import { openEngine } from '../../storage/engine/index.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { placesOfTexts, sampleValues } from '../support/bytes.ts'
import { onEachEngine } from '../support/engines.ts'
import { request, startService, type TestService } from '../support/world.ts'
import { type Asking, newSite } from './events/asking.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const HOUR = 3_600_000
const DAY = 24 * HOUR

onEachEngine('people of a site', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(async () => {
    site = await newSite(service)
  })
  after(() => service.close())

  const declare = (more: object = {}) =>
    site.get('sites_update', {
      identity: 'declared',
      identity_names: true,
      identity_traits: [
        { name: 'plan', type: 'text' },
        { name: 'seats', type: 'number' },
      ],
      ...more,
    })
  /** Another `device` is another visitor. */
  async function send(body: object, device = '', path = '/api/event') {
    service.clock.now += 2_000 // the settings of a site are known for a second
    const given = path === '/api/event' ? { n: 'pageview', u: 'https://example.com/', d: site.world.ids.site, ...body } : body
    const reply = await request(service, 'POST', path, { body: given, headers: { 'User-Agent': chrome + device } })
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-footfall-identity-ignored')
  }
  const totals = async (input: object = { period: '7d' }) => site.get('stats_aggregate', { ...input })
  const people = async () => (await totals()).data.metrics.people

  const placesOf = async (text: string) => (await placesOfTexts(service))(text)

  test('an export comes in parts of bounded size: each hit once, and a long visit goes on in the next part', async () => {
    await declare()
    for (let i = 0; i < 7; i++) await send({ n: `Event ${i}`, user: 'dan' })
    service.clock.now += DAY
    for (let i = 7; i < 9; i++) await send({ n: `Event ${i}`, user: 'dan' })
    service.clock.now += DAY
    await send({ n: 'Event 9', user: 'dan' })
    const [{ id }] = (await site.get('people_list', { user: 'dan' })).data
    const whole = (await site.get('people_export', { id })).data
    assert.equal(whole.next_cursor, null)
    assert.deepEqual(
      whole.visits.map(({ steps }: any) => steps.length),
      [1, 2, 7],
    )
    const [row] = await service.store.read
      .selectFrom('sites')
      .selectAll()
      .where('id', '=', site.world.ids.site ?? '')
      .execute()
    const person = await service.store.read.selectFrom('persons').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const engine = openEngine(service.store, { threads: 0, cacheBytes: 1_000_000 })
    const of = { db: service.store.read, engine, site: row as LiveSite, person }
    for (const max of [1, 3, 4]) {
      const steps: unknown[] = []
      for (let place: PartPlace | null = firstPart; place !== null; ) {
        const part = await exportedVisits(of, partIn(writtenPart(place)) ?? assert.fail(), max)
        const found = part.visits.flatMap(visit => visit.steps)
        assert.ok(found.length <= max)
        steps.push(...found)
        place = part.next
      }
      assert.deepEqual(
        steps,
        whole.visits.flatMap((visit: any) => visit.steps),
      )
    }
    for (const cursor of ['x', 'start', 'start.', '1-1.x', '-1.0']) {
      assert.equal((await site.call('people_export', { id, cursor })).status, 422, cursor)
    }
    const second = await site.call('people_visits_list', { id, page: 2, per_page: 1 })
    assert.deepEqual([second.body.data[0].steps.length, second.body.meta.total], [2, 3])
    assert.deepEqual((await site.get('people_visits_list', { id, page: 9, per_page: 1 })).data, [])
  })

  test('a site that does not identify people stores nothing of an id, and the response says so', async () => {
    const id = `secret-${site.world.ids.site}`
    const sent = { user: id, traits: { plan: `plan-${id}` } }
    assert.equal(await send(sent), 'identity_off')
    assert.equal(await send({ n: 'identify', ...sent }), 'identity_off')
    const { data } = await totals()
    assert.equal(data.metrics.visits, 1)
    assert.equal(data.metrics.people, undefined)
    assert.deepEqual(await placesOf(id), [])

    await declare()
    assert.equal(await send({ ...sent, consent: false }), 'no_consent')
    assert.equal(await send({ user: 'x'.repeat(301) }), 'invalid_user')
    assert.equal(await people(), 0)
    assert.deepEqual(await placesOf(id), [])
    const asked = await site.get('stats_breakdown', { dimension: 'country', metrics: ['people'] })
    assert.equal(asked.data.rows[0].people, 0)
    await site.get('sites_update', { identity: 'off' })
    const { meta } = await site.get('stats_breakdown', { dimension: 'country', metrics: ['people'] })
    assert.ok(meta.notes.some(({ code }: { code: string }) => code === 'people_unknown'))
  })

  test('the visit belongs to a person from its start, and people of several days are counted once', async () => {
    await declare()
    assert.equal(await send({ u: 'https://example.com/pricing' }), null)
    await send({ n: 'identify', user: 'ann', p: { plan: 'pro', seats: 4, unknown: 'no' } })
    await send({ n: 'Buy', $: { currency: 'EUR', amount: 12 } })
    service.clock.now += DAY
    await send({ user: 'ann', traits: { plan: 'team' } })
    await send({ u: 'https://example.com/docs' }, ' other')
    await request(service, 'PATCH', `/sites/${site.world.ids.site}.json`, {
      token: site.world.token,
      body: { umami_id: '4e2d5d5c-5b1c-4f0e-8f3e-1f6f0f0b7a01' },
    })
    const umami = { website: '4e2d5d5c-5b1c-4f0e-8f3e-1f6f0f0b7a01', url: '/', hostname: 'example.com' }
    await send({ type: 'event', payload: umami }, ' third', '/api/send')
    await send({ type: 'identify', payload: { ...umami, id: 'bob', data: { plan: 'free' } } }, ' third', '/api/send')

    const { data, meta } = await totals()
    assert.deepEqual([data.metrics.visitors, data.metrics.visits, data.metrics.people, meta.identified], [4, 4, 2, 75])
    const series = (await site.get('stats_timeseries', { period: '7d', interval: 'day' })).data.series
    assert.deepEqual(
      series.slice(-2).map((point: { people: number }) => point.people),
      [1, 2],
    )
    const { data: answered } = await site.get('assistant_ask', { question: 'How many different people came in the last 7 days?' })
    const [answer] = answered.messages.filter(({ role }: any) => role === 'assistant')
    assert.match(answer.content, /\*\*2 different people\*\* whom the site identifies: \d/)
    const listed = await site.get('people_list')
    assert.deepEqual(
      listed.data.map(({ user, traits }: any) => [user, traits]),
      [
        ['bob', [{ name: 'plan', value: 'free' }]],
        [
          'ann',
          [
            { name: 'plan', value: 'team' },
            { name: 'seats', value: 4 },
          ],
        ],
      ],
    )
    const [found] = (await site.get('people_list', { user: 'ann' })).data
    const ann = (await site.get('people_get', { id: found.id })).data
    assert.deepEqual([ann.visits, ann.pageviews, ann.events, ann.revenue, ann.purchases], [2, 2, 1, 1200, 1])
    const visits = (await site.get('people_visits_list', { id: found.id })).data
    assert.deepEqual(
      visits.map((visit: any) => visit.steps.map(({ page, event }: any) => event ?? page)),
      [['/'], ['/pricing', 'Buy']],
    )
    assert.equal((await site.get('people_export', { id: found.id })).data.visits.length, 2)

    // Ids that are kept no longer are gone at once; people are still found by them.
    await site.get('sites_update', { identity_names: false, identity_traits: [{ name: 'plan', type: 'text' }] })
    const later = (await site.get('people_list', { user: 'ann' })).data
    assert.deepEqual(
      later.map(({ id, user, traits }: any) => [id, user, traits.length]),
      [[found.id, null, 1]],
    )
    assert.equal(
      (
        await service.store.read
          .selectFrom('persons')
          .select('name')
          .where('name', 'is not', null)
          .where('site_id', '=', site.world.siteNumber)
          .execute()
      ).length,
      0,
    )
  })

  test('hits that arrive while a site begins to keep less store only what it keeps', async () => {
    const traits = [
      { name: 'plan', type: 'text' },
      { name: 'constructor', type: 'text' },
    ]
    await declare({ identity_traits: traits })
    await send({ user: 'before' })
    await site.get('sites_update', { identity_names: false, identity_traits: traits.slice(1) })
    const rest = service.clock.now
    const body = { n: 'pageview', u: 'https://example.com/', d: site.world.ids.site, traits: { plan: 'pro' } }
    for (const user of ['before', ' during ']) {
      service.clock.now = rest // the settings of the site are known from the hit before
      const reply = await request(service, 'POST', '/api/event', { body: { ...body, user }, headers: { 'User-Agent': chrome + user } })
      assert.ok(reply.status < 300, reply.text)
    }
    const rows = service.store.read.selectFrom('persons').select(['name', 'traits']).where('site_id', '=', site.world.siteNumber)
    assert.deepEqual(await rows.execute(), [
      { name: null, traits: '{}' },
      { name: null, traits: '{}' },
    ])
    const listed = (await site.get('people_list')).data
    assert.deepEqual(
      listed.map((person: any) => person.traits),
      [[], []],
    )
    assert.equal((await site.get('people_list', { user: ' during' })).data.length, 1) // by the form that is stored
  })

  test('a deleted person is gone from rows and files, and nothing else is', async () => {
    await declare()
    const id = `gone-${site.world.ids.site}`
    await send({ u: 'https://example.com/a' })
    await send({ u: 'https://example.com/b', user: id, traits: { plan: `plan-${id}` } }, ' one')
    await send({ n: 'Buy', $: { currency: 'EUR', amount: 5 }, p: { size: 'L' } }, ' one')
    await send({ user: 'stays' }, ' two')
    service.clock.now += DAY
    await send({ user: id }, ' one')
    assert.equal(await people(), 2)
    const [person] = (await site.get('people_list', { user: id })).data
    const viewer = await site.world.tokenFor('viewer')
    assert.equal((await site.call('people_get', { id: person.id }, viewer)).status, 403)
    assert.deepEqual(await placesOf(id).then(places => places.includes('persons')), true)
    await sampleValues(service)

    const { data: deletion } = await site.get('people_delete', { id: person.id })
    assert.deepEqual([deletion.id, deletion.state], [person.id, 'running'])
    assert.equal((await site.call('people_get', { id: person.id })).status, 404)
    service.clock.now += 5 * 60_000
    await createScheduler(service.app).runDue(['people_erase'])
    const [done] = (await site.get('people_deletions_list')).data
    assert.deepEqual([done.state, done.visits, done.hits], ['finished', 2, 3])
    const { metrics } = (await totals()).data
    assert.deepEqual([metrics.visits, metrics.pageviews, metrics.people, metrics.revenue], [2, 2, 1, 0])
    assert.deepEqual(await placesOf(id), [])
    const rows = await service.store.read.selectFrom('hit_props').select('key').where('site_id', '=', site.world.siteNumber).execute()
    assert.equal(rows.length, 0)

    await send({ user: id }, ' one')
    const [again] = (await site.get('people_list', { user: id })).data
    assert.notEqual(again.id, person.id)
    assert.equal(await people(), 2)
  })
})

/** Current visitors of a site. */
import assert from 'node:assert/strict'
import { after, beforeEach, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

onAnyEngine('live', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeSite(service)
  })

  const send = (...hits: Sent[]) =>
    keep(
      service.store,
      hits.map(one => hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, one)),
    )
  const live = async () => {
    const { ids, token } = world
    const { status, body, text } = await request(service, 'GET', `/sites/${ids.site}/live.json`, { token })
    assert.equal(status, 200, text)
    return body
  }
  const busy = (data: { series: { at: string; visitors: number; pageviews: number }[] }) =>
    data.series
      .filter(({ visitors, pageviews }) => visitors + pageviews > 0)
      .map(({ at, visitors, pageviews }) => [at.slice(11, 16), visitors, pageviews])

  test('a site without live visitors returns zeros and 30 minutes', async () => {
    service.clock.now = Date.parse('2026-03-10T12:00:30Z')
    const { data, meta } = await live()
    assert.deepEqual(data.period, {
      from: '2026-03-10T11:55:30.000Z',
      to: '2026-03-10T12:00:30.000Z',
      first_day: '2026-03-10',
      last_day: '2026-03-10',
    })
    assert.deepEqual([data.metrics, data.pages, data.sources, data.countries], [{ visitors: 0 }, [], [], []])
    assert.equal(data.series.length, 30)
    assert.deepEqual(data.series[0], { at: '2026-03-10T12:31:00+01:00', partial: false, visitors: 0, pageviews: 0 })
    assert.deepEqual(data.series[29], { at: '2026-03-10T13:00:00+01:00', partial: true, visitors: 0, pageviews: 0 })
    assert.deepEqual(meta, {
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      filters: [],
      segment: null,
      comparison: null,
      visitors: 'daily_uniques_added_up',
      share_of: null,
      notes: [],
    })
  })

  test('the latest hits, newest first, without hidden events, and not for shared links', async () => {
    service.clock.now = Date.parse('2026-03-10T12:00:30Z')
    const ago = (seconds: number) => service.clock.now - seconds * 1_000
    const visit = { country: 'DE', source: 'Google', device: 'mobile' }
    await send(
      { who: 'old', at: ago(1_900), page: '/old' },
      ...Array.from({ length: 200 }, (_, i) => ({ who: `v${i % 9}`, at: ago(600 + i), page: `/${i}` })),
      { who: 'a', at: ago(9), page: '/a', visit },
      { who: 'a', at: ago(8), page: '/a', event: 'Signup', visit },
      { who: 'a', at: ago(7), page: '/a', event: 'Secret', visit },
      { who: 'b', at: ago(3), page: '/b' },
    )
    const { ids, token } = world
    const hidden = await request(service, 'PATCH', `/sites/${ids.site}/events/settings`, { token, body: { name: 'Secret', hidden: true } })
    assert.equal(hidden.status, 200, hidden.text)
    const { data } = await live()
    assert.equal(data.latest.length, 15)
    assert.deepEqual(data.latest.slice(0, 4), [
      { at: '2026-03-10T13:00:27+01:00', event: null, page: '/b', source: '', country: '', device: '' },
      { at: '2026-03-10T13:00:22+01:00', event: 'Signup', page: '/a', source: 'Google', country: 'DE', device: 'mobile' },
      { at: '2026-03-10T13:00:21+01:00', event: null, page: '/a', source: 'Google', country: 'DE', device: 'mobile' },
      { at: '2026-03-10T12:50:30+01:00', event: null, page: '/0', source: '', country: '', device: '' },
    ])
    const made = await request(service, 'POST', `/sites/${ids.site}/shared_links`, {
      token,
      body: { name: 'Open', reports: ['overview', 'live'] },
    })
    assert.equal(made.status, 201, made.text)
    const opened = await request(service, 'POST', `${new URL(made.body.data.url).pathname}.json`, { body: {} })
    const shared = await request(service, 'GET', `/sites/${ids.site}/live.json`, { token: opened.body.data.token })
    assert.deepEqual([shared.status, shared.body.data?.latest], [200, []], shared.text)
  })

  test('visitors by their last activity, on the page they viewed last', async () => {
    service.clock.now = Date.parse('2026-03-10T12:00:30Z')
    const ago = (minutes: number) => service.clock.now - minutes * 60_000
    const germany = { country: 'DE', source: 'Google' }
    await send(
      { who: 'early', at: ago(300), visit: { country: 'US' } },
      { who: 'early', at: ago(4), page: '/b', visit: germany },
      { who: 'left', at: ago(20), page: '/a', visit: germany },
      { who: 'reads', at: ago(25), page: '/long', visit: { country: 'FR' } },
      { who: 'reads', at: ago(5), page: '/long', kind: 'engagement', engagedMs: 1_000 },
      { who: 'gone', at: ago(5) - 1, page: '/a' },
      { who: 'walks', at: ago(3), page: '/a', visit: germany },
      { who: 'walks', at: ago(2.9), page: '/a' },
      { who: 'walks', at: ago(2), page: '/b' },
      { who: 'walks', at: ago(1), page: '/b', event: 'Signup' },
      { who: 'new', at: ago(0) - 1, page: '/c', visit: { country: 'XX' } },
    )
    const { data } = await live()
    assert.deepEqual(data.metrics, { visitors: 4 })
    assert.deepEqual(data.pages, [
      { value: '/b', label: '/b', visitors: 2 },
      { value: '/c', label: '/c', visitors: 1 },
      { value: '/long', label: '/long', visitors: 1 },
    ])
    assert.deepEqual(data.sources, [
      { value: '', label: 'Direct / None', visitors: 2 },
      { value: 'Google', label: 'Google', visitors: 2 },
    ])
    const countries = data.countries.map((row: { label: string; visitors: number }) => [row.label, row.visitors])
    assert.deepEqual(countries, [
      ['Germany', 2],
      ['France', 1],
      ['XX', 1],
    ])
    assert.deepEqual(busy(data), [
      ['12:35', 1, 1],
      ['12:40', 1, 1],
      ['12:55', 1, 1],
      ['12:56', 1, 1],
      ['12:57', 1, 2],
      ['12:58', 1, 1],
      ['12:59', 1, 0],
      ['13:00', 1, 1],
    ])
  })

  test('sees over midnight, where days are counted apart', async () => {
    service.clock.now = Date.parse('2026-03-10T23:02:00Z')
    const midnight = Date.parse('2026-03-10T23:00:00Z')
    await send(
      { who: 'stays', at: midnight - 60_000, page: '/a' },
      { who: 'stays', at: midnight + 60_000, page: '/b' },
      { who: 'left', at: midnight - 20 * 60_000, page: '/a' },
    )
    const { data } = await live()
    assert.deepEqual(data.metrics, { visitors: 2 })
    assert.deepEqual(busy(data), [
      ['23:40', 1, 1],
      ['23:59', 1, 1],
      ['00:01', 1, 1],
    ])
  })
})

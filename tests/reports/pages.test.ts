/** The detail of a page and web vitals, of known visits, through the API. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

onAnyEngine('the detail of a page', engine => {
  let service: TestService
  let world: World
  const at = (time: string) => Date.parse(`2026-03-09T${time}+01:00`)
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const anna = { who: 'anna', visit: { country: 'DE', source: 'Google', device: 'mobile' } }
    const ben = { who: 'ben', visit: { country: 'FR', device: 'desktop' } }
    const cleo = { who: 'cleo', visit: { country: 'FR', source: 'Google', device: 'desktop' } }
    const sent: Sent[] = [
      { ...anna, at: at('10:00:00'), page: '/' },
      { ...anna, at: at('10:01:00'), page: '/pricing' },
      { ...anna, at: at('10:01:20'), page: '/pricing', kind: 'engagement', engagedMs: 15_000, scroll: 40 },
      { ...anna, at: at('10:01:30'), page: '/pricing' },
      { ...anna, at: at('10:01:40'), page: '/pricing', kind: 'engagement', engagedMs: 5_000, scroll: 75 },
      { ...anna, at: at('10:01:45'), page: '/pricing', event: 'Signup', revenue: 4_900 },
      { ...anna, at: at('10:02:00'), page: '/welcome' },
      { ...anna, at: at('10:02:10'), page: '/welcome', event: 'Hello' },
      { ...anna, at: at('10:03:00'), page: '/pricing' },
      { ...anna, at: at('10:03:05'), page: '/pricing', kind: 'vitals', vitals: { lcp: 2_500, inp: 80, cls: 0.1 } },
      { ...anna, at: at('10:03:06'), page: '/', kind: 'vitals', vitals: { lcp: 9_000 } },
      {
        ...anna,
        at: at('10:03:07'),
        page: '/pricing',
        kind: 'clicks',
        clicks: [
          { selector: '#buy', x: 5_000, y: 120 },
          { selector: '#buy', x: 5_050, y: 149 },
          { selector: 'footer>a', x: 10_000, y: 99_999 },
        ],
      },
      { ...ben, at: at('11:00:00'), page: '/pricing' },
      { ...ben, at: at('11:00:10'), page: '/pricing', kind: 'engagement', engagedMs: 10_000, scroll: 100 },
      { ...ben, at: at('11:00:20'), page: '/pricing', kind: 'vitals', vitals: { lcp: 4_001, cls: 0.251 } },
      { ...ben, at: at('11:00:21'), page: '/pricing', kind: 'clicks', clicks: [{ selector: '#buy', x: 0, y: 0 }] },
      { ...cleo, at: at('12:00:00'), page: '/' },
      { ...cleo, at: at('12:01:00'), page: '/pricing' },
      { ...cleo, at: at('12:01:20'), page: '/pricing', kind: 'vitals', vitals: { lcp: 2_501, cls: 0.25 } },
      // Without a visit: no page was viewed.
      { who: 'ghost', at: at('13:00:00'), page: '/pricing', kind: 'vitals', vitals: { lcp: 100 }, visit: { device: 'mobile' } },
    ]
    await keep(
      service.store,
      [
        ...[
          { ...ben, at: at('11:00:00') - 86_400_000, page: '/pricing' },
          { ...ben, at: at('11:00:05') - 86_400_000, page: '/pricing', kind: 'vitals' as const, vitals: { lcp: 2_000 } },
        ],
        ...sent,
      ].map(one => hit(site, one)),
    )
  })
  after(() => service.close())

  async function ask(input: Record<string, unknown>) {
    const operation = table.operations.get('pages_detail')
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, period: 'yesterday', ...input }, world.token)
  }
  const get = async (input: Record<string, unknown> = {}) => {
    const { status, body } = await ask({ path: '/pricing', ...input })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const vital = (data: { vitals: { value: string }[] }, name: string): any => data.vitals.find(one => one.value === name)

  test('figures, neighbours, sources, events and scroll', async () => {
    const { data, meta } = await get()
    assert.equal(data.path, '/pricing')
    // Three visits; only Ben's entered on this page, and bounced. Anna stayed twice: a reload is no new step.
    assert.deepEqual(data.metrics, {
      visitors: 3,
      visits: 3,
      pageviews: 5,
      entries: 1,
      exits: 3,
      exit_rate: 60,
      bounce_rate: 100,
      visit_duration: 0,
      time_on_page: 10_000,
      revenue: 4_900,
      visit_revenue: 4_900,
      conversions: 1,
      scroll_depth: 87.5,
    })
    assert.deepEqual(data.previous, [
      { kind: 'page', value: '/', label: '/', times: 2, share: 50 },
      { kind: 'page', value: '/welcome', label: '/welcome', times: 1, share: 25 },
      { kind: 'entrance', value: '', label: '(entrance)', times: 1, share: 25 },
    ])
    assert.deepEqual(data.next, [
      { kind: 'exit', value: '', label: '(exit)', times: 3, share: 75 },
      { kind: 'page', value: '/welcome', label: '/welcome', times: 1, share: 25 },
    ])
    assert.deepEqual(data.sources, [
      { value: 'Google', label: 'Google', visitors: 2, visits: 2, pageviews: 4, share: 66.7 },
      { value: '', label: 'Direct / None', visitors: 1, visits: 1, pageviews: 1, share: 33.3 },
    ])
    assert.deepEqual(data.events, [{ value: 'Signup', label: 'Signup', visitors: 1, visits: 1, events: 1, revenue: 4_900, share: 33.3 }])
    assert.equal(data.scroll.visits, 2)
    assert.deepEqual(
      data.scroll.rows.filter((row: { visits: number }) => row.visits > 0),
      [
        { from: 71, to: 80, visits: 1, share: 50 },
        { from: 91, to: 100, visits: 1, share: 50 },
      ],
    )
    assert.equal(data.scroll.rows.length, 10)
    assert.deepEqual(meta, {
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      filters: [],
      segment: null,
      comparison: null,
      visitors: 'daily_uniques_added_up',
      share_of: 'visitors_of_page',
      notes: [],
    })
  })

  test('web vitals of the page, rated at the edges of the thresholds, by device', async () => {
    const { data } = await get()
    assert.deepEqual(
      data.vitals.map((one: { value: string }) => one.value),
      ['lcp', 'inp', 'cls', 'fcp', 'ttfb'],
    )
    const [mobile, desktop] = [
      { value: 'mobile', label: 'Mobile', samples: 2, p75: 2_500, rating: 'good', good: 100, needs_improvement: 0, poor: 0 },
      { value: 'desktop', label: 'Desktop', samples: 2, p75: 4_001, rating: 'poor', good: 0, needs_improvement: 50, poor: 50 },
    ]
    assert.deepEqual(vital(data, 'lcp'), {
      value: 'lcp',
      label: 'Largest Contentful Paint',
      unit: 'ms',
      samples: 4,
      p75: 2_501,
      rating: 'needs_improvement',
      good: 50,
      needs_improvement: 25,
      poor: 25,
      devices: [desktop, mobile],
    })
    const { devices: _, ...cls } = vital(data, 'cls')
    assert.deepEqual(cls, {
      value: 'cls',
      label: 'Cumulative Layout Shift',
      unit: 'score',
      samples: 3,
      p75: 0.251,
      rating: 'poor',
      good: 33.3,
      needs_improvement: 33.3,
      poor: 33.3,
    })
    assert.deepEqual(vital(data, 'ttfb'), {
      value: 'ttfb',
      label: 'Time to First Byte',
      unit: 'ms',
      samples: 0,
      p75: null,
      rating: null,
      good: 0,
      needs_improvement: 0,
      poor: 0,
      devices: [],
    })
  })

  test('the click map: elements, and places on the page', async () => {
    const {
      data: { clicks },
    } = await get()
    assert.equal(clicks.clicks, 4)
    assert.deepEqual(clicks.elements, [
      { kind: 'element', value: '#buy', label: '#buy', clicks: 3, share: 75, x: 33.5, y: 90 },
      { kind: 'element', value: 'footer>a', label: 'footer>a', clicks: 1, share: 25, x: 100, y: 99_999 },
    ])
    assert.deepEqual(clicks.grid, {
      width: 2,
      height: 50,
      parts: [
        { x: 50, y: 100, clicks: 2 },
        { x: 0, y: 0, clicks: 1 },
        { x: 98, y: 49_950, clicks: 1 },
      ],
    })
  })

  test('filters and segments keep visits, and their vitals and clicks', async () => {
    const { data } = await get({ filters: [['country', 'is', 'DE']] })
    assert.deepEqual([data.metrics.visits, data.clicks.clicks, vital(data, 'lcp').samples, vital(data, 'lcp').p75], [1, 3, 1, 2_500])
    const german = await get({ segment_id: world.ids.segment })
    assert.deepEqual({ ...german.data }, data)
    assert.equal(german.meta.segment.name, 'Germany')
    const elsewhere = await get({ filters: [['page', 'is', '/welcome']] })
    assert.deepEqual([elsewhere.data.metrics.visits, elsewhere.data.metrics.pageviews, vital(elsewhere.data, 'lcp').samples], [1, 3, 1])
  })

  test('a comparison: the figures, and vitals, sources and events with their own', async () => {
    const { data } = await get({ compare: 'previous_period' })
    assert.equal(data.comparison.period.from, '2026-03-07T23:00:00.000Z')
    assert.deepEqual(data.comparison.metrics, {
      visitors: 1,
      visits: 1,
      pageviews: 1,
      entries: 1,
      exits: 1,
      exit_rate: 100,
      bounce_rate: 100,
      visit_duration: 0,
      time_on_page: 0,
      revenue: 0,
      visit_revenue: 0,
      conversions: 0,
      scroll_depth: null,
    })
    assert.equal(data.comparison.change.visitors, 200)
    assert.equal(data.comparison.change.scroll_depth, null)
    const { comparison } = vital(data, 'lcp')
    assert.deepEqual(comparison, {
      samples: 1,
      p75: 2_000,
      rating: 'good',
      good: 100,
      needs_improvement: 0,
      poor: 0,
      change: { p75: 25.1 },
    })
    assert.equal(data.sources[1].comparison.visitors, 1)
    assert.equal(data.events[0].comparison.change.events, null)
  })

  test('a page that never was is empty, with a note; without a path it is 422', async () => {
    const { data, meta } = await get({ path: '/nowhere' })
    assert.deepEqual([data.metrics.visitors, data.previous, data.clicks.clicks, data.vitals.length], [0, [], 0, 5])
    assert.deepEqual(
      meta.notes.map((note: { code: string }) => note.code),
      ['no_such_value'],
    )
    const { status, body } = await ask({ path: '' })
    assert.deepEqual([status, body.error.details[0].pointer, body.error.details[0].code], [422, '/path', 'too_short'])
    assert.equal((await ask({})).status, 422)
  })
})

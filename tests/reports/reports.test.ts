/** The three main reports through the API. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, type Reply, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

onAnyEngine('reports', engine => {
  let service: TestService
  let world: World
  let site: { number: number; timezone: string }
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
  })
  after(() => service.close())

  const send = (...hits: Sent[]) =>
    keep(
      service.store,
      hits.map(one => hit(site, one)),
    )
  async function ask(name: string, input: Record<string, unknown> = {}): Promise<Reply> {
    const operation = table.operations.get(name)
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
  }
  const get = async (name: string, input: Record<string, unknown> = {}) => {
    const { status, body } = await ask(name, input)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const zero = {
    visitors: 0,
    visits: 0,
    pageviews: 0,
    views_per_visit: 0,
    bounce_rate: 0,
    visit_duration: 0,
    revenue: 0,
    purchases: 0,
    average_order: 0,
  }

  test('a site without a hit answers zeros, not faults', async () => {
    const { data, meta } = await get('stats_aggregate', { period: 'all', compare: 'previous_period' })
    assert.deepEqual(data.metrics, zero)
    assert.deepEqual(data.comparison.metrics, zero)
    const means = { views_per_visit: null, bounce_rate: null, visit_duration: null, average_order: null }
    assert.deepEqual(data.comparison.change, { ...zero, ...means }, 'means of nothing do not change')
    assert.deepEqual(meta, {
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      filters: [],
      segment: null,
      comparison: { from: '2026-03-09', to: '2026-03-09', until: '13:01', same_weekday: false },
      visitors: 'daily_uniques_added_up',
      share_of: null,
      notes: [{ code: 'no_data_yet', message: 'This site has received no hits yet.' }],
    })
    assert.deepEqual((await get('stats_breakdown', { dimension: 'page' })).data.rows, [])
    assert.equal((await get('stats_timeseries', { period: '7d' })).data.series.length, 7)
  })

  test('reports return the sent hits', async () => {
    const at = (time: string) => Date.parse(`2026-03-09T${time}+01:00`)
    await send(
      {
        who: 'a',
        at: at('10:00:00'),
        page: '/',
        visit: { country: 'DE', source: 'Google', channel: 'Organic Search' },
      },
      { who: 'a', at: at('10:01:00'), page: '/pricing' },
      { who: 'a', at: at('10:01:30'), page: '/pricing', kind: 'engagement', engagedMs: 20_000 },
      { who: 'a', at: at('10:02:00'), page: '/pricing', event: 'Signup', props: { plan: 'pro' }, revenue: 4_900 },
      { who: 'b', at: at('11:00:00'), page: '/', visit: { country: 'FR' } },
      { who: 'b', at: at('11:00:40'), page: '/', kind: 'engagement', engagedMs: 40_000 },
      { who: 'a', at: at('15:00:00'), page: '/pricing', visit: { country: 'DE' } },
    )
    await send({ who: 'c', at: Date.parse('2026-03-10T09:00:00+01:00'), page: '/', visit: { country: 'DE' } })
    const { data, meta } = await get('stats_aggregate', { period: 'today', compare: 'previous_period' })
    assert.deepEqual(data.period, {
      from: '2026-03-09T23:00:00.000Z',
      to: '2026-03-10T12:01:00.000Z',
      first_day: '2026-03-10',
      last_day: '2026-03-10',
    })
    assert.deepEqual(data.metrics, { ...zero, visitors: 1, visits: 1, pageviews: 1, views_per_visit: 1, bounce_rate: 100 })
    // Yesterday until 13:01, so without the visit at 15:00.
    assert.deepEqual(data.comparison.period, {
      from: '2026-03-08T23:00:00.000Z',
      to: '2026-03-09T12:01:00.000Z',
      first_day: '2026-03-09',
      last_day: '2026-03-09',
    })
    assert.deepEqual(data.comparison.metrics, {
      visitors: 2,
      visits: 2,
      pageviews: 3,
      views_per_visit: 1.5,
      bounce_rate: 50,
      visit_duration: 60_000,
      revenue: 4_900,
      purchases: 1,
      average_order: 4_900,
    })
    assert.deepEqual(data.comparison.change, {
      visitors: -50,
      visits: -50,
      pageviews: -66.7,
      views_per_visit: -33.3,
      bounce_rate: 50, // percentage points
      visit_duration: -100,
      revenue: -100,
      purchases: -100,
      average_order: null, // of no purchase
    })
    assert.deepEqual(meta.notes, [])

    const yesterday = await get('stats_aggregate', { period: 'yesterday' })
    assert.deepEqual(yesterday.data.metrics, {
      visitors: 2,
      visits: 3,
      pageviews: 4,
      views_per_visit: 1.33,
      bounce_rate: 66.7,
      visit_duration: 40_000,
      revenue: 4_900,
      purchases: 1,
      average_order: 4_900,
    })
    assert.equal('comparison' in yesterday.data, false)
  })

  test('series: every point, with the offset of the site, and a comparison as long', async () => {
    const hours = (await get('stats_timeseries', { period: 'yesterday', interval: 'hour' })).data
    assert.equal(hours.interval, 'hour')
    assert.equal(hours.series.length, 24)
    const busy = hours.series.filter((point: { visits: number }) => point.visits > 0)
    assert.deepEqual(
      busy.map((point: { at: string; visits: number }) => [point.at, point.visits]),
      [
        ['2026-03-09T10:00:00+01:00', 1],
        ['2026-03-09T11:00:00+01:00', 1],
        ['2026-03-09T15:00:00+01:00', 1],
      ],
    )
    assert.deepEqual(hours.series[0], { at: '2026-03-09T00:00:00+01:00', partial: false, ...zero })

    const spring = (
      await get('stats_timeseries', {
        period: 'custom',
        from: '2025-03-30',
        to: '2025-03-30',
        interval: 'hour',
        compare: 'previous_period',
      })
    ).data
    assert.deepEqual(
      spring.series.slice(1, 3).map((point: { at: string }) => point.at),
      ['2025-03-30T01:00:00+01:00', '2025-03-30T03:00:00+02:00'],
    )
    assert.equal(spring.series.length, 23)
    assert.equal(spring.comparison.series.length, 23)

    const shorter = {
      period: 'custom',
      from: '2026-03-01',
      to: '2026-03-10',
      compare: 'custom',
      compare_from: '2026-02-01',
      compare_to: '2026-02-09',
    }
    const { rows } = (await get('stats_query', { ...shorter, interval: 'day', dimensions: ['time'], metrics: ['visits'] })).data
    const isCompared = rows.map(({ values: [at = ''], comparison }: { values: string[]; comparison?: object }) => [
      at.slice(0, 10),
      !!comparison,
    ])
    assert.deepEqual(isCompared.slice(-2), [
      ['2026-03-09', true],
      ['2026-03-10', false],
    ])

    const days = (await get('stats_timeseries', { period: '7d', compare: 'previous_period' })).data
    assert.deepEqual([days.interval, days.series.length, days.comparison.series.length], ['day', 7, 7])
    assert.deepEqual(
      days.series.slice(5).map((point: { visits: number; partial: boolean }) => [point.visits, point.partial]),
      [
        [3, false],
        [1, true],
      ],
    )
  })

  test('breakdowns: values, labels, shares and what a dimension has of its own', async () => {
    const rows = async (dimension: string, more: Record<string, unknown> = {}) =>
      (await get('stats_breakdown', { dimension, period: 'yesterday', ...more })).data.rows
    assert.deepEqual(await rows('country'), [
      {
        value: 'DE',
        label: 'Germany',
        visitors: 1,
        visits: 2,
        pageviews: 3,
        bounce_rate: 50,
        visit_duration: 60_000,
        revenue: 4_900,
        purchases: 1,
        average_order: 4_900,
        share: 50,
      },
      {
        value: 'FR',
        label: 'France',
        visitors: 1,
        visits: 1,
        pageviews: 1,
        bounce_rate: 100,
        visit_duration: 0,
        revenue: 0,
        purchases: 0,
        average_order: 0,
        share: 50,
      },
    ])
    assert.deepEqual(
      (await rows('source')).map(({ value, label }: { value: string; label: string }) => [value, label]),
      [
        ['', 'Direct / None'],
        ['Google', 'Google'],
      ],
    )
    assert.deepEqual(
      (await rows('utm_term')).map(({ value, label }: { value: string; label: string }) => [value, label]),
      [['', '(not set)']],
    )
    assert.deepEqual(await rows('page', { sort: 'pageviews' }), [
      {
        value: '/',
        label: '/',
        visitors: 2,
        visits: 2,
        pageviews: 2,
        bounce_rate: 50,
        visit_duration: 60_000,
        revenue: 0,
        purchases: 0,
        average_order: 0,
        share: 100,
        entries: 2,
        exits: 1,
        exit_rate: 50,
        time_on_page: 20_000,
      },
      {
        value: '/pricing',
        label: '/pricing',
        visitors: 1,
        visits: 2,
        pageviews: 2,
        bounce_rate: 100,
        visit_duration: 0,
        revenue: 4_900,
        purchases: 1,
        average_order: 4_900,
        share: 50,
        entries: 1,
        exits: 2,
        exit_rate: 100,
        time_on_page: 10_000,
      },
    ])
    assert.deepEqual(await rows('event'), [
      {
        value: 'Signup',
        label: 'Signup',
        visitors: 1,
        visits: 1,
        pageviews: 0,
        bounce_rate: 0,
        visit_duration: 120_000,
        revenue: 4_900,
        purchases: 1,
        average_order: 4_900,
        share: 50,
        events: 1,
      },
    ])
    assert.deepEqual(await rows('goal'), [
      {
        value: world.ids.goal,
        label: 'Signup',
        visitors: 1,
        visits: 1,
        pageviews: 0,
        bounce_rate: 0,
        visit_duration: 120_000,
        revenue: 4_900,
        purchases: 1,
        average_order: 4_900,
        share: 50,
        conversions: 1,
        conversion_rate: 50,
      },
    ])
    const goals = await rows('goal', { filters: [['goal', 'is', 'Signup']] })
    assert.deepEqual([goals[0].share, goals[0].conversion_rate], [100, 50], 'the filter on the goal is put aside for its rate')
    const [plan] = await rows('property:plan')
    assert.deepEqual([plan.value, plan.visitors, plan.events, plan.revenue], ['pro', 1, 1, 4_900])
    const converting = await rows('country', { filters: [['goal', 'is', world.ids.goal]] })
    assert.deepEqual(
      converting.map(({ value, conversion_rate }: { value: string; conversion_rate: number }) => [value, conversion_rate]),
      [['DE', 100]],
    )
  })

  test('a row compares with the same value; a new value has no percentage', async () => {
    const { data } = await get('stats_breakdown', {
      dimension: 'country',
      period: 'custom',
      from: '2026-03-09',
      to: '2026-03-09',
      compare: 'custom',
      compare_from: '2026-03-10',
      compare_to: '2026-03-10',
    })
    const [germany, france] = data.rows
    assert.deepEqual([germany.comparison.visits, germany.comparison.change.visits, germany.comparison.change.share], [1, 100, -50])
    assert.deepEqual([france.comparison.visits, france.comparison.change.visits, france.comparison.change.revenue], [0, null, 0])
    assert.deepEqual(Object.keys(data.comparison), ['period'])
  })

  test('meta returns the compared days, the counting of visitors and the total of a share', async () => {
    const compared = async (input: Record<string, unknown>) => (await get('stats_aggregate', input)).meta.comparison
    const beside = { compare: 'previous_period' }
    const days = (from: string, to: string, until: string | null = null, same_weekday = false) => ({ from, to, until, same_weekday })
    assert.equal(await compared({ period: '7d' }), null)
    assert.deepEqual(await compared({ period: '7d', ...beside }), days('2026-02-25', '2026-03-03', '13:01'))
    assert.deepEqual(await compared({ period: 'last_month', ...beside }), days('2026-01-01', '2026-01-31'))
    assert.deepEqual(await compared({ period: '24h', ...beside }), days('2026-03-08', '2026-03-09', '13:01'))
    const year = { period: 'yesterday', compare: 'previous_year', match_weekday: true }
    assert.deepEqual(await compared(year), days('2025-03-10', '2025-03-10', null, true))
    const today = { period: 'custom', from: '2026-03-09', to: '2026-03-10', ...beside }
    assert.deepEqual(await compared(today), days('2026-03-07', '2026-03-08', '13:01'))
    const { data } = await get('stats_timeseries', { ...today, interval: 'day' })
    assert.deepEqual(
      [data.series, data.comparison.series].map(points => points.map(({ partial }: { partial: boolean }) => partial)),
      [
        [false, true],
        [false, true],
      ],
    )
    const { meta } = await get('stats_breakdown', { dimension: 'page' })
    assert.deepEqual([meta.visitors, meta.share_of], ['daily_uniques_added_up', 'visitors_of_report'])
    assert.equal((await get('stats_overview')).meta.share_of, 'visitors_of_report')
    assert.equal((await get('stats_aggregate')).meta.share_of, null)
  })

  test('meta says what was applied, and what is special about the numbers', async () => {
    const filters = [
      ['page', 'is', '/pricing'],
      ['country', 'is', 'XX'],
    ]
    const { data, meta } = await get('stats_aggregate', {
      period: 'yesterday',
      filters,
      segment_id: world.ids.segment,
      include_imported: true,
    })
    assert.deepEqual(data.metrics, zero)
    const ofPages = ['pageviews', 'bounce_rate', 'visit_duration', 'page_rows']
    assert.deepEqual(meta.filters, [
      { condition: filters[0], from: 'filters', narrows: ofPages },
      { condition: filters[1], from: 'filters', narrows: [] },
      { condition: ['country', 'is', 'DE'], from: 'segment', narrows: [] },
    ])
    assert.deepEqual(meta.segment, { id: world.ids.segment, name: 'Germany' })
    assert.deepEqual(meta.notes.map(({ code }: { code: string }) => code).sort(), [
      'bounces_of_entries',
      'no_imported_history',
      'no_such_value',
    ])
    const narrowed = await get('stats_aggregate', { period: 'yesterday', segment_id: world.ids.segment })
    assert.equal(narrowed.data.metrics.visits, 2)
    const entered = await get('stats_aggregate', { period: 'yesterday', filters: [['page', 'is', '/pricing']] })
    assert.deepEqual([entered.data.metrics.visits, entered.data.metrics.bounce_rate], [2, 100])
  })

  test('pages of a breakdown repeat nothing and leave nothing out, among many that rank alike', async () => {
    const at = Date.parse('2026-03-05T10:00:00+01:00')
    await send(...Array.from({ length: 57 }, (_, i): Sent => ({ who: `v${i}`, at: at + i * 1000, page: `/p/${(i * 7919) % 57}` })), {
      who: 'x',
      at: at + 90_000,
      page: '/p/33',
    })
    const period = { period: 'custom', from: '2026-03-05', to: '2026-03-05' }
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const { rows } = (await get('stats_breakdown', { dimension: 'page', ...period, limit: 10, page })).data
      seen.push(...rows.map((row: { value: string }) => row.value))
      if (rows.length < 10) break
    }
    const rest = Array.from({ length: 57 }, (_, i) => `/p/${i}`)
      .filter(page => page !== '/p/33')
      .sort()
    assert.deepEqual(seen, ['/p/33', ...rest])
    assert.deepEqual((await get('stats_breakdown', { dimension: 'page', ...period, limit: 1000, page: 1_000_000 })).data.rows, [])
  })

  test('all faults of a report’s parameters are reported at once', async () => {
    const { status, body } = await ask('stats_timeseries', {
      period: 'custom',
      from: '2026-03-09',
      to: '2026-03-01',
      compare_from: '2026-01-01',
      segment_id: 'seg_none',
      filters: [
        ['land', 'is', 'DE'],
        ['goal', 'is', 'Sales'],
      ],
    })
    assert.equal(status, 422)
    assert.equal(body.error.code, 'validation_failed')
    const details: Record<string, string>[] = body.error.details
    assert.deepEqual(
      details.map(({ in: where, pointer, code }) => [where, pointer, code]),
      [
        ['query', '/to', 'too_small'],
        ['query', '/compare_to', 'required'],
        ['query', '/filters/0/0', 'not_in_enum'],
        ['query', '/filters/1/2', 'not_found'],
        ['query', '/segment_id', 'not_found'],
      ],
    )
    assert.match(JSON.stringify(body.error.details), /Signup/)
  })

  test('faults of a filter beyond the schema are reported together with faults of the schema', async () => {
    const { status, body } = await ask('stats_breakdown', {
      dimension: 'page',
      limit: 0,
      filters: [
        ['land', 'is', 'DE'],
        ['country', 'resembles', 'DE'],
      ],
    })
    assert.equal(status, 422)
    assert.deepEqual(
      body.error.details.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [
        ['/limit', 'too_small'],
        ['/filters/0/0', 'not_in_enum'],
        ['/filters/1/1', 'not_in_enum'],
      ],
    )
  })

  test('a dimension that is none is 422 with the list, not 404', async () => {
    for (const dimension of ['nothing', 'property:', '__proto__', 'PAGE']) {
      const { status, body } = await ask('stats_breakdown', { dimension })
      assert.equal(status, 422)
      const [{ in: where, pointer, code, message }] = body.error.details
      assert.deepEqual([where, pointer, code], ['path', '/dimension', 'not_in_enum'])
      assert.match(message, /channel, .*, goal, .* and property:<key>/)
    }
  })

  test('a segment of another site is none', async () => {
    const other = await makeWorld(service)
    const { status, body } = await ask('stats_aggregate', { segment_id: other.ids.segment })
    assert.deepEqual([status, body.error.details[0].code], [422, 'not_found'])
    assert.equal(JSON.stringify(body).includes('Germany'), false)
  })
})

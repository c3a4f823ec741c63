/** Reports of events through the API, with numbers counted by hand. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { type Asking, at, startAsking } from './asking.ts'

onAnyEngine('reports of events', engine => {
  let asking: Asking
  before(async () => {
    asking = await startAsking(engine)
    await asking.send(
      // ann: one visit with three events
      { who: 'ann', at: at('10:00:00'), page: '/', visit: { country: 'DE', source: 'Google' } },
      { who: 'ann', at: at('10:01:00'), page: '/buy', event: 'Purchase', revenue: 1_000, props: { plan: 'pro', price: 10 } },
      { who: 'ann', at: at('10:02:00'), page: '/buy', event: 'Purchase', revenue: 3_000, props: { plan: 'team', price: 30 } },
      { who: 'ann', at: at('10:03:00'), page: '/', event: 'signup', props: { plan: 'pro' } },
      // bob: two visits, an event in each
      {
        who: 'bob',
        at: at('09:00:00'),
        page: '/buy',
        event: 'Purchase',
        revenue: 500,
        props: { price: 'free', plan: 'pro' },
        visit: { country: 'FR' },
      },
      { who: 'bob', at: at('12:00:00'), page: '/shop', visit: { country: 'FR' } },
      { who: 'bob', at: at('12:01:00'), page: '/shop', event: 'Purchase', props: { price: 21.5 } },
      // cat: no event; dan: the day before
      { who: 'cat', at: at('13:00:00'), page: '/', visit: { country: 'DE' } },
      { who: 'cat', at: at('13:01:00'), page: '/buy' },
    )
    await asking.send({ who: 'dan', at: at('10:00:00', '2026-03-10'), page: '/buy', event: 'Purchase', revenue: 700, props: { price: 7 } })
  })
  after(() => asking.service.close())
  const ofMonday = { period: 'yesterday' }

  test('events with their counts, most frequent first', async () => {
    const { data, meta } = await asking.get('events_list', ofMonday)
    assert.deepEqual(data.period, {
      from: '2026-03-08T23:00:00.000Z',
      to: '2026-03-09T23:00:00.000Z',
      first_day: '2026-03-09',
      last_day: '2026-03-09',
    })
    assert.deepEqual(data.rows, [
      {
        value: 'Purchase',
        label: 'Purchase',
        names: ['Purchase'],
        visitors: 2,
        visits: 3,
        events: 4,
        revenue: 4_500,
        purchases: 3,
        average_order: 1_500,
        conversion_rate: 66.7,
        first_seen_at: '2026-03-09T08:00:00.000Z',
        last_seen_at: '2026-03-09T11:01:00.000Z',
      },
      {
        value: 'signup',
        label: 'signup',
        names: ['signup'],
        visitors: 1,
        visits: 1,
        events: 1,
        revenue: 0,
        purchases: 0,
        average_order: 0,
        conversion_rate: 33.3,
        first_seen_at: '2026-03-09T09:03:00.000Z',
        last_seen_at: '2026-03-09T09:03:00.000Z',
      },
    ])
    assert.deepEqual(meta, {
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      filters: [],
      segment: null,
      comparison: null,
      visitors: 'daily_uniques_added_up',
      share_of: null,
      notes: [],
      page: 1,
      per_page: 25,
      total: 2,
      total_pages: 1,
    })
  })

  test('in pages, by search, compared, filtered', async () => {
    const second = await asking.get('events_list', { ...ofMonday, per_page: 1, page: 2 })
    assert.deepEqual(
      second.data.rows.map((row: { value: string }) => row.value),
      ['signup'],
    )
    assert.deepEqual([second.meta.total, second.meta.total_pages], [2, 2])
    const found = await asking.get('events_list', { ...ofMonday, search: 'CHA' })
    assert.deepEqual([found.data.rows.length, found.data.rows[0].value, found.meta.total], [1, 'Purchase', 1])

    const { data } = await asking.get('events_list', { period: 'custom', from: '2026-03-10', to: '2026-03-10', compare: 'previous_period' })
    const [{ comparison, ...row }] = data.rows
    assert.deepEqual([row.events, row.conversion_rate], [1, 100])
    assert.deepEqual([comparison.events, comparison.visitors, comparison.conversion_rate], [4, 2, 66.7])
    assert.deepEqual([comparison.change.events, comparison.change.revenue], [-75, -84.4])
    assert.equal(data.comparison.period.to, '2026-03-09T12:01:00.000Z', 'the day is not over: as much of the one before')

    const german = await asking.get('events_list', { ...ofMonday, filters: [['country', 'is', 'DE']] })
    assert.deepEqual(
      german.data.rows.map((row: any) => [row.value, row.events, row.conversion_rate]),
      [
        ['Purchase', 2, 50],
        ['signup', 1, 50],
      ],
    )
    const pro = await asking.get('events_list', { ...ofMonday, filters: [['property:plan', 'is', 'team']] })
    assert.deepEqual(
      pro.data.rows.map((row: any) => [row.value, row.visitors, row.events, row.conversion_rate]),
      [['Purchase', 1, 1, 33.3]],
      'the events that carry it; the rate is of all visitors, filters on properties put aside',
    )
  })

  test('one event: metrics, chart, pages and sources', async () => {
    const { data } = await asking.get('events_get', { ...ofMonday, name: 'Purchase', interval: 'hour' })
    assert.deepEqual(data.metrics, {
      visitors: 2,
      visits: 3,
      events: 4,
      revenue: 4_500,
      purchases: 3,
      average_order: 1_500,
      conversion_rate: 66.7,
    })
    assert.deepEqual([data.names, data.hidden, data.interval], [['Purchase'], false, 'hour'])
    assert.equal(data.series.length, 24)
    assert.deepEqual(
      data.series.filter((point: any) => point.events > 0),
      [
        { at: '2026-03-09T09:00:00+01:00', partial: false, visitors: 1, visits: 1, events: 1, revenue: 500 },
        { at: '2026-03-09T10:00:00+01:00', partial: false, visitors: 1, visits: 1, events: 2, revenue: 4_000 },
        { at: '2026-03-09T12:00:00+01:00', partial: false, visitors: 1, visits: 1, events: 1, revenue: 0 },
      ],
    )
    assert.deepEqual(data.pages, [
      { value: '/buy', label: '/buy', visitors: 2, visits: 2, events: 3, revenue: 4_500, share: 100 },
      { value: '/shop', label: '/shop', visitors: 1, visits: 1, events: 1, revenue: 0, share: 50 },
    ])
    assert.deepEqual(
      data.sources.map((row: any) => [row.value, row.label, row.events]),
      [
        ['', 'Direct / None', 2],
        ['Google', 'Google', 2],
      ],
    )
    assert.deepEqual([data.first_seen_at, data.last_seen_at], ['2026-03-09T08:00:00.000Z', '2026-03-09T11:01:00.000Z'])
    assert.equal('comparison' in data, false)
  })

  test('one event: pivots of properties, and numbers about numeric ones', async () => {
    const { data } = await asking.get('events_get', { ...ofMonday, name: 'Purchase', properties: ['plan', 'price', 'nothing'] })
    assert.deepEqual(
      data.properties.map((pivot: any) => [pivot.key, pivot.rows.map((row: any) => [row.value, row.events, row.visitors])]),
      [
        [
          'plan',
          [
            ['pro', 2, 2],
            ['team', 1, 1],
          ],
        ],
        [
          'price',
          [
            ['10', 1, 1],
            ['21.5', 1, 1],
            ['30', 1, 1],
            ['free', 1, 1],
          ],
        ],
        ['nothing', []],
      ],
    )
    // 10, 21.5, 30; "free" is not a number
    assert.deepEqual(data.aggregates, [
      { key: 'price', label: 'price', count: 3, sum: 61.5, mean: 20.5, median: 21.5, p90: 28.3, min: 10, max: 30 },
    ])
    assert.deepEqual(data.keys, [
      { key: 'price', label: 'price', events: 4 },
      { key: 'plan', label: 'plan', events: 3 },
    ])
  })

  test('the detail of one event compares with the previous day', async () => {
    const { data } = await asking.get('events_get', {
      name: 'Purchase',
      properties: ['price'],
      period: 'custom',
      from: '2026-03-10',
      to: '2026-03-10',
      compare: 'previous_period',
    })
    assert.deepEqual([data.metrics.events, data.comparison.metrics.events, data.comparison.change.events], [1, 4, -75])
    assert.equal(data.comparison.series.length, data.series.length)
    assert.equal(data.comparison.series[10].events, 2)
    assert.deepEqual([data.aggregates[0].sum, data.aggregates[0].comparison.sum], [7, 61.5])
    assert.deepEqual([data.pages[0].events, data.pages[0].comparison.events], [1, 3])
    assert.deepEqual([data.properties[0].rows[0].value, data.properties[0].rows[0].comparison.events], ['7', 0])
  })

  test('an event that never came is no fault, but noted', async () => {
    const { data, meta } = await asking.get('events_get', { ...ofMonday, name: 'Nothing', properties: ['plan'] })
    assert.deepEqual(data.metrics, { visitors: 0, visits: 0, events: 0, revenue: 0, purchases: 0, average_order: 0, conversion_rate: 0 })
    assert.deepEqual([data.names, data.pages, data.keys, data.first_seen_at], [[], [], [], null])
    assert.deepEqual(
      meta.notes.map((note: any) => note.code),
      ['no_such_value'],
    )
  })

  test('properties of the last 30 days, with what is said of them', async () => {
    const { data, meta } = await asking.get('event_properties_list')
    const plain = { display_name: null, hidden: false, export_safe: false, updated_at: null }
    assert.deepEqual(data, [
      { key: 'price', ...plain, events: 5, last_seen_at: '2026-03-10T09:00:00.000Z' },
      { key: 'plan', ...plain, events: 4, last_seen_at: '2026-03-09T09:03:00.000Z' },
    ])
    assert.deepEqual(meta, { page: 1, per_page: 25, total: 2, total_pages: 1 })
    const ofSignup = await asking.get('event_properties_list', { event: 'signup' })
    assert.deepEqual(
      ofSignup.data.map((row: any) => [row.key, row.events]),
      [['plan', 1]],
    )
    assert.deepEqual((await asking.get('event_properties_list', { event: 'Nothing' })).data, [])
    const { clock } = asking.service
    const now = clock.now
    clock.now = at('12:00:00', '2026-04-08')
    assert.deepEqual(
      (await asking.get('event_properties_list')).data.map((row: any) => row.key),
      ['price'],
      'the day before is 31 days ago',
    )
    clock.now = now
  })

  const refused: [says: string, operation: string, input: Record<string, unknown>, fault: string][] = [
    ['no name', 'events_get', {}, '/name required'],
    ['four properties', 'events_get', { name: 'x', properties: ['a', 'b', 'c', 'd'] }, '/properties too_many_items'],
    ['another interval', 'events_get', { name: 'x', interval: 'second' }, '/interval not_in_enum'],
    ['a filter on nothing', 'events_list', { filters: [['color', 'is', 'red']] }, '/filters/0/0 not_in_enum'],
    ['101 on a page', 'events_list', { per_page: 101 }, '/per_page too_large'],
    ['a custom period without days', 'events_list', { period: 'custom' }, '/from required'],
    ['a currency that is none', 'events_update', { name: 'x', currency: 'EURO' }, '/currency invalid_format'],
    ['no names', 'events_merge', { names: [], into: 'x' }, '/names too_short'],
    ['no name to merge into', 'events_merge', { names: ['a'], into: '' }, '/into too_short'],
    ['no confirmation', 'events_delete', { name: 'signup' }, '/confirm required'],
  ]
  for (const [says, operation, input, fault] of refused) {
    test(`refuses ${says}`, async () => {
      const { status, body } = await asking.call(operation, input)
      assert.equal(status, 422)
      const faults = body.error.details.map((one: { pointer: string; code: string }) => `${one.pointer} ${one.code}`)
      assert.ok(faults.includes(fault), faults.join(', '))
    })
  }
})

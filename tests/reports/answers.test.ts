/** Answers of the size of the question: what a caller leaves out or ranks otherwise, against plain SQL over the rows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { table } from '../../operations/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'
import { dayOf } from '../../storage/calendar/zones.ts'

interface Row {
  value: string
  label: string
  [figure: string]: unknown
}

onAnyEngine('answers', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const on = (day: string, visits: readonly (readonly [source: string, page: string, revenue?: number])[]): Sent[] =>
      visits.flatMap(([source, page, revenue], i) => {
        const at = Date.parse(`2026-03-${day}T09:00:00+01:00`) + i * 60_000
        const who = `${day}-${i}`
        const viewed: Sent = { who, at, page, visit: { source } }
        return revenue === undefined ? [viewed] : [viewed, { who, at: at + 1000, page, event: 'Order', revenue, props: { size: 'l' } }]
      })
    const sent = [
      ...on('08', [
        ['Google', '/a', 900],
        ['Google', '/a'],
        ['Bing', '/gone'],
        ['Bing', '/b'],
      ]),
      ...on('09', [
        ['Google', '/a', 1_000],
        ['Google', '/b', 501],
        ['Google', '/b', -300],
        ['DuckDuckGo', '/new'],
        ['', '/a'],
      ]),
    ]
    await keep(
      service.store,
      sent.map(one => hit(site, one)),
    )
  })
  after(() => service.close())

  async function ask(name: string, input: Record<string, unknown> = {}) {
    const operation = table.operations.get(name)
    assert.ok(operation)
    const common = operation.input.properties.period ? { period: 'yesterday' } : {}
    const place = operation.pathInput.site_id ? { site_id: world.ids.site } : {}
    return callHttp(service, operation, { ...place, ...common, ...input }, world.token)
  }
  async function get(name: string, input: Record<string, unknown> = {}) {
    const { status, body } = await ask(name, input)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const breakdown = (dimension: string, input: Record<string, unknown> = {}) => get('stats_breakdown', { dimension, ...input })
  const values = ({ data }: { data: { rows: Row[] } }) => data.rows.map(({ value }) => value)
  const wrong = async (name: string, input: Record<string, unknown>) => {
    const { status, body } = await ask(name, input)
    assert.equal(status, 422, JSON.stringify(body))
    return body.error.details.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])
  }

  test('purchases are what brought money, and the average order is the revenue by them', async () => {
    const day = dayOf('2026-03-09') ?? assert.fail()
    const plain = await service.store.read
      .selectFrom('hits')
      .select(({ fn }) => [
        fn.sum<number>('revenue').as('revenue'),
        sql<number>`sum(case when revenue > 0 then 1 else 0 end)`.as('purchases'),
      ])
      .where('site_id', '=', world.siteNumber)
      .where('day', '=', day)
      .executeTakeFirstOrThrow()
    const { revenue, purchases, average_order } = (await get('stats_aggregate')).data.metrics
    assert.deepEqual({ revenue, purchases }, plain)
    assert.deepEqual([revenue, purchases, average_order], [1_201, 2, 601])
    const { rows } = (await breakdown('source', { metrics: ['revenue', 'purchases', 'average_order'] })).data
    assert.deepEqual(rows[0], { value: 'Google', label: 'Google', revenue: 1_201, purchases: 2, average_order: 601 })
    const [event] = (await get('events_list')).data.rows
    assert.deepEqual([event.events, event.purchases, event.average_order], [3, 2, 601])
  })

  test('a breakdown answers only the figures asked for, and says how many rows there are', async () => {
    const some = await breakdown('page', { metrics: 'visitors,revenue', limit: 1 })
    assert.deepEqual(some.data.rows, [{ value: '/a', label: '/a', visitors: 2, revenue: 1000 }])
    assert.equal(some.meta.total, 3)
    assert.equal((await breakdown('page', { limit: 2, page: 2 })).meta.total, 3)
    assert.deepEqual(Object.keys((await breakdown('page')).data.rows[0]).includes('exit_rate'), true)
    assert.deepEqual(await wrong('stats_breakdown', { dimension: 'country', metrics: ['visitors', 'exit_rate', 'conversion_rate'] }), [
      ['/metrics/1', 'not_in_enum'],
      ['/metrics/2', 'not_in_enum'],
    ])
    const { body } = await ask('stats_breakdown', { dimension: 'country', metrics: ['conversion_rate'] })
    assert.match(body.error.details[0].message, /filter on a goal/)
  })

  test('rows come in either order', async () => {
    assert.deepEqual(values(await breakdown('page')), ['/a', '/b', '/new'])
    assert.deepEqual(values(await breakdown('page', { order: 'asc' })), ['/new', '/a', '/b'])
    assert.deepEqual(values(await breakdown('page', { order: 'asc', limit: 1, page: 2 })), ['/a'])
  })

  test('ranked by gain or loss: those that came or fell to nothing too, none that did the other', async () => {
    const against = { compare: 'previous_period', metrics: ['visitors'] }
    const rows = async (more: Record<string, unknown>) =>
      (await breakdown('source', { ...against, ...more })).data.rows.map((row: Row & { comparison: Row & { change: Row } }) => [
        row.value,
        row.visitors,
        row.comparison.visitors,
        row.comparison.change.visitors,
      ])
    assert.deepEqual(await rows({ rank: 'gain' }), [
      ['', 1, 0, null],
      ['DuckDuckGo', 1, 0, null],
      ['Google', 3, 2, 50],
    ])
    assert.deepEqual(await rows({ rank: 'loss' }), [['Bing', 0, 2, -100]])
    const lost = await breakdown('page', { ...against, rank: 'loss', limit: 1 })
    assert.deepEqual([values(lost), lost.meta.total], [['/gone'], 1])
    assert.deepEqual(values(await breakdown('page', { ...against, rank: 'gain', order: 'asc' })), ['/b', '/new'])
    assert.deepEqual(await wrong('stats_breakdown', { dimension: 'page', rank: 'loss' }), [['/rank', 'mismatch']])
  })

  test('a series by a dimension: its top values and the rest, which add up to the whole', async () => {
    const { data } = await get('stats_timeseries', {
      period: 'custom',
      from: '2026-03-08',
      to: '2026-03-09',
      interval: 'day',
      by: 'source',
      limit: 2,
      metrics: ['visits', 'revenue'],
    })
    type Series = { value: string | null; label: string; series: { at: string; visits: number; revenue: number }[] }
    const shown = data.by.rows.map(({ value, label, series }: Series) => [
      value,
      label,
      ...series.map(point => [point.visits, point.revenue]),
    ])
    assert.deepEqual(shown, [
      ['Google', 'Google', [2, 900], [3, 1_201]],
      ['Bing', 'Bing', [2, 0], [0, 0]],
      [null, 'Other', [0, 0], [2, 0]],
    ])
    assert.deepEqual(data.series[1], { at: '2026-03-09T00:00:00+01:00', partial: false, visits: 5, revenue: 1_201 })
    for (const [i, point] of data.series.entries()) {
      const sum = data.by.rows.reduce((all: number, { series }: Series) => all + (series[i]?.visits ?? 0), 0)
      assert.equal(sum, point.visits)
    }
    assert.equal((await get('stats_timeseries', { by: 'source' })).data.by.rows.length, 3)
    const events = (await get('stats_timeseries', { interval: 'day', by: 'event', metrics: ['events'] })).data
    assert.deepEqual(events.by.rows[0].series, [{ at: '2026-03-09T00:00:00+01:00', partial: false, events: 3 }])
    assert.deepEqual(await wrong('stats_timeseries', { by: 'colour' }), [['/by', 'not_in_enum']])
    assert.deepEqual(await wrong('stats_timeseries', { by: 'source', metrics: ['events'] }), [['/metrics/0', 'not_in_enum']])
  })

  test('an event without its points, and links of journeys by name', async () => {
    const input = { name: 'Order', compare: 'previous_period', properties: ['size'] }
    const all = (await get('events_get', input)).data
    assert.ok(all.series.length === 24 && all.comparison.series.length === 24)
    const { series: _, ...rest } = all
    const { series: __, ...comparison } = all.comparison
    assert.deepEqual((await get('events_get', { ...input, series: false })).data, { ...rest, comparison })

    await keep(
      service.store,
      ['/a', '/b'].map((page, i) =>
        hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, { who: 'walker', at: Date.parse('2026-03-07T10:00:00Z') + i, page }),
      ),
    )
    const { links } = (await get('journeys_explore', { period: 'custom', from: '2026-03-07', to: '2026-03-07' })).data
    assert.deepEqual(links, [{ step: 1, from: 0, to: 0, from_label: '/a', to_label: '/b', visits: 1 }])
  })

  test('lists of uptime checks have the availability that each check has in detail', async () => {
    const { check, workspace } = world.ids
    const { number } = await service.store.read
      .selectFrom('uptime_checks')
      .select('number')
      .where('id', '=', check ?? '')
      .executeTakeFirstOrThrow()
    await service.store.write.deleteFrom('uptime_periods').where('check_number', '=', number).execute()
    for (const [hoursAgo, status] of [
      [100, 'up'],
      [12, 'down'],
      [6, 'up'],
    ] as const) {
      const started_at = service.clock.now - hoursAgo * 3_600_000
      await service.store.write.insertInto('uptime_periods').values({ check_number: number, started_at, status }).execute()
    }
    const detail = (await get('uptime_checks_get', { id: check })).data.uptime
    assert.deepEqual(detail, { '24h': 75, '7d': 94, '30d': 94 })
    for (const [list, where] of [
      ['uptime_checks_list', {}],
      ['workspace_uptime_checks_list', { workspace_id: workspace }],
    ] as const) {
      const listed = (await get(list, where)).data.find(({ id }: { id: string }) => id === check)
      assert.deepEqual(listed.uptime, detail)
    }
  })
})

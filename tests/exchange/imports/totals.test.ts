/** Imported totals in reports: equal to an independent reading of the same file, only on the days before the first hit. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteIn, startImporting, zipOf } from './site.ts'

type Row = Readonly<Record<string, string | number | null>>

/** Random numbers that are the same each time. */
function chance(seed: number) {
  let state = seed
  return (max: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % max
  }
}
const dates = (from: string, count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.parse(from) + i * 86_400_000).toISOString().slice(0, 10))

/** A CSV, quoted where it must be. */
const csv = (rows: readonly Row[], columns = Object.keys(rows[0] ?? {})) =>
  [columns.join(','), ...rows.map(row => columns.map(name => (row[name] === null ? '' : quoted(String(row[name])))).join(','))].join('\n')
const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Two months of an export, as Plausible writes it. */
function exported(from = '2025-01-01', days = 60, seed = 7) {
  const next = chance(seed)
  const counts = (max: number) => {
    const visits = 1 + next(max)
    return { visitors: 1 + next(visits), visits, visit_duration: next(visits * 300), bounces: next(visits), pageviews: visits + next(max) }
  }
  const all = dates(from, days)
  const each = (values: readonly (readonly [Row, number])[]) =>
    all.flatMap(date => values.flatMap(([texts, max]) => (next(4) === 0 ? [] : [{ date, ...texts, ...counts(max) }])))
  return {
    visitors: all.map((date): Row => ({ date, ...counts(500) })),
    sources: each([
      [{ source: 'Google', referrer: 'google.com', utm_source: '', utm_medium: '', utm_campaign: '', utm_content: '', utm_term: '' }, 200],
      [
        {
          source: 'Google',
          referrer: '',
          utm_source: 'google',
          utm_medium: 'cpc',
          utm_campaign: 'spring, "sale"',
          utm_content: '',
          utm_term: '',
        },
        50,
      ],
      [{ source: '', referrer: '', utm_source: '', utm_medium: '', utm_campaign: '', utm_content: '', utm_term: '' }, 100],
    ]),
    pages: each([
      [{ hostname: 'example.com', page: '/' }, 300],
      [{ hostname: 'example.com', page: '/café' }, 90],
      [{ hostname: 'www.example.com', page: '/' }, 30],
    ]).map(({ visit_duration: _, bounces: __, ...row }: Row): Row => ({ ...row, total_scroll_depth: 10, total_time_on_page: 90 })),
    entry_pages: each([[{ entry_page: '/' }, 100]]).map(({ visits, ...row }: Row): Row => ({ ...row, entrances: visits ?? null })),
    locations: each([
      [{ country: 'DE', region: 'DE-BE', city: 2950159 }, 100],
      [{ country: 'FR', region: '', city: 0 }, 40],
    ]),
    devices: each([
      [{ device: 'Desktop' }, 100],
      [{ device: 'Laptop' }, 60],
      [{ device: 'Mobile' }, 60],
    ]),
    custom_events: all.map((date): Row => ({ date, name: 'Signup', link_url: '', path: '', visitors: 1 + next(5), events: 1 + next(9) })),
  }
}
const zipFrom = (families: ReturnType<typeof exported>) =>
  zipOf(Object.fromEntries(Object.entries(families).map(([name, rows]) => [`export/imported_${name}_20250101_20250301.csv`, csv(rows)])))

/** The independent reading: sums of rows of the file. The visitors of a value are at most all visitors of a day. */
const visitorsOf = (of: readonly Row[], all: readonly Row[]) =>
  all.reduce(
    (visitors, day) => visitors + Math.min(sum(between(of, String(day.date), String(day.date)), 'visitors'), Number(day.visitors)),
    0,
  )
const sum = (rows: readonly Row[], name: string) => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)
const between = (rows: readonly Row[], from: string, to: string) => rows.filter(({ date }) => String(date) >= from && String(date) <= to)
const percent = (part: number, all: number) => Math.round((1000 * part) / all) / 10

onAnyEngine('imported totals', engine => {
  let service: Importing
  let site: Site
  const file = exported()
  before(async () => {
    service = await startImporting(engine)
    site = await siteIn(service)
    const done = await site.load('plausible', 'export.zip', await zipFrom(file))
    assert.deepEqual(
      [done.status, done.kind, done.from, done.to, done.rows_refused],
      ['completed', 'aggregates', '2025-01-01', '2025-03-01', 0],
    )
    assert.equal(
      done.rows_taken,
      Object.values(file).reduce((all, rows) => all + rows.length, 0),
    )
    assert.deepEqual(
      done.ignored.map(({ what }: { what: string }) => what),
      ['locations: city'],
    )
  })
  after(() => service.close())
  const over = (from: string, to: string, more: Record<string, unknown> = {}) => ({
    period: 'custom',
    from,
    to,
    include_imported: true,
    ...more,
  })

  test('know the time on pages from the first day on which the file has measured it', async () => {
    const own = await siteIn(service)
    const page = (date: string, page: string, time: number, visits: number): Row => ({
      date,
      hostname: 'example.com',
      page,
      visits: 4,
      visitors: 4,
      pageviews: 5,
      total_time_on_page: time,
      total_time_on_page_visits: visits,
    })
    const pages = [
      page('2025-01-01', '/', 0, 0),
      page('2025-01-02', '/', 40, 3),
      page('2025-01-02', '/quiet', 0, 0),
      page('2025-01-03', '/', 0, 0),
    ]
    const visitors = dates('2025-01-01', 3).map(
      (date): Row => ({ date, visitors: 9, visits: 9, pageviews: 9, bounces: 1, visit_duration: 9 }),
    )
    const zip = await zipOf({
      'imported_pages_20250101_20250103.csv': csv(pages),
      'imported_visitors_20250101_20250103.csv': csv(visitors),
    })
    assert.equal((await own.load('plausible', 'measured.zip', zip)).status, 'completed')
    const times = async (from: string, to: string) => {
      const { data } = await own.get('stats_breakdown', over(from, to, { dimension: 'page' }))
      return Object.fromEntries(data.rows.map((row: { value: string; time_on_page: number | null }) => [row.value, row.time_on_page]))
    }
    assert.deepEqual(await times('2025-01-01', '2025-01-01'), { '/': null })
    assert.deepEqual(await times('2025-01-02', '2025-01-03'), { '/': 5_000, '/quiet': 0 })
    assert.deepEqual(await times('2025-01-01', '2025-01-03'), { '/': null, '/quiet': 0 })
  })

  test('are in the headline figures, by the sums of the file', async () => {
    for (const [from, to] of [
      ['2025-01-01', '2025-03-01'],
      ['2025-01-05', '2025-01-20'],
      ['2024-06-01', '2025-01-03'],
    ] as const) {
      const rows = between(file.visitors, from, to)
      const { data, meta } = await site.get('stats_aggregate', over(from, to))
      const visits = sum(rows, 'visits')
      assert.deepEqual(data.metrics, {
        visitors: sum(rows, 'visitors'),
        visits,
        pageviews: sum(rows, 'pageviews'),
        views_per_visit: Math.round((100 * sum(rows, 'pageviews')) / visits) / 100,
        bounce_rate: percent(sum(rows, 'bounces'), visits),
        visit_duration: Math.round((1000 * sum(rows, 'visit_duration')) / visits),
        revenue: null,
        purchases: null,
        average_order: null,
      })
      assert.deepEqual(meta.imported, { included: true, from: from < '2025' ? '2025-01-01' : from, to, reason: null })
      const without = await site.get('stats_aggregate', over(from, to, { include_imported: false }))
      assert.deepEqual([without.data.metrics.visits, without.meta.imported], [0, undefined])
    }
  })

  test('are in series by day, week and month, and in comparisons', async () => {
    const { data } = await site.get('stats_timeseries', over('2025-01-01', '2025-01-31', { interval: 'day', compare: 'previous_period' }))
    assert.deepEqual(
      data.series.map((point: any) => [point.at.slice(0, 10), point.visits, point.pageviews]),
      between(file.visitors, '2025-01-01', '2025-01-31').map(row => [row.date, row.visits, row.pageviews]),
    )
    const months = (await site.get('stats_timeseries', over('2025-01-01', '2025-02-28', { interval: 'month', metrics: ['visitors'] }))).data
      .series
    assert.deepEqual(
      months.map((point: any) => point.visitors),
      [
        sum(between(file.visitors, '2025-01-01', '2025-01-31'), 'visitors'),
        sum(between(file.visitors, '2025-02-01', '2025-02-28'), 'visitors'),
      ],
    )
    const compared = (
      await site.get(
        'stats_aggregate',
        over('2025-02-01', '2025-02-28', { compare: 'custom', compare_from: '2025-01-01', compare_to: '2025-01-28' }),
      )
    ).data
    assert.equal(compared.comparison.metrics.visits, sum(between(file.visitors, '2025-01-01', '2025-01-28'), 'visits'))
  })

  const families = [
    ['source', 'sources', 'source'],
    ['utm_campaign', 'sources', 'utm_campaign'],
    ['page', 'pages', 'page'],
    ['country', 'locations', 'country'],
    ['region', 'locations', 'region'],
    ['event', 'custom_events', 'name'],
  ] as const
  for (const [dimension, family, column] of families) {
    test(`are in the breakdown by ${dimension}`, async () => {
      const rows = between(file[family], '2025-01-10', '2025-02-10')
      const expected = [...new Set(rows.map(row => String(row[column])))]
        .map(value => {
          const of = rows.filter(row => String(row[column]) === value)
          const isEvent = dimension === 'event'
          const visitors = visitorsOf(of, file.visitors)
          return { value, visitors, visits: isEvent ? null : sum(of, 'visits'), pageviews: sum(of, 'pageviews') }
        })
        .sort((a, b) => b.visitors - a.visitors)
      const { data, meta } = await site.get('stats_breakdown', { dimension, ...over('2025-01-10', '2025-02-10') })
      assert.deepEqual(
        data.rows.map(({ value, visitors, visits, pageviews }: any) => ({ value, visitors, visits, pageviews })),
        expected,
      )
      assert.equal(meta.total, expected.length)
      const second = await site.get('stats_breakdown', {
        dimension,
        ...over('2025-01-10', '2025-02-10', { limit: 1, page: 2, order: 'asc' }),
      })
      assert.equal(second.data.rows[0]?.value, expected.toReversed()[1]?.value)
    })
  }

  test('imported totals count laptops as desktops, and are the same in the overview and in its parts', async () => {
    const period = over('2025-01-01', '2025-01-31')
    const { data, meta } = await site.get('stats_overview', { ...period, interval: 'day', panels: ['device', 'page', 'channel', 'screen'] })
    const { data: devices } = await site.get('stats_breakdown', { dimension: 'device', ...period })
    assert.deepEqual(data.panels[0].rows, devices.rows)
    assert.deepEqual(devices.rows.map((row: any) => row.value).sort(), ['desktop', 'mobile'])
    assert.deepEqual(data.panels[2].rows.map((row: any) => row.value).sort(), ['Direct', 'Organic Search', 'Paid Search'])
    assert.deepEqual(data.panels[3].rows, [], 'what the file does not say is not invented')
    assert.deepEqual(
      data.panels.map((panel: any) => panel.imported),
      [true, true, true, false],
    )
    assert.deepEqual(data.metrics, (await site.get('stats_aggregate', period)).data.metrics)
    assert.deepEqual(data.series, (await site.get('stats_timeseries', { ...period, interval: 'day' })).data.series)
    assert.equal(meta.imported.included, true)
  })

  test('say why they are not in an answer', async () => {
    const reasonOf = async (name: string, input: Record<string, unknown>) => (await site.get(name, input)).meta.imported.reason
    const january = over('2025-01-01', '2025-01-31')
    assert.equal(await reasonOf('stats_aggregate', { ...january, filters: [['country', 'is', 'DE']] }), 'filters')
    const segment = await site.get('segments_create', { name: 'Germans', filters: [['country', 'is', 'DE']] })
    assert.equal(await reasonOf('stats_aggregate', { ...january, segment_id: segment.data.id }), 'segment')
    assert.equal(await reasonOf('stats_timeseries', over('2025-01-01', '2025-01-01', { interval: 'hour' })), 'interval')
    assert.equal(await reasonOf('stats_breakdown', { ...january, dimension: 'city' }), 'dimension')
    assert.equal(await reasonOf('stats_timeseries', { ...january, by: 'country' }), 'dimension')
    assert.equal(await reasonOf('stats_aggregate', over('2025-06-01', '2025-06-30')), 'after_first_hit')
    const empty = await siteIn(service)
    assert.equal((await empty.get('stats_aggregate', january)).meta.imported.reason, 'none_imported')
  })

  test('totals are refused for days of another import, and the error names the free days', async () => {
    const more = exported('2025-02-20', 20, 3)
    const id = await site.upload('plausible', 'more.zip', await zipFrom(more))
    const refused = await site.ask('imports_start', { id })
    assert.equal(refused.status, 422)
    assert.match(refused.body.error.message, /2025-02-20 to 2025-03-11.*Free days are 2025-03-02 to 2025-03-11/)
    const done = await site.load('plausible', 'more.zip', await zipFrom(more), { from: '2025-03-02' })
    assert.deepEqual([done.status, done.from, done.to], ['completed', '2025-03-02', '2025-03-11'])
    const { data } = await site.get('stats_aggregate', over('2025-02-20', '2025-03-11'))
    const expected = [...between(file.visitors, '2025-02-20', '2025-03-01'), ...between(more.visitors, '2025-03-02', '2025-03-11')]
    assert.equal(data.metrics.visits, sum(expected, 'visits'))
    await site.get('imports_delete', { id: done.id })
    const left = await site.get('stats_aggregate', over('2025-02-20', '2025-03-11'))
    assert.equal(left.data.metrics.visits, sum(between(file.visitors, '2025-02-20', '2025-03-01'), 'visits'))
  })

  test('end where the first hit is, also where hits come in later', async () => {
    const lines = ['2025-02-15', '2025-02-16', '2025-03-05'].map((day, i) =>
      JSON.stringify({ timestamp: `${day}T12:00:00Z`, url: '/native', visitor: `v${i}`, country: 'DE' }),
    )
    await site.load('footfall', 'hits.ndjson', lines.join('\n'))
    const rows = between(file.visitors, '2025-02-01', '2025-02-14')
    const { data, meta } = await site.get('stats_aggregate', over('2025-02-01', '2025-03-10'))
    assert.deepEqual([data.metrics.visits, meta.imported.from, meta.imported.to], [sum(rows, 'visits') + 3, '2025-02-01', '2025-02-14'])
    assert.equal(data.metrics.bounce_rate, percent(sum(rows, 'bounces') + 3, sum(rows, 'visits') + 3), 'rates are of both together')
    const countries = (await site.get('stats_breakdown', { dimension: 'country', ...over('2025-02-01', '2025-03-10') })).data.rows
    const german = between(file.locations, '2025-02-01', '2025-02-14').filter(row => row.country === 'DE')
    assert.equal(countries.find((row: any) => row.value === 'DE').visits, sum(german, 'visits') + 3)
    const pages = (await site.get('stats_breakdown', { dimension: 'page', ...over('2025-02-01', '2025-03-10') })).data.rows
    assert.deepEqual(pages.map((row: any) => row.value).sort(), ['/', '/café', '/native'])
    const after = await site.get('stats_aggregate', over('2025-02-15', '2025-03-10'))
    assert.deepEqual([after.data.metrics.visits, after.meta.imported.reason], [3, 'after_first_hit'])
    const all = await site.get('stats_aggregate', { period: 'all', include_imported: true })
    assert.equal(all.data.metrics.visits, sum(between(file.visitors, '2025-01-01', '2025-02-14'), 'visits') + 3)
  })

  test('refuse lines that say nothing sensible, and what a file does not know is not 0', async () => {
    const other = await siteIn(service)
    const rows = [
      'date,visitors,visits,bounces,visit_duration',
      '2025-01-01,10,20,5,600',
      '2025-01-02,10,20,,',
      '2025-13-01,1,1,1,1',
      '2025-01-03,-1,1,1,1',
      '2025-01-04,1e9,1,1,1',
      '2025-01-05,1',
      '2099-01-05,1,1,1,1',
      `2025-01-06,${'9'.repeat(20)},1,1,1`,
      '20250107,1,2,2,0',
    ].join('\r\n')
    const done = await other.load('ga4_report', 'imported_visitors.csv', rows)
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 9, 3, 6])
    const refused = (await other.get('imports_refused_list', { id: done.id })).data
    assert.deepEqual(
      refused.map(({ line }: any) => line),
      [4, 5, 6, 7, 8, 9],
    )
    const { metrics } = (await other.get('stats_aggregate', over('2025-01-01', '2025-01-31'))).data
    assert.deepEqual(
      [metrics.visits, metrics.pageviews, metrics.bounce_rate, metrics.visit_duration, metrics.views_per_visit],
      [42, null, null, null, null],
      'a rate and its count include the same days',
    )
  })
})

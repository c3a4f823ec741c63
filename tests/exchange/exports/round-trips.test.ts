/** What is exported can be imported again, and answers the same; other programs count the same. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { onEachEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteBeside, siteIn, startImporting } from '../imports/site.ts'

const DAY = 86_400_000

onEachEngine('an export', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
    site = await siteBeside(service, await siteIn(service))
    const loaded = await site.load('footfall', 'hits.ndjson', traffic(1_500, service.clock.now))
    assert.equal(loaded.status, 'completed')
    assert.ok(loaded.rows_refused < 10, 'engagements after midnight have no visit')
    for (const key of ['plan', 'weird']) await site.get('event_properties_update', { key, export_safe: true })
  })
  after(() => service.close())

  /** The file of an export, and its record. */
  async function made(input: Record<string, unknown>, of = site) {
    const { data } = await of.get('exports_create', input)
    assert.deepEqual([data.status, data.download_url], ['pending', null])
    await service.run()
    const done = (await of.get('exports_get', { id: data.id })).data
    assert.equal(done.status, 'completed', JSON.stringify(done))
    const answer = await service.web.request(done.download_url)
    assert.equal(answer.status, 200)
    const content = Buffer.from(await answer.arrayBuffer())
    assert.deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [done.bytes, done.sha256])
    assert.equal(answer.headers.get('content-length'), String(done.bytes))
    return { done, content }
  }
  const period = { period: '90d' }
  const questions: readonly (readonly [string, Record<string, unknown>])[] = [
    ['stats_aggregate', period],
    ['stats_timeseries', { ...period, interval: 'day' }],
    ['stats_timeseries', { period: '30d', interval: 'hour', by: 'channel' }],
    ...[
      'channel',
      'source',
      'referrer',
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_content',
      'utm_term',
      'page',
      'entry_page',
      'exit_page',
    ].map(dimension => ['stats_breakdown', { ...period, dimension, limit: 200 }] as const),
    ...[
      'hostname',
      'country',
      'region',
      'city',
      'language',
      'device',
      'screen',
      'browser',
      'browser_version',
      'os',
      'os_version',
      'event',
      'property:plan',
      'property:weird',
    ].map(dimension => ['stats_breakdown', { ...period, dimension, limit: 200 }] as const),
    ['stats_aggregate', { ...period, filters: [['page', 'is', '/p3']] }],
    [
      'stats_aggregate',
      {
        ...period,
        filters: [
          ['event', 'is', 'Signup'],
          ['country', 'is', 'DE'],
        ],
      },
    ],
    ['stats_breakdown', { ...period, dimension: 'page', filters: [['utm_campaign', 'contains', 'spring']] }],
    ['stats_breakdown', { ...period, dimension: 'event', filters: [['property:plan', 'is', '=1+1']] }],
  ]
  const answersOf = async (of: Site) => {
    const answers = []
    for (const [name, input] of questions) answers.push((await of.get(name, input)).data)
    return answers
  }

  for (const format of ['ndjson', 'csv'] as const) {
    test(`of hits as ${format} imported into an empty site answers every question alike`, async () => {
      const { done, content } = await made({ kind: 'hits', format })
      assert.ok(done.rows > 1_000)
      const other = await siteBeside(service, site)
      const imported = await other.load('footfall', `hits.${format}`, content)
      assert.deepEqual([imported.status, imported.rows_taken, imported.rows_refused], ['completed', done.rows, 0])
      assert.deepEqual(await answersOf(other), await answersOf(site))
    })
  }

  test('of hits has no property that is not marked as safe, and no key that leads to a visitor', async () => {
    const { content } = await made({ kind: 'hits', format: 'ndjson' })
    assert.ok(!content.includes('secret@example.com'))
    assert.ok(!/"visitor":"v\d/.test(content.toString()))
    assert.match(content.toString(), /"visitor":"20\d\d-\d\d-\d\d\.\d+"/)
  })

  test('of totals imported into an empty site has the same totals each day', async () => {
    const { content } = await made({ kind: 'aggregates' })
    const other = await siteBeside(service, site)
    const imported = await other.load('plausible', 'totals.zip', content)
    assert.deepEqual([imported.status, imported.rows_refused, imported.ignored], ['completed', 0, []])
    const ask = { ...period, include_imported: true }
    const days = async (of: Site) => (await of.get('stats_timeseries', { ...ask, interval: 'day' })).data.series
    const here = (await days(site)).map(({ revenue: _, purchases: __, average_order: ___, ...point }: any) => point)
    const there = (await days(other)).map(({ revenue: _, purchases: __, average_order: ___, ...point }: any) => point)
    assert.deepEqual(there, here)
    for (const dimension of ['source', 'country', 'entry_page', 'browser', 'os', 'device', 'event']) {
      const rowsOf = async (of: Site) =>
        (await of.get('stats_breakdown', { ...ask, dimension, limit: 200 })).data.rows
          .map((row: any) => [row.value, dimension === 'event' ? row.visitors : row.visits])
          .sort()
      assert.deepEqual(await rowsOf(other), await rowsOf(site), dimension)
    }
  })

  test('as Parquet is counted by DuckDB as reports count it', async () => {
    const files = { hits: '', visits: '' }
    for (const kind of ['hits', 'visits'] as const) {
      const { content } = await made({ kind, format: 'parquet' })
      files[kind] = path.join(service.folder, `${kind}.parquet`)
      fs.writeFileSync(files[kind], content)
    }
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const rowsOf = async (query: string) => (await connection.runAndReadAll(query)).getRowObjects()
    const { metrics } = (await site.get('stats_aggregate', period)).data
    const [counted] = await rowsOf(
      `select count(*) as visits, count(distinct visitor) as visitors, sum(pageviews)::bigint as pageviews,
        sum(bounce::int)::bigint as bounces, sum(case when not bounce then duration_ms else 0 end)::bigint as duration,
        round(sum(revenue) * 100)::bigint as revenue from '${files.visits}'`,
    )
    const number = (value: unknown) => Number(value)
    assert.deepEqual([counted?.visits, counted?.visitors, counted?.pageviews, counted?.revenue].map(number), [
      metrics.visits,
      metrics.visitors,
      metrics.pageviews,
      metrics.revenue,
    ])
    assert.equal(Math.round(number(counted?.duration) / metrics.visits), metrics.visit_duration)
    assert.equal(Math.round((1000 * number(counted?.bounces)) / metrics.visits) / 10, metrics.bounce_rate)
    const [hits] = await rowsOf(`select count(*) as pageviews from '${files.hits}' where name = 'pageview'`)
    assert.equal(number(hits?.pageviews), metrics.pageviews)
    const countries = await rowsOf(`select country, count(*) as visits from '${files.visits}' group by 1 order by 2 desc, 1`)
    const rows = (await site.get('stats_breakdown', { ...period, dimension: 'country', sort: 'visits', limit: 100 })).data.rows
    assert.deepEqual(
      countries.map(({ country, visits }) => [country, number(visits)]),
      rows.map(({ value, visits }: any) => [value, visits]),
    )
  })

  test('puts a quote before cells that a spreadsheet would run, unless asked for them raw', async () => {
    const formulas = async (raw: boolean) =>
      (await made({ kind: 'visits', format: 'csv', raw })).content
        .toString()
        .split(/[,\n]/)
        .filter(cell => /^'?[=+@]/.test(cell))
    assert.ok((await formulas(false)).every(cell => cell.startsWith("'")))
    assert.ok((await formulas(true)).every(cell => /^[=+@]/.test(cell)))
    assert.ok((await formulas(true)).length > 0)
  })

  test('has its days alone, a link for seven days, and a file as long', async () => {
    const { done, content } = await made({ kind: 'hits', format: 'ndjson', from: '2026-02-10', to: '2026-02-12' })
    assert.deepEqual([done.from, done.to], ['2026-02-10', '2026-02-12'])
    const dates = new Set(content.toString().match(/20\d\d-\d\d-\d\d(?=\.\d+")/g))
    assert.deepEqual([...dates].sort(), ['2026-02-10', '2026-02-11', '2026-02-12'])
    const reply = await site.ask('exports_create', { kind: 'hits', from: '2026-02-03', to: '2026-02-01' })
    assert.equal(reply.status, 422)
    const url = new URL(done.download_url)
    url.searchParams.set('signature', 'f'.repeat(64))
    assert.equal((await service.web.request(url.href)).status, 404)
    assert.equal((await service.web.request(done.download_url, { method: 'PUT', body: 'x' })).status, 405)
    const events = await service.store.read.selectFrom('events').select('data').where('type', '=', 'export.ready').execute()
    assert.ok(events.some(({ data }) => JSON.parse(data).export_id === done.id))
    service.clock.now += 7 * DAY + 60_000
    assert.equal((await service.web.request(done.download_url)).status, 404)
    assert.equal((await site.get('exports_get', { id: done.id })).data.download_url, null)
    await service.run(['exports_clean'])
    assert.deepEqual(
      fs.readdirSync(service.folder).filter(name => name.startsWith(done.id)),
      [],
    )
    service.clock.now -= 7 * DAY + 60_000
  })

  test('can be cancelled, and deleted with its file', async () => {
    const { data } = await site.get('exports_create', { kind: 'visits' })
    assert.equal((await site.get('exports_cancel', { id: data.id })).data.status, 'cancelled')
    await service.run()
    assert.equal((await site.get('exports_get', { id: data.id })).data.status, 'cancelled')
    assert.equal((await site.ask('exports_cancel', { id: data.id })).status, 422)
    const { done } = await made({ kind: 'visits' })
    await site.get('exports_delete', { id: done.id })
    assert.equal((await service.web.request(done.download_url)).status, 404)
  })
})

/** Hits of two months with everything in them that a hit can have. */
function traffic(count: number, now: number): string {
  let state = 11
  const next = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % most
  }
  const pick = <T>(values: readonly T[]): T => values[next(values.length)] as T
  const lines: string[] = []
  while (lines.length < count) {
    let at = now - 60 * DAY + next(59) * DAY + next(1_440) * 60_000 + next(60_000)
    const visitor = `v${next(400)}`
    const shared = {
      visitor,
      country: pick(['DE', 'FR', '', 'US']),
      region: pick(['', 'DE-BE']),
      city: pick(['', 'Berlin', "O'Fallon"]),
      referrer: pick([
        '',
        'https://www.google.com/search?q=x',
        'https://blog.example.org/a/b/',
        'android-app://com.google.android.gm',
        'https://t.co/xy',
      ]),
      utm_campaign: pick(['', '', 'spring "sale", 2', '=cmd()', '+1']),
      utm_source: pick(['', '', 'newsletter', 'google']),
      utm_medium: pick(['', 'cpc', 'email']),
      browser: pick(['Firefox', 'Chrome', 'Safari']),
      browser_version: String(next(130)),
      os: pick(['Windows', 'macOS', 'Linux']),
      device: pick(['desktop', 'mobile', 'tablet', 'tv', '']),
      screen: pick(['', '1920x1080']),
      language: pick(['de-DE', 'en', '']),
      hostname: pick(['', 'shop.example.com']),
    }
    for (let hits = 1 + next(5); hits > 0; hits--) {
      const url = pick(['/', `/p${next(6)}`, '/café au lait', '/a?gclid=1', '/x%25y', '//double', '/100% sure'])
      const event = next(5) === 0
      lines.push(
        JSON.stringify({
          ...shared,
          timestamp: new Date(at).toISOString(),
          url,
          name: event ? pick(['Signup', 'Buy, now', 'Ünï']) : 'pageview',
          ...(event && next(2) === 0 && { interactive: false }),
          ...(event && next(2) === 0 && { revenue: { amount: next(10_000) / 100 - 20, currency: 'EUR' } }),
          ...(next(3) === 0 && {
            props: { plan: pick(['pro', '=1+1', '12.50']), weird: pick(['a"b', 'x\ny', "'q"]), email: 'secret@example.com' },
          }),
          ...(!event && next(2) === 0 && { scroll: next(100), engaged_ms: next(300_000) }),
        }),
      )
      if (next(4) === 0) {
        at += next(28) * 60_000
        lines.push(
          JSON.stringify({ ...shared, timestamp: new Date(at).toISOString(), url, name: 'engagement', engaged_ms: 5_000, scroll: 50 }),
        )
      }
      at += next(40) * 60_000
    }
  }
  // In order of time, as hits come: what an engagement belongs to depends on what came before it.
  const at = (line: string) => JSON.parse(line).timestamp
  return lines.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0)).join('\n')
}

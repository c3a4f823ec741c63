/** An export can be imported again with the same answers, and other programs count the same. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { DuckDBInstance } from '../../../tools/duckdb.mjs'
import { dimensionNames } from '../../../operations/reports/stats/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull, someOf } from '../../support/full.ts'
import { packAll } from '../../support/packed.ts'
import { type Importing, type Site, siteBeside, siteIn, startImporting } from '../imports/site.ts'
import { traffic } from '../traffic.ts'

const DAY = 86_400_000
/** The file of an export, and its record. */
async function exported(service: Importing, site: Site, input: Record<string, unknown>) {
  const { data } = await site.get('exports_create', input)
  assert.deepEqual([data.status, data.download_url], ['pending', null])
  await service.run()
  const done = (await site.get('exports_get', { id: data.id })).data
  assert.equal(done.status, 'completed', JSON.stringify(done))
  const answer = await service.web.request(done.download_url)
  assert.equal(answer.status, 200)
  const content = Buffer.from(await answer.arrayBuffer())
  assert.deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [done.bytes, done.sha256])
  assert.equal(answer.headers.get('content-length'), String(done.bytes))
  return { done, content }
}

const inTotals = ['visitors', 'visits', 'pageviews', 'revenue'] as const

onAnyEngine('an export', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
    site = await siteBeside(service, await siteIn(service))
    const loaded = await site.load('footfall', 'hits.ndjson', traffic(isFull ? 1_500 : 600, service.clock.now))
    assert.equal(loaded.status, 'completed')
    assert.ok(loaded.rows_refused < 10, 'engagements after midnight have no visit')
    for (const key of ['plan', 'weird']) await site.get('event_properties_update', { key, export_safe: true })
  })
  after(() => service.close())

  const made = (input: Record<string, unknown>, of = site) => exported(service, of, input)
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

  test('of hits imported into an empty site answers every question alike, in each format', async () => {
    const others = new Map<string, Site>()
    for (const format of someOf(['ndjson', 'csv', 'parquet'], 2)) {
      const { done, content } = await made({ kind: 'hits', format })
      assert.ok(done.rows > 400)
      const other = await siteBeside(service, site)
      const imported = await other.load('footfall', `hits.${format}`, content)
      assert.deepEqual([imported.status, imported.rows_taken, imported.rows_refused], ['completed', done.rows, 0])
      others.set(format, other)
    }
    const own = await answersOf(site) // at the same time as the others: loading moves the clock
    for (const [format, other] of others) assert.deepEqual(await answersOf(other), own, format)
  })

  test('of a part of the visits is what reports count under the same filters and segment', async () => {
    const filters = [
      ['country', 'is', 'DE'],
      ['page', 'is', ['/p3', '/p4']],
    ]
    const { data: segment } = await site.get('segments_create', { name: 'Mobile', filters: [['device', 'is', ['mobile', 'desktop']]] })
    const counted = async (of: Site, more: Record<string, unknown> = {}) => {
      const { visits, visitors } = (await of.get('stats_aggregate', { ...period, ...more })).data.metrics
      return { visits, visitors }
    }
    const narrowed = await counted(site, { filters, segment_id: segment.id })
    assert.ok(narrowed.visits > 1 && narrowed.visits < (await counted(site)).visits)
    const { data: made1 } = await site.get('exports_create', { kind: 'hits', format: 'ndjson', filters, segment_id: segment.id })
    assert.deepEqual([made1.filters, made1.segment_id], [filters, segment.id])
    await site.get('segments_update', { id: segment.id, filters: [['country', 'is', 'FR']] })
    await service.run()
    const done = (await site.get('exports_get', { id: made1.id })).data
    const content = Buffer.from(await (await service.web.request(done.download_url)).arrayBuffer())
    const other = await siteBeside(service, site)
    const imported = await other.load('footfall', 'hits.ndjson', content)
    assert.deepEqual([imported.rows_taken, imported.rows_refused], [done.rows, 0])
    assert.deepEqual(await counted(other), narrowed)
    assert.deepEqual(await counted(other, { filters }), narrowed)
    for (const [input, fault] of [
      [{ kind: 'aggregates', filters }, '/filters mismatch'],
      [{ kind: 'crawlers', segment_id: segment.id }, '/segment_id mismatch'],
      [{ kind: 'hits', filters: [['nothing', 'is', 'x']] }, '/filters/0/0 not_in_enum'],
    ] as const) {
      const { status, body } = await site.ask('exports_create', input)
      const [{ pointer, code }] = body.error.details
      assert.deepEqual([status, `${pointer} ${code}`], [422, fault])
    }
  })

  test('has no hits of an event that is being deleted', async () => {
    const other = await siteBeside(service, site)
    const at = (minute: number) => new Date(service.clock.now - DAY + minute * 60_000).toISOString()
    const hit = (minute: number, name: string) => JSON.stringify({ timestamp: at(minute), name, visitor: 'v', url: 'https://a.example/' })
    await other.load('footfall', 'hits.ndjson', [hit(0, 'pageview'), hit(1, 'junk'), hit(2, 'kept'), hit(3, 'junk')].join('\n'))
    await other.get('events_delete', { name: 'junk', confirm: 'junk' })
    const hits = (await made({ kind: 'hits', format: 'ndjson' }, other)).content.toString()
    assert.deepEqual(
      [...hits.matchAll(/"name":"(\w*)"/g)].map(([, name]) => name),
      ['pageview', 'kept', 'engagement'],
    )
    const { content } = await made({ kind: 'aggregates', format: 'csv' }, other)
    const totals = await siteBeside(service, site)
    await totals.load('plausible', 'totals.zip', content)
    const { data } = await totals.get('stats_breakdown', { ...period, dimension: 'event', include_imported: true })
    assert.deepEqual(
      data.rows.map(({ value }: { value: string }) => value),
      ['kept'],
    )
  })

  test('of crawlers has a row for each crawler and day', async () => {
    const counters = { requests: 3, script_hits: 1, status_4xx: 1, status_5xx: 0, bytes: 900, verified: 2, spoofed: 0 }
    const named = { operator: 'OpenAI', category: 'ai_training', first_at: service.clock.now, last_at: service.clock.now }
    const rows = [20_455, 20_500, 20_501].map(day => ({ site_id: site.id, day, name: 'GPTBot', ...named, ...counters }))
    await service.store.write.insertInto('crawler_days').values(rows).execute()
    const { done, content } = await made({ kind: 'crawlers', format: 'csv', from: '2026-02-16', to: '2026-02-17' })
    assert.equal(done.rows, 2)
    assert.equal((await made({ kind: 'crawlers', format: 'csv' })).done.from, '2026-01-02', 'without hits too')
    const [head = '', first = ''] = content.toString().split('\n')
    assert.equal(head, 'date,name,operator,category,requests,script_hits,status_4xx,status_5xx,bytes,verified,spoofed,first_at,last_at')
    assert.match(first, /^2026-02-16,GPTBot,OpenAI,ai_training,3,1,1,0,900,2,0,2026-/)
  })

  test('of hits has no property that is not marked as safe, and no key that leads to a visitor', async () => {
    const { content } = await made({ kind: 'hits', format: 'ndjson' })
    assert.ok(!content.includes('secret@example.com'))
    assert.ok(!/"visitor":"v\d/.test(content.toString()))
    assert.match(content.toString(), /"visitor":"20\d\d-\d\d-\d\d\.\d+"/)
  })

  const known = new Map<string, Promise<any>>()
  /** The answer of the site that is exported, asked for once. */
  function own(name: string, input: Record<string, unknown>): Promise<any> {
    const question = JSON.stringify([name, input])
    const answer = known.get(question) ?? site.get(name, input)
    known.set(question, answer)
    return answer
  }
  for (const format of someOf(['csv', 'ndjson', 'parquet'], 1))
    test(`of totals as ${format}, imported into an empty site, has the same totals each day`, async () => {
      const { content } = await made({ kind: 'aggregates', format })
      const other = await siteBeside(service, site)
      const imported = await other.load('plausible', 'totals.zip', content)
      assert.deepEqual([imported.status, imported.rows_refused, imported.ignored], ['completed', 0, []])
      const over = {
        period: 'custom',
        from: '2026-02-01',
        to: '2026-03-09',
        compare: 'custom',
        compare_from: '2026-01-01',
        compare_to: '2026-02-10',
      }
      const ask = { ...over, include_imported: true }
      const { data: sums } = await other.get('stats_aggregate', ask)
      assert.deepEqual(sums, (await own('stats_aggregate', ask)).data)
      assert.notEqual(sums.metrics.revenue, 0, 'revenue comes back as well')
      const daily = { ...ask, interval: 'day' }
      assert.deepEqual((await other.get('stats_timeseries', daily)).data, (await own('stats_timeseries', daily)).data)
      for (const dimension of dimensionNames.filter(name => name !== 'goal'))
        for (const sort of dimension === 'page' ? inTotals : (['visitors'] as const)) {
          const asked = { ...ask, dimension, sort, limit: 200 }
          const [there, here] = await Promise.all([other.get('stats_breakdown', asked), own('stats_breakdown', asked)])
          const named = ({ value, label, ...figures }: any) => (dimension === 'site' ? figures : { value, label, ...figures })
          assert.deepEqual(there.data.rows.map(named), here.data.rows.map(named), `${dimension} by ${sort}`)
          assert.deepEqual({ ...there.data, rows: [] }, { ...here.data, rows: [] })
          if (dimension === 'site')
            assert.deepEqual(
              there.data.rows.map(({ value }: any) => value),
              [other.id],
            )
          assert.equal(there.meta.total, here.meta.total)
          assert.deepEqual([there.meta.imported.included, there.meta.imported.reason], [true, null], dimension)
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
        sum(bounce::int)::bigint as bounces, sum(duration_ms)::bigint as duration,
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

  test('begins a CSV with a byte order mark if asked for it, in a zip too, and an import reads it', async () => {
    const csv = { kind: 'hits', format: 'csv', from: '2026-02-10', to: '2026-02-11' }
    const [plain, marked] = [await made(csv), await made({ ...csv, bom: true })]
    assert.deepEqual([plain.done.bom, marked.done.bom], [false, true])
    assert.equal(marked.content.toString('hex'), `efbbbf${plain.content.toString('hex')}`)
    assert.equal((await made({ ...csv, format: 'ndjson', bom: true })).content.toString()[0], '{')
    const totals = { ...csv, kind: 'aggregates' }
    for (const [source, name, one, other] of [
      ['footfall', 'hits.csv', marked, plain],
      ['plausible', 'totals.zip', await made({ ...totals, bom: true }), await made(totals)],
    ] as const) {
      const taken = []
      for (const { content } of [one, other]) {
        const { status, rows_taken, rows_refused } = await (await siteBeside(service, site)).load(source, name, content)
        taken.push([status, rows_taken > 0, rows_taken, rows_refused])
      }
      assert.deepEqual(taken[0], taken[1])
      assert.deepEqual(taken[0]?.slice(0, 2), ['completed', true])
    }
  })

  test('an export has only its days, a link for seven days, and a file for the same time', async () => {
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

onAnyEngine('an export of packed days', engine => {
  test('has the same daily totals, and brings no rows back', async () => {
    const service = await startImporting(engine)
    const site = await siteIn(service)
    await site.load('footfall', 'hits.ndjson', traffic(100, service.clock.now, 6))
    // A zip has the times of its files.
    const checksums = async () => {
      const { content } = await exported(service, site, { kind: 'aggregates', format: 'csv' })
      return content
        .toString('latin1')
        .split('PK\u0001\u0002')
        .slice(1)
        .map(entry => entry.slice(12, 16))
    }
    const before = await checksums()
    assert.equal(before.length, 11)
    await packAll(service.app)
    assert.deepEqual(await checksums(), before)
    assert.deepEqual(await service.store.read.selectFrom('visits').select('day').execute(), [])
    await service.close()
  })
})

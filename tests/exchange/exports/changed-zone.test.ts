/** After a change of the time zone, every export has the days of the present zone, as reports do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBuffer } from 'yauzl'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { engine as analytics } from '../../../operations/reports/stats/engine.ts'
import { chanceOf } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { request } from '../../support/world.ts'
import { recutInSteps } from '../../support/recut.ts'
import { hit, store } from '../../storage/engine/traffic.ts'
import { type Importing, type Site, siteIn, startImporting } from '../imports/site.ts'

const HOUR = 3_600_000

type Row = Readonly<Record<string, any>>

const rowsIn = (ndjson: string): Row[] =>
  ndjson
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

async function exported(service: Importing, site: Site, input: Record<string, unknown>): Promise<Buffer> {
  const { data: made } = await site.get('exports_create', { format: 'ndjson', ...input })
  await service.run(['exports_run'])
  const { data: done } = await site.get('exports_get', { id: made.id })
  assert.equal(done.status, 'completed', JSON.stringify(done))
  return Buffer.from(await (await service.web.request(done.download_url)).arrayBuffer())
}

/** The rows of each file of a zip, by its family. */
async function families(zip: Buffer): Promise<Map<string, Row[]>> {
  const file = await promisify<Buffer, any, any>(fromBuffer)(zip, { lazyEntries: true })
  const found = new Map<string, Row[]>()
  await new Promise<void>((resolve, reject) => {
    file.on('error', reject).on('end', resolve)
    file.on('entry', (entry: { fileName: string }) =>
      file.openReadStream(entry, async (error: unknown, stream: NodeJS.ReadableStream) => {
        if (error) return reject(error)
        const family = /^imported_(.+)_\d{8}_\d{8}/.exec(entry.fileName)?.[1] ?? ''
        found.set(family, rowsIn(await text(stream)))
        file.readEntry()
      }),
    )
    file.readEntry()
  })
  return found
}

const added = (rows: readonly Row[], name: string): number => rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)

onAnyEngine('exports of a site whose time zone changed', engine => {
  test('have the visits, visitors, pages and revenue of every day of its reports, open and sealed', async () => {
    const service = await startImporting(engine)
    service.clock.now = Date.parse('2026-03-10T03:20:00Z')
    const site = await siteIn(service)
    const chance = chanceOf('exports in a changed zone')
    const start = service.clock.now
    const zones = ['Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati'] as const
    const moveTo = async (timezone: string) => {
      const { status, text } = await request(service, 'PATCH', `/sites/${site.id}.json`, { token: site.world.token, body: { timezone } })
      assert.equal(status, 200, text)
    }
    for (const [i, zone] of zones.entries()) {
      await moveTo(zone)
      const from = i === 0 ? start - 4 * 24 * HOUR : service.clock.now
      if (i > 0) service.clock.now += 3 * HOUR
      const sent = Array.from({ length: i === 0 ? 150 : 15 }, () => ({
        at: chance.int(from, service.clock.now),
        who: `visitor ${chance.int(0, 7)}`,
        page: chance.pick(['/', '/docs', '/price']),
        ...(chance.int(0, 4) === 0 && { event: 'Order', revenue: chance.int(1, 9) * 100 }),
      }))
      for (const one of sent.sort((a, b) => a.at - b.at)) await store(service.store, [hit({ number: site.number, timezone: zone }, one)])
      if (i === 1)
        await service.app.use(analytics).sealDays({
          now: () => service.clock.now,
          signal: new AbortController().signal,
          minVisitors: 0,
          failed: (_, error) => assert.fail(String(error)),
        })
    }
    await agrees(service, site)
    service.clock.now += 5 * 24 * HOUR
    let steps = 0
    await recutInSteps(service, site, async () => {
      if (steps++ % (isFull ? 5 : 24) === 1) await agrees(service, site)
    })
    await agrees(service, site)
    await service.close()
  })
})

async function agrees(service: Importing, site: Site): Promise<void> {
  const { data } = await site.get('stats_timeseries', { period: 'all', interval: 'day' })
  const days: Row[] = data.series.map(({ at, ...figures }: Row) => ({ date: at.slice(0, 10), ...figures }))
  assert.equal(added(days, 'pageviews') > 100, true)
  const range = { from: days[0]?.date, to: days.at(-1)?.date }
  const visits = rowsIn(String(await exported(service, site, { kind: 'visits' })))
  const totals = await families(await exported(service, site, { kind: 'aggregates' }))
  const of = (family: string, date: string) => (totals.get(family) ?? []).filter(row => row.date === date)
  assert.deepEqual(rowsIn(String(await exported(service, site, { kind: 'visits', ...range }))), visits, 'the first day is found')
  let hits = 0
  for (const [i, { date, ...day }] of days.entries()) {
    const here = visits.filter(row => row.date === date)
    assert.equal(here.length, day.visits, `visits of ${date}`)
    assert.equal(added(here, 'pageviews'), day.pageviews, `pageviews of ${date}`)
    assert.equal(Math.round(added(here, 'revenue') * 100), day.revenue, `revenue of ${date}`)
    assert.equal(new Set(here.map(row => row.visitor)).size, day.visitors, `visitors of ${date}`)
    const [all] = of('visitors', date)
    assert.deepEqual(
      [all?.visits ?? 0, all?.visitors ?? 0, all?.pageviews ?? 0],
      [day.visits, day.visitors, day.pageviews],
      `totals of ${date}`,
    )
    assert.equal(added(of('pages', date), 'pageviews'), day.pageviews, `pages of ${date}`)
    assert.equal(added(of('browsers', date), 'visits'), day.visits, `browsers of ${date}`)
    const one = rowsIn(String(await exported(service, site, { kind: 'hits', from: date, to: date })))
    assert.equal(one.filter(({ name }) => name === 'pageview').length, day.pageviews, `hits of ${date}`)
    hits += one.filter(({ name }) => name !== 'engagement').length
    if (i % 2 && !isFull) continue
    const { rows: pages } = (await site.get('stats_breakdown', { from: date, to: date, dimension: 'page' })).data
    const pageRows = (rows: readonly Row[], name: string) => rows.map(row => [row[name], row.visitors, row.visits, row.pageviews]).sort()
    assert.deepEqual(pageRows(of('pages', date), 'page'), pageRows(pages, 'value'), `pages of ${date}`)
    const values = of('values', date).find(row => !row.dimension)
    assert.deepEqual(
      [values?.visits ?? 0, values?.visitors ?? 0, Math.round(Number(values?.revenue ?? 0))],
      [day.visits, day.visitors, day.revenue],
      `values of ${date}`,
    )
    const weekday = ['weekday', 'is', String(((new Date(date).getUTCDay() + 6) % 7) + 1)]
    const filters = [weekday, ['page', 'is', '/docs']]
    const some = rowsIn(String(await exported(service, site, { kind: 'visits', from: date, to: date, filters })))
    const { data: kept } = await site.get('stats_aggregate', { from: date, to: date, filters })
    assert.equal(some.length, kept.metrics.visits, `visits of ${date} that saw a page`)
  }
  assert.equal(hits, 180)
}

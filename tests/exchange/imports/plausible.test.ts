/** Files of Plausible that differ from its present exports; tests/exchange/imports/live-totals.test.ts has these. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { type Importing, siteIn, startImporting, zipOf } from './site.ts'

const csv = (header: string, rows: readonly (readonly (string | number)[])[]) =>
  [
    header,
    ...rows.map(row =>
      row.map(value => (typeof value === 'number' || value === '\\N' ? value : `"${value.replaceAll('"', '""')}"`)).join(','),
    ),
  ].join('\n')
const head = (names: string) =>
  names
    .split(' ')
    .map(name => `"${name}"`)
    .join(',')

onAnyEngine('Plausible', engine => {
  let service: Importing
  before(async () => {
    service = await startImporting(engine)
  })
  after(() => service.close())

  test('files of older exports lack columns, and have others; the download of a dashboard is refused', async () => {
    const site = await siteIn(service)
    const files = {
      browsers: csv(head('date browser visitors visits visit_duration bounces'), [
        ['2026-03-01', 'Amazon Silk', 2, 2, 0, 2],
        ['2026-03-01', 'Mobile App', 2, 2, 0, 2],
        ['2026-03-01', 'Mobile App', 4, 4, 0, 4],
        ['2026-03-01', 'UC Browser', 1, 1, 0, 1],
      ]),
      operating_systems: csv(head('date operating_system visitors visits visit_duration bounces'), [
        ['2026-03-01', 'Mac', 3, 3, 0, 3],
        ['2026-03-01', '', 1, 1, 0, 1],
        ['2026-03-01', 'Chrome OS', 1, 1, 0, 1],
      ]),
      sources: csv(head('date source utm_medium utm_campaign utm_content utm_term visitors visits visit_duration bounces'), [
        ['2026-03-01', 'baidu', 'organic', '', '', '', 1, 1, 0, 1],
        ['2026-03-01', 'yahoo', 'organic', '', '', '', 3, 3, 0, 3],
        ['2026-03-01', '', '', '', '', '', 3, 3, 0, 3],
      ]),
      pages: csv(head('date visitors pageviews exits time_on_page hostname page'), [['2026-03-01', 1, 1, 1, 30, 'example.com', '/a']]),
      custom_events: csv(head('date name link_url path visitors events'), [
        ['2026-03-01', 'engagement', '', '', 20, 40],
        ['2026-03-01', 'pageleave', '', '', 20, 40],
      ]),
    }
    const zip = await zipOf(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`imported_${name}_20260301_20260301.csv`, text])),
    )
    const done = await site.load('plausible', 'export.zip', zip)
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused], ['completed', 11, 0])
    const march = { period: 'custom', from: '2026-03-01', to: '2026-03-01', include_imported: true }
    const rows = async (dimension: string) =>
      (await site.get('stats_breakdown', { dimension, ...march })).data.rows.map((row: any) => `${row.value} ${row.visits}`).sort()
    assert.deepEqual(await rows('browser'), ['Mobile App 6', 'Silk 2', 'UCBrowser 1'])
    assert.deepEqual(await rows('os'), [' 1', 'ChromeOS 1', 'macOS 3'])
    assert.deepEqual(await rows('source'), [' 3', 'Baidu 1', 'Yahoo 3'])
    const left = Object.fromEntries(done.ignored.map(({ what, rows: count }: any) => [what, count]))
    assert.deepEqual([left['pages: exits'], left['pages: time_on_page']], [1, 1])
    assert.deepEqual([left['custom_events: engagement'], left['custom_events: pageleave']], [1, 1], 'measurements of pages are no events')
    const dashboard = 'date,visitors,pageviews,visits,views_per_visit,bounce_rate,visit_duration\n2026-03-02,1,2,1,2,0,30\n'
    assert.match(await site.refusal('plausible', 'visitors.csv', dashboard), /download of a dashboard/)
  })
})

/** Visits sent live, and their totals imported as Plausible exports them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chanceOf } from '../../support/chance.ts'
import { onEachEngine } from '../../support/engines.ts'
import { sendLive } from './same-reports.ts'
import { type Importing, type Site, siteIn, startImporting, zipOf } from './site.ts'

const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
interface Agent {
  readonly userAgent: string
  readonly browser: readonly [name: string, version: string]
  readonly system: readonly [name: string, version: string]
  readonly device: string
}
/** Agents with the names that device-detector has for them, and Plausible's groups of devices. */
const agents: readonly Agent[] = [
  {
    userAgent: `Mozilla/5.0 (Linux; Android 13; SM-S911B) ${blink} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`,
    browser: ['Samsung Browser', '23.0'],
    system: ['Android', '13'],
    device: 'Mobile',
  },
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91`,
    browser: ['Microsoft Edge', '120.0'],
    system: ['Windows', '10'],
    device: 'Desktop',
  },
  {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0',
    browser: ['Firefox', '121.0'],
    system: ['GNU/Linux', ''],
    device: 'Desktop',
  },
  {
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
    browser: ['Safari', '17.2'],
    system: ['Mac', '10.15'],
    device: 'Desktop',
  },
]
const sources = [
  ['', '\\N', '\\N'],
  ['https://www.google.com/', 'Google', 'google.com'],
  ['https://example.org/a', 'example.org', 'example.org/a'],
] as const

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

interface Visit {
  readonly agent: Agent
  readonly source: (typeof sources)[number]
  readonly pages: readonly string[]
  readonly seconds: number
}

onEachEngine('Plausible', engine => {
  let service: Importing
  before(async () => {
    service = await startImporting(engine)
  })
  after(() => service.close())
  const period = { period: 'custom', from: '2026-03-10', to: '2026-03-10', include_imported: true }
  const rowsOf = async (site: Site, dimension: string, names: readonly string[]) =>
    (await site.get('stats_breakdown', { dimension, ...period, limit: 100 })).data.rows
      .map((row: any) => JSON.stringify([row.value, ...names.map(name => row[name])]))
      .sort()

  test('a visit that was sent live and its imported totals have the same reports', async () => {
    const [live, site] = [await siteIn(service), await siteIn(service)]
    const chance = chanceOf('plausible')
    const visits: Visit[] = Array.from({ length: 20 }, (_, i) => ({
      agent: agents[i % agents.length] ?? chance.pick(agents),
      source: chance.pick(sources),
      pages: Array.from({ length: chance.int(1, 4) }, () => chance.pick(['/', '/pricing', '/a,b "c"', '/café'])),
      seconds: 0,
    }))
    const start = Date.parse('2026-03-10T06:00:00Z')
    for (const [i, { agent, source, pages }] of visits.entries()) {
      for (const [k, page] of pages.entries()) {
        await sendLive(service, live, '/api/event', {
          n: 'pageview',
          u: `https://example.com${encodeURI(page)}`,
          d: live.world.ids.domain,
          ...(k === 0 && source[0] !== '' && { r: source[0] }),
          ip: `198.51.100.${i + 1}`,
          user_agent: agent.userAgent,
          timestamp: new Date(start + i * 60_000 + k * 30_000).toISOString(),
        })
      }
    }
    // Each visit is a row of its own, as the same texts may be in several rows.
    const figures = ({ pages }: Visit) => [1, 1, (pages.length - 1) * 30, Number(pages.length === 1), pages.length]
    const of = (texts: (visit: Visit) => readonly string[]) => visits.map(visit => ['2026-03-10', ...texts(visit), ...figures(visit)])
    const shared = 'visitors visits visit_duration bounces pageviews'
    const files = {
      visitors: csv(head('date visitors pageviews bounces visits visit_duration'), [
        [
          '2026-03-10',
          visits.length,
          visits.reduce((sum, { pages }) => sum + pages.length, 0),
          visits.filter(({ pages }) => pages.length === 1).length,
          visits.length,
          visits.reduce((sum, { pages }) => sum + (pages.length - 1) * 30, 0),
        ],
      ]),
      sources: csv(
        head(
          'date source referrer utm_source utm_medium utm_campaign utm_content utm_term pageviews visitors visits visit_duration bounces',
        ),
        visits.map(({ source, pages }) => [
          ...['2026-03-10', source[1], source[2], '\\N', '\\N', '\\N', '\\N', '\\N'],
          ...[pages.length, 1, 1, (pages.length - 1) * 30, Number(pages.length === 1)],
        ]),
      ),
      pages: csv(
        head('date hostname page visits visitors pageviews total_scroll_depth total_scroll_depth_visits'),
        visits.flatMap(({ pages }) =>
          [...new Set(pages)].map(page => [
            '2026-03-10',
            'example.com',
            page,
            1,
            1,
            pages.filter(each => each === page).length,
            '\\N',
            '\\N',
          ]),
        ),
      ),
      entry_pages: csv(
        head('date visitors entrances visit_duration bounces pageviews entry_page'),
        visits.map(({ pages }) => ['2026-03-10', 1, 1, (pages.length - 1) * 30, Number(pages.length === 1), pages.length, pages[0] ?? '']),
      ),
      locations: csv(
        head(`date country region city ${shared}`),
        of(() => ['AU', '', '0']),
      ),
      devices: csv(
        head(`date device ${shared}`),
        of(({ agent }) => [agent.device]),
      ),
      browsers: csv(
        head(`date browser browser_version ${shared}`),
        of(({ agent }) => agent.browser),
      ),
      operating_systems: csv(
        head(`date operating_system operating_system_version ${shared}`),
        of(({ agent }) => agent.system),
      ),
      custom_events: csv(head('date name link_url path visitors events'), [
        ['2026-03-10', 'engagement', '', '', 20, 40],
        ['2026-03-10', 'pageleave', '', '', 20, 40],
      ]),
    }
    const zip = await zipOf(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`imported_${name}_20260310_20260310.csv`, text])),
    )
    const done = await site.load('plausible', 'example_com_20260311.zip', zip)
    assert.deepEqual([done.status, done.rows_refused], ['completed', 0])
    const totals = async (of: Site) => {
      const { metrics } = (await of.get('stats_aggregate', period)).data
      return ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'].map(name => metrics[name])
    }
    assert.deepEqual(await totals(site), await totals(live))
    const figured = ['visitors', 'visits', 'pageviews']
    for (const dimension of ['source', 'referrer', 'country', 'device', 'browser', 'browser_version', 'os', 'os_version'])
      assert.deepEqual(await rowsOf(site, dimension, figured), await rowsOf(live, dimension, figured), dimension)
    assert.deepEqual(await rowsOf(site, 'page', ['pageviews', 'visits']), await rowsOf(live, 'page', ['pageviews', 'visits']))
    assert.deepEqual(await rowsOf(site, 'entry_page', ['visits']), await rowsOf(live, 'entry_page', ['visits']))
    assert.deepEqual(await rowsOf(site, 'event', ['events']), [])
    const left = Object.fromEntries(done.ignored.map(({ what, rows }: any) => [what, rows]))
    assert.deepEqual([left['custom_events: engagement'], left['custom_events: pageleave']], [1, 1])
  })

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
    const dashboard = 'date,visitors,pageviews,visits,views_per_visit,bounce_rate,visit_duration\n2026-03-02,1,2,1,2,0,30\n'
    assert.match(await site.refusal('plausible', 'visitors.csv', dashboard), /download of a dashboard/)
  })
})

/** Visits sent live, and their daily totals imported as products export them: the same reports, as far as the product counts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { type Able, sendLive, type Visit, visitsOf } from './same-visits.ts'
import { type Importing, type Site, siteBeside, siteIn, startWithCities, zipOf } from './site.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
type Text = readonly [name: string, version: string]
/** A browser, a system and a device as one product names them. */
type Named = readonly [browser: Text, system: Text, device: string]
interface Agent {
  readonly userAgent: string
  readonly plausible: Named
  readonly ga4: Named
  readonly fathom: Named
  readonly goatcounter: Named
}
const agents: readonly Agent[] = [
  {
    userAgent: `Mozilla/5.0 (Linux; Android 13; SM-S911B) ${webKit} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`,
    plausible: [['Samsung Browser', '23.0'], ['Android', '13'], 'Mobile'],
    ga4: [['Samsung Internet', '23.0'], ['Android', 'Android 13'], 'mobile'],
    fathom: [['Samsung Internet', ''], ['Android', ''], 'Phone'],
    goatcounter: [['Samsung Browser', '23'], ['Android', '13'], '390'],
  },
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91`,
    plausible: [['Microsoft Edge', '120.0'], ['Windows', '10'], 'Desktop'],
    ga4: [['Edge', '120.0.2210.91'], ['Windows', 'Windows 10'], 'desktop'],
    fathom: [['Edge', ''], ['Windows', ''], 'Desktop'],
    goatcounter: [['Edge', '120'], ['Windows', '10'], '1920'],
  },
  {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0',
    plausible: [['Firefox', '121.0'], ['GNU/Linux', ''], 'Desktop'],
    ga4: [['Firefox', '121.0'], ['Linux', '(not set)'], 'desktop'],
    fathom: [['Firefox', ''], ['Linux', ''], 'Desktop'],
    goatcounter: [['Firefox', '121'], ['Linux', ''], '1920'],
  },
  {
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
    plausible: [['Safari', '17.2'], ['Mac', '10.15'], 'Desktop'],
    ga4: [['Safari', '17.2'], ['Macintosh', 'Macintosh Intel 10.15'], 'desktop'],
    fathom: [['Safari', ''], ['macOS', ''], 'Desktop'],
    goatcounter: [['Safari', '17.2'], ['macOS', '10.15'], '1920'],
  },
]
/** Referrers with the names of their sources. */
const sources: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['https://www.google.com/', 'Google'],
  ['https://news.ycombinator.com/item', 'Hacker News'],
  ['https://blog.example.org/a', 'blog.example.org'],
])
const tags = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
const able: Able = {
  userAgents: agents.map(({ userAgent }) => userAgent),
  tags,
  props: false,
  money: false,
  language: false,
  referrers: [...sources.keys()],
}
const DAY = '2026-03-09'

const agentOf = ({ userAgent }: Visit): Agent => {
  const found = agents.find(each => each.userAgent === userAgent)
  assert.ok(found)
  return found
}
const barred = (address: string) => address.replace(/^https:\/\/(www\.)?/, '').replace(/\/$/, '')
const pagesOf = ({ hits }: Visit) => hits.filter(({ kind }) => kind === 'page').map(({ name }) => name)
const sourceOf = ({ tags: { utm_source = '' }, referrer }: Visit) => utm_source || (sources.get(referrer) ?? '')

type Row = Readonly<Record<string, string | number>>
/** Adds the figures of rows with the same texts. */
function summed(rows: readonly { texts: Row; counts: Readonly<Record<string, number>> }[]): Row[] {
  const found = new Map<string, Record<string, string | number>>()
  for (const { texts, counts } of rows) {
    const key = JSON.stringify(texts)
    const row = found.get(key) ?? { ...texts }
    for (const [name, count] of Object.entries(counts)) row[name] = Number(row[name] ?? 0) + count
    found.set(key, row)
  }
  return [...found.values()]
}

const countsOf = (visit: Visit) => ({
  visitors: 1,
  visits: 1,
  pageviews: pagesOf(visit).length,
  bounces: Number(visit.hits.length === 1),
  visit_duration: visit.hits.reduce((sum, { after: since }) => sum + since, 0),
})

/** The families of Plausible's export. */
function familiesOf(visits: readonly Visit[], named: (agent: Agent) => Named, place: (visit: Visit) => Row): Record<string, Row[]> {
  const date = DAY
  const by = (textsOf: (visit: Visit) => Row) =>
    summed(visits.map(visit => ({ texts: { date, ...textsOf(visit) }, counts: countsOf(visit) })))
  return {
    visitors: by(() => ({})),
    sources: by(visit => ({
      source: sourceOf(visit),
      referrer: barred(visit.referrer),
      ...Object.fromEntries(tags.map(name => [name, visit.tags[name] ?? ''])),
    })),
    pages: summed(
      visits.flatMap(visit => {
        const pages = pagesOf(visit)
        return [...new Set(pages)].map(page => ({
          texts: { date, hostname: 'example.com', page },
          counts: { visits: 1, visitors: 1, pageviews: pages.filter(each => each === page).length },
        }))
      }),
    ),
    entry_pages: by(visit => ({ entry_page: pagesOf(visit)[0] ?? '' })).map(row => ({ ...row, entrances: row.visits ?? 0 })),
    exit_pages: by(visit => ({ exit_page: pagesOf(visit).at(-1) ?? '' })).map(row => ({ ...row, exits: row.visits ?? 0 })),
    locations: by(place),
    devices: by(visit => ({ device: named(agentOf(visit))[2] })),
    browsers: by(visit => ({ browser: named(agentOf(visit))[0][0], browser_version: named(agentOf(visit))[0][1] })),
    operating_systems: by(visit => ({
      operating_system: named(agentOf(visit))[1][0],
      operating_system_version: named(agentOf(visit))[1][1],
    })),
    custom_events: summed(
      visits.flatMap(({ hits }) => {
        const names = hits.filter(({ kind }) => kind === 'event').map(({ name }) => name)
        return [...new Set(names)].map(name => ({
          texts: { date, name },
          counts: { visitors: 1, events: names.filter(each => each === name).length },
        }))
      }),
    ),
  }
}

const csv = (rows: readonly Row[], columns = Object.keys(rows[0] ?? {})) =>
  [
    columns.join(','),
    ...rows.map(row =>
      columns
        .map(name => row[name] ?? '')
        .map(value => (typeof value === 'number' ? value : `"${value.replaceAll('"', '""')}"`))
        .join(','),
    ),
  ].join('\n')

const zipOfFamilies = (families: Readonly<Record<string, Row[]>>) =>
  zipOf(Object.fromEntries(Object.entries(families).map(([name, rows]) => [`imported_${name}_20260309_20260309.csv`, csv(rows)])))

const ofVisits = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration']
const families: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([...tags, 'source', 'referrer', 'channel', 'country', 'region'].map(name => [name, ofVisits])),
  ...Object.fromEntries(['browser', 'browser_version', 'os', 'os_version', 'device', 'entry_page'].map(name => [name, ofVisits])),
  exit_page: ['visitors', 'visits'],
  page: ['visitors', 'visits', 'pageviews'],
  event: ['visitors', 'events'],
}
const pick = (names: readonly string[], from: Readonly<Record<string, unknown>>) => names.map(name => from[name] ?? null)

onAnyEngine('Totals of visits that were sent live', engine => {
  let service: Importing
  before(async () => {
    service = await startWithCities(engine)
  })
  after(() => service.close())

  /** @param figures what the product counts of the site, and by each dimension */
  async function assertSame(
    visits: readonly Visit[],
    { source, filename, content }: { source: string; filename: string; content: (domain: string) => Promise<string | Uint8Array> },
    figures: { site: readonly string[]; by: Readonly<Record<string, readonly string[]>> },
  ): Promise<void> {
    const workspace = await siteIn(service)
    const [live, imported] = [await siteBeside(service, workspace), await siteBeside(service, workspace)]
    const domainOf = async (site: Site) => (await site.get('sites_get')).data.domain
    await sendLive(service, live, visits, await domainOf(live), false)
    const done = await imported.load(source, filename, await content(await domainOf(imported)))
    assert.deepEqual([done.status, done.rows_refused], ['completed', 0])
    const period = { period: 'custom', from: DAY, to: DAY, include_imported: true }
    const siteOf = async (site: Site) => pick(figures.site, (await site.get('stats_aggregate', period)).data.metrics)
    assert.deepEqual(await siteOf(imported), await siteOf(live))
    for (const [dimension, names] of Object.entries(figures.by)) {
      const rowsOf = async (site: Site) =>
        (await site.get('stats_breakdown', { dimension, ...period, limit: 200 })).data.rows
          .map((row: any) => JSON.stringify([row.value, ...pick(names, row)]))
          .sort()
      const expected = await rowsOf(live)
      assert.ok(expected.length > 1, dimension)
      assert.deepEqual(await rowsOf(imported), expected, dimension)
    }
  }

  test('are reported alike from Plausible, whose cities are numbers', async () => {
    const visits = visitsOf(able, 25)
    const content = () =>
      zipOfFamilies(
        familiesOf(
          visits,
          ({ plausible }) => plausible,
          ({ country, region }) => ({ country, region, city: 2950159 }),
        ),
      )
    await assertSame(visits, { source: 'plausible', filename: 'example.zip', content }, { site: ofVisits, by: families })
  })

  test('are reported alike from the CSVs of Google Analytics 4', async () => {
    const visits = visitsOf(able, 25)
    const place = ({ country, city }: Visit) =>
      country === 'DE' ? { country: 'Germany', region: 'Berlin', city } : { country: 'United States', region: 'California', city }
    const content = () => zipOfFamilies(familiesOf(visits, ({ ga4 }) => ga4, place))
    await assertSame(
      visits,
      { source: 'ga4_report', filename: 'report.zip', content },
      { site: ofVisits, by: { ...families, city: ofVisits } },
    )
  })

  test('are reported alike from Fathom, which counts pages and events by the hour', async () => {
    const visits = visitsOf({ ...able, referrers: ['', 'https://www.google.com/', 'https://blog.example.org/a'] }, 25)
    const timesOf = (visit: Visit) => {
      let time = visit.at
      return visit.hits.map(hit => ({
        hit,
        hour: new Date((time += hit.after) * 1000).toISOString().replace(/:.*/, ':00:00').replace('T', ' '),
      }))
    }
    const content = async (domain: string) => {
      const views = visits.flatMap(visit =>
        timesOf(visit)
          .filter(({ hit }) => hit.kind === 'page')
          .map(({ hit, hour }) => {
            const [browser, system, device] = agentOf(visit).fathom
            const address = visit.referrer === '' ? undefined : new URL(visit.referrer)
            return {
              texts: {
                datetime: hour,
                hostname: `https://${domain}`,
                pathname: hit.name,
                referrer_hostname: address ? address.origin : '',
                referrer_pathname: address ? address.pathname : '',
                ...Object.fromEntries(tags.map(name => [name, visit.tags[name] ?? ''])),
                ...{ browser: browser[0], operating_system: system[0], device_type: device },
                ...{ country_code: visit.country, state: visit.country === 'DE' ? 'Berlin' : 'California', city: visit.city },
              },
              counts: { pageviews: 1 },
            }
          }),
      )
      const events = visits.flatMap(visit =>
        timesOf(visit)
          .filter(({ hit }) => hit.kind === 'event')
          .map(({ hit, hour }) => ({ texts: { datetime: hour, event_name: hit.name }, counts: { completions: 1 } })),
      )
      return zipOf({ 'pageviews.csv': csv(summed(views)), 'events.csv': csv(summed(events)) })
    }
    const dimensions = [...tags, 'source', 'referrer', 'channel', 'country', 'region', 'city', 'browser', 'os', 'device', 'page']
    const by = { ...Object.fromEntries(dimensions.map(name => [name, ['pageviews']])), event: ['events'] }
    await assertSame(visits, { source: 'fathom', filename: 'fathom.zip', content }, { site: ['pageviews'], by })
  })

  test('are reported alike from the JSON of GoatCounter, which counts the first view of each page', async () => {
    const ableOfIt = { ...able, tags: ['utm_source'], referrers: ['', 'https://blog.example.org/a', 'https://news.ycombinator.com/item'] }
    // A visit of two pages is two visits there, and an event counts once for each visit.
    const visits = visitsOf(ableOfIt, 25).map(visit => ({
      ...visit,
      hits: visit.hits.filter(({ kind, name }, i, all) => i === 0 || (kind === 'event' && all.findIndex(each => each.name === name) === i)),
    }))
    const ids = (texts: readonly string[]) => new Map([...new Set(texts)].map((text, i) => [text, i + 1]))
    const lines = (rows: readonly Row[]) => rows.map(row => JSON.stringify(row)).join('\n')
    const refOf = ({ tags: { utm_source }, referrer }: Visit) =>
      JSON.stringify(utm_source !== undefined ? [utm_source, 'c'] : referrer === '' ? ['', 'o'] : [barred(referrer), 'h'])
    const pathsOf = ({ hits }: Visit) => [...new Map(hits.map(({ name, kind }) => [JSON.stringify([name, kind]), name])).keys()]
    const nameOf = ([name, version]: Text) => JSON.stringify([name, version])
    const paths = ids(visits.flatMap(pathsOf))
    const refs = ids(visits.map(refOf))
    const browsers = ids(agents.map(({ goatcounter }) => nameOf(goatcounter[0])))
    const systems = ids(agents.map(({ goatcounter }) => nameOf(goatcounter[1])))
    const stats = (textsOf: (visit: Visit) => Row, all = false) =>
      lines(
        summed(
          visits.flatMap(visit =>
            pathsOf(visit)
              .filter(path => all || JSON.parse(path)[1] === 'page')
              .map(path => ({ texts: { path_id: paths.get(path) ?? 0, ...textsOf(visit) }, counts: { count: 1 } })),
          ),
        ),
      )
    const listOf = (all: ReadonlyMap<string, number>) =>
      lines([...all].map(([text, id]) => ({ id, name: JSON.parse(text)[0], version: JSON.parse(text)[1] })))
    const content = () =>
      zipOf({
        'info.json': '{"export_version":"1.0"}',
        'paths.jsonl': lines(
          [...paths].map(([text, id]) => ({ id, path: JSON.parse(text)[0], title: '', event: Number(JSON.parse(text)[1] === 'event') })),
        ),
        'refs.jsonl': lines([...refs].map(([text, id]) => ({ id, ref: JSON.parse(text)[0], ref_scheme: JSON.parse(text)[1] }))),
        'browsers.jsonl': listOf(browsers),
        'systems.jsonl': listOf(systems),
        'hit_stats.jsonl': stats(visit => ({ hour: `${DAY} 10:00:00`, ref_id: refs.get(refOf(visit)) ?? 0 }), true),
        'browser_stats.jsonl': stats(visit => ({ day: DAY, browser_id: browsers.get(nameOf(agentOf(visit).goatcounter[0])) ?? 0 })),
        'system_stats.jsonl': stats(visit => ({ day: DAY, system_id: systems.get(nameOf(agentOf(visit).goatcounter[1])) ?? 0 })),
        'location_stats.jsonl': stats(visit => ({ day: DAY, location: visit.region })),
        'size_stats.jsonl': stats(visit => ({ day: DAY, width: Number(agentOf(visit).goatcounter[2]) })),
      })
    const dimensions = ['page', 'source', 'utm_source', 'channel', 'country', 'region', 'browser', 'browser_version', 'os', 'device']
    const by = { ...Object.fromEntries(dimensions.map(name => [name, ['visits']])), event: ['events'] }
    await assertSame(visits, { source: 'goatcounter_json', filename: 'export.zip', content }, { site: ['visits'], by })
  })
})

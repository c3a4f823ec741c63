/** GoatCounter: CSVs of hits of all versions, and the zip of JSON lines. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { goatcounterNames } from '../../../operations/exchange/imports/names/goatcounter.ts'
import { namesBy } from '../../../operations/exchange/imports/names/names.ts'
import { deviceOf } from '../../../operations/exchange/imports/sources/goatcounter-values.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { type Able, assertSame, type Visit } from './same-visits.ts'
import { type Importing, type Site, siteIn, startWithCities, zipOf } from './site.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
/** User agents with the browser and the system that gadget 1.0 reads. */
const agents: ReadonlyMap<string, readonly [browser: string, system: string]> = new Map([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/120.0.0.0 Safari/537.36`, ['Chrome 120', 'Windows 10']],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', ['Firefox 128', 'Linux Ubuntu']],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', ['Firefox 128', 'Linux ']],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
    ['Safari 17.2', 'macOS 10.15'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Safari/604.1',
    ['Safari 17.4', 'iOS 17.4'],
  ],
  ['Mozilla/5.0 (X11; OpenBSD amd64; rv:128.0) Gecko/20100101 Firefox/128.0', ['Firefox 128', 'OpenBSD ']],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko', ['Internet Explorer 11', 'Windows 7']],
])
/** Referrers with the text and the kind that GoatCounter stores. */
const referrers: ReadonlyMap<string, readonly [referrer: string, scheme: string]> = new Map([
  ['', ['', 'o']],
  ['https://blog.example.org/a/b', ['blog.example.org/a/b', 'h']],
  ['https://www.google.com/', ['Google', 'g']],
  ['https://news.ycombinator.com/item?id=1', ['Hacker News', 'g']],
  ['android-app://com.slack/', ['Slack Chat', 'g']],
  ['android-app://com.example.reader/', ['com.example.reader', 'o']],
  ['https://t.co/abc', ['twitter.com/search?q=https%3A%2F%2Ft.co%2Fabc', 'h']],
])
const header2 =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date'.split(',')
const header1 = '1Path,Title,Event,Bot,Session,FirstVisit,Referrer,Referrer scheme,Browser,Screen size,Location,Date'.split(',')
const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

interface Written {
  readonly header: readonly string[]
  readonly yes: string
  readonly hasUserAgent?: boolean
}

/** The rows of a visit, as encoding/csv of Go writes them. */
function rowsOf(visit: Visit, { header, yes, hasUserAgent = false }: Written): string[] {
  const [browser = '', system = ''] = agents.get(visit.userAgent) ?? []
  const [referrer = '', scheme = ''] =
    visit.tags.utm_source !== undefined ? [visit.tags.utm_source, 'c'] : (referrers.get(visit.referrer) ?? [])
  let time = visit.at
  return visit.hits.map(({ kind, name, after: since }, i) => {
    time += since
    const row: Record<string, string> = {
      [`${header[0]}`]: name,
      Title: 'A, "title"\nof two lines',
      Event: kind === 'event' ? yes : yes === '1' ? '0' : 'false',
      UserAgent: hasUserAgent ? visit.userAgent : '',
      Browser: header === header1 ? visit.userAgent : browser,
      System: system,
      Session: `${visit.key}-8e4f5c975b8fee06`,
      Bot: '0',
      Referrer: i === 0 ? referrer : '',
      'Referrer scheme': i === 0 ? scheme : 'o',
      'Screen size': visit.screen === '' ? '0,0,1' : `${visit.screen.replace('x', ',')},1`,
      Location: visit.region,
      FirstVisit: yes,
      Date: new Date(time * 1000).toISOString().replace('.000Z', 'Z'),
    }
    return header.map(column => quoted(row[column] ?? '')).join(',')
  })
}
const csvOf = (visits: readonly Visit[], written: Written) =>
  [written.header.join(','), ...visits.flatMap(visit => rowsOf(visit, written))].join('\n')

const able: Able = {
  userAgents: [...agents.keys()],
  tags: ['utm_source'],
  props: false,
  money: false,
  language: false,
  referrers: [...referrers.keys()],
}

test('Names of gadget become the names of collected hits', () => {
  const names = namesBy(goatcounterNames)
  const systems = {
    ...{
      Android: 'Android',
      'Chrome OS': 'ChromeOS',
      'DragonFly BSD': 'DragonFly',
      FreeBSD: 'FreeBSD',
      Fuchsia: 'Fuchsia',
      Haiku: 'Haiku',
    },
    ...{ iOS: 'iOS', KaiOS: 'KaiOS', Linux: 'Linux', 'Linux CentOS': 'CentOS', 'Linux Debian': 'Debian', 'Linux Fedora': 'Fedora' },
    ...{
      'Linux Ubuntu': 'Ubuntu',
      macOS: 'macOS',
      NetBSD: 'NetBSD',
      OpenBSD: 'OpenBSD',
      'PlayStation 4': 'PlayStation',
      Sailfish: 'Sailfish',
    },
    ...{
      SunOS: 'Solaris',
      Tizen: 'Tizen',
      Windows: 'Windows',
      'Windows CE': 'Windows',
      'Windows Phone': 'Windows Phone',
      'Windows XP': 'Windows',
    },
    // No collected hit has these.
    ...{ 'Java ME': 'Java ME', 'MAUI Runtime': 'MAUI Runtime' },
  }
  for (const [theirs, ours] of Object.entries(systems)) assert.equal(names.system(theirs, '').name, ours, theirs)
  const browsers = [
    'Basilisk',
    'Chrome',
    'Dillo',
    'Edge',
    'Firefox',
    'Internet Explorer',
    'Opera',
    'Opera Mini',
    'PaleMoon',
    'PhantomJS',
    'Safari',
  ]
  for (const same of browsers) assert.deepEqual(names.browser(same, '14.0.2'), { name: same, version: '14' })
  assert.deepEqual(names.system('Windows XP', ''), { name: 'Windows', version: 'XP' })
  assert.deepEqual(names.system('Windows', '2000'), { name: 'Windows', version: '2000' })
})

onAnyEngine('An import of GoatCounter', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startWithCities(engine)
  })
  after(() => service.close())
  const period = { period: 'custom', from: '2025-03-01', to: '2025-03-31', include_imported: true }
  const top = async (dimension: string, ...figures: string[]) =>
    (await site.get('stats_breakdown', { dimension, ...period })).data.rows
      .map((row: any) => [row.value, ...figures.map(name => row[name])])
      .sort()
  const load = async (source: string, filename: string, content: string | Uint8Array) => {
    site = await siteIn(service)
    const done = await site.load(source, filename, content)
    assert.equal(done.status, 'completed')
    return done
  }

  // A generated referrer is the name of a source, without the address. Cities are not stored.
  const except = ['referrer', 'city']
  test('gives the reports that the same visits give live: version 2 from SQLite, gzipped', () =>
    assertSame(service, able, {
      ...{ source: 'goatcounter_csv', filename: 'goatcounter-export.csv.gz', except },
      content: visits => gzipSync(csvOf(visits, { header: header2, yes: '1' })),
    }))
  test('gives the reports that the same visits give live: version 2 from Postgres, with user agents and a mark of its encoding', () =>
    assertSame(service, able, {
      ...{ source: 'goatcounter_csv', filename: 'export.csv', except },
      content: visits => `\ufeff${csvOf(visits, { header: header2, yes: 'true', hasUserAgent: true })}`,
    }))
  test('gives the reports that the same visits give live: version 1', () =>
    assertSame(service, able, {
      ...{ source: 'goatcounter_csv', filename: 'export.csv', except: [...except, 'utm_source', 'utm_campaign'] },
      content: visits => csvOf(visits, { header: header1, yes: 'true' }),
    }))

  test('reads hits without a session as visits of their own, and puts events on the page before them', async () => {
    const rows = [
      header2.join(','),
      '/a,A,0,,Firefox 128,Linux ,0-0,0,,,"1920,0,1",DE-BE,1,2025-03-02T10:00:00Z',
      '/a,A,0,,Firefox 128,Linux ,0-0,0,,,"1920,0,1",DE-BE,1,2025-03-02T10:00:01Z',
      '/b,B,0,,Chrome 120,Android 14,s1,0,,,"360,0,1",US,1,2025-03-02T10:00:00Z',
      '"play, ""intro""",,1,,Chrome 120,Android 14,s1,0,,,"360,0,1",US,1,2025-03-02T10:01:00Z',
      `${'long'.repeat(50)},,1,,Chrome 120,Android 14,s1,0,,,"800,0,1",US,1,2025-03-02T10:02:00Z`,
      '/c,C,0,,Safari 17.4,iOS 17.4,s2,0,,,"1024,1366,2",,1,2025-03-02T10:00:00Z',
      '/a,A,0,,curl 8,,s3,5,,,,,1,2025-03-02T10:00:00Z',
      '/a,A,0,,curl 8,,s3,153,,,,,1,2025-03-02T10:00:00Z',
      '/d,D,0,,,,s4,0,a friend,o,,,1,2025-03-02T10:00:00Z',
    ]
    const done = await load('goatcounter_csv', 'export.csv', rows.join('\r\n'))
    assert.deepEqual([done.rows_read, done.rows_taken, done.rows_refused], [9, 7, 0])
    assert.deepEqual(
      done.ignored.map(({ what, rows: count }: any) => [what, count]),
      [
        ['Title', 7],
        ['FirstVisit', 9],
        ['Screen size', 5],
        ['Path', 1],
        ['Bot', 2],
        ['Referrer', 1],
      ],
    )
    const { metrics } = (await site.get('stats_aggregate', period)).data
    assert.deepEqual([metrics.visitors, metrics.visits, metrics.pageviews], [5, 5, 5])
    assert.deepEqual(await top('event', 'events'), [
      ['long'.repeat(30), 1],
      ['play, "intro"', 1],
    ])
    assert.deepEqual(await top('device', 'visits'), [
      ['', 1],
      ['desktop', 2],
      ['mobile', 1],
      ['tablet', 1],
    ])
    assert.deepEqual(await top('region', 'visits'), [
      ['', 3],
      ['DE-BE', 2],
    ])
    assert.deepEqual((await top('entry_page', 'visits')).flat(), ['/a', 2, '/b', 1, '/c', 1, '/d', 1])
    for (const system of ['macOS', 'Mac OS', 'Mac OS X']) assert.equal(deviceOf(system, { width: 0, height: 0 }), 'desktop', system)
  })

  test('reads the format of GoatCounter 1.0 to 1.3, which has no version, and refuses later ones', async () => {
    const rows = [
      'Path,Title,Event,Bot,Session,Referrer (sanitized),Referrer query params,Original Referrer,Browser,Screen size,Location,Date',
      '/a,A,false,0,12,Hacker News,,https://news.ycombinator.com/,"Mozilla/5.0 (X11; Linux x86_64; rv:80.0) Gecko/20100101 Firefox/80.0","1920,1080,1",NL,2025-03-02T10:00:00Z',
      '/b,B,false,0,13,www.reddit.com/r/go,,,"Mozilla/5.0 (X11; Linux x86_64; rv:80.0) Gecko/20100101 Firefox/80.0","1920,1080,1",NL,2025-03-02T10:00:00Z',
    ]
    const done = await load('goatcounter_csv', 'export.csv', rows.join('\n'))
    assert.deepEqual([done.rows_taken, done.rows_refused], [2, 0])
    assert.deepEqual(await top('source', 'visits'), [
      ['Hacker News', 1],
      ['Reddit', 1],
    ])
    assert.deepEqual(await top('device'), [['desktop']])
    site = await siteIn(service)
    const later = rows.join('\n').replace('Path', '3Path')
    assert.match(await site.refusal('goatcounter_csv', 'export.csv', later), /version 3 of GoatCounter's format/)
    const incomplete = rows.join('\n').replace('Session', 'Visitor')
    assert.match(await site.refusal('goatcounter_csv', 'export.csv', incomplete), /lacks the column Session/)
  })

  test('reads names, sources and devices of the zip of JSON lines, and counts the lines of what it leaves out', async () => {
    const lines = (...rows: object[]) => rows.map(row => JSON.stringify(row)).join('\n')
    const day = '2025-03-02'
    const zip = await zipOf({
      'x/info.json': '{\n  "export_version": "1.0",\n  "goatcounter_version": "v2.7.0"\n}\n',
      'x/paths.jsonl': lines({ id: 1, path: '/a', title: 'A' }, { id: 2, path: 'click, me', title: '', event: true }),
      'x/refs.jsonl': lines(
        ...[
          { id: 1, ref: '', ref_scheme: 'o' },
          { id: 2, ref: 'www.reddit.com/r/go', ref_scheme: 'h' },
        ],
        ...[
          { id: 3, ref: 'Slack Chat', ref_scheme: 'g' },
          { id: 4, ref: 'newsletter', ref_scheme: 'c' },
          { id: 5, ref: 'com.slack', ref_scheme: 'o' },
        ],
      ),
      'x/browsers.jsonl': lines({ id: 1, name: 'Safari', version: '17.4' }),
      'x/systems.jsonl': lines({ id: 1, name: 'Linux', version: 'Ubuntu' }, { id: 2, name: 'Windows', version: 'XP' }),
      'x/locations.jsonl': lines({ id: 1, country: 'NL', region: '', country_name: 'The Netherlands', region_name: '' }),
      'x/languages.jsonl': lines({ iso_639_3: 'deu', name: 'German' }, { iso_639_3: 'eng', name: 'English' }),
      'x/hit_stats.jsonl': lines(...[1, 2, 3, 4, 5].map(ref_id => ({ hour: `${day}T10:00:00Z`, path_id: 1, ref_id, count: ref_id })), {
        hour: `${day}T11:00:00Z`,
        path_id: 2,
        ref_id: 1,
        count: 7,
      }),
      'x/browser_stats.jsonl': lines({ day, path_id: 1, browser_id: 1, count: 15 }),
      'x/system_stats.jsonl': lines({ day, path_id: 1, system_id: 1, count: 5 }, { day, path_id: 1, system_id: 2, count: 10 }),
      'x/size_stats.jsonl': lines(...[0, 390, 768, 1024, 1920].map(width => ({ day, path_id: 1, width, count: 3 }))),
      'x/language_stats.jsonl': lines({ day, path_id: 1, language: 'deu', count: 15 }),
    })
    const done = await load('goatcounter_json', 'export.zip', zip)
    assert.deepEqual(
      done.ignored.map(({ what, rows }: any) => [what, rows]),
      [
        ['locations', 1],
        ['languages', 2],
        ['language_stats', 1],
      ],
    )
    assert.deepEqual(await top('source', 'visits'), [
      ['', 1],
      ['Reddit', 2],
      ['Slack', 8],
      ['newsletter', 4],
    ])
    assert.deepEqual(await top('utm_source', 'visits'), [
      ['', 11],
      ['newsletter', 4],
    ])
    assert.deepEqual(await top('event', 'events'), [['click, me', 7]])
    assert.deepEqual((await top('browser_version', 'visits')).flat(), ['17', 15])
    assert.deepEqual(await top('os', 'visits'), [
      ['Ubuntu', 5],
      ['Windows', 10],
    ])
    assert.deepEqual(await top('device', 'visits'), [
      ['', 3],
      ['desktop', 6],
      ['mobile', 3],
      ['tablet', 3],
    ])
  })
})

/** Visits sent to `/api/send`, and the same visits imported as Umami stores and exports them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chanceOf } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { assertSame, reportsOf, sendLive } from './same-reports.ts'
import { cityOf, type Importing, type Site, siteIn, startWithCities, zipOf } from './site.ts'

const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
/** Browsers with the names that Umami stores for their user agents. */
const agents = [
  ['chrome', 'Windows 10', 'laptop', '1440x900', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/120.0.0.0 Safari/537.36`],
  [
    'edge-chromium',
    'Windows 10',
    'desktop',
    '2560x1440',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91`,
  ],
  [
    'ios',
    'iOS',
    'mobile',
    '390x844',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  ],
  [
    'safari',
    'Mac OS',
    'laptop',
    '1728x1117',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
  ],
  ['firefox', 'Linux', 'laptop', '1920x1080', 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0'],
  [
    'samsung',
    'Android OS',
    'mobile',
    '412x915',
    `Mozilla/5.0 (Linux; Android 13; SM-S911B) ${blink} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`,
  ],
] as const
const pages = [
  '/',
  '/pricing?utm_source=mail&utm_medium=email&utm_campaign=May%20sale',
  '/app#/settings',
  '/docs#top',
  '/a,b',
  '/caf%C3%A9',
  '/x?gclid=abc&q=1',
]
const referrers = [
  '',
  'https://www.google.com/',
  'https://news.ycombinator.com/item?id=1',
  'android-app://com.google.android.gm/',
  'https://example.org/a?b=c',
]

/** A value as a row of `event_data`, which Umami flattens before. */
function dataRow(event: string, key: string, value: unknown): string[] {
  if (typeof value === 'number') return [event, key, value.toFixed(4), value.toFixed(4), '', '2']
  if (typeof value === 'boolean') return [event, key, String(value), '', '', '3']
  if (Array.isArray(value)) return [event, key, JSON.stringify(value), '', '', '5']
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
  return isDate ? [event, key, value, '', value.replace('T', ' ').replace('Z', '+00'), '4'] : [event, key, String(value), '', '', '1']
}

const columns =
  'event_id,website_id,session_id,created_at,url_path,url_query,referrer_path,referrer_query,referrer_domain,page_title,event_type,event_name,visit_id,tag,fbclid,gclid,li_fat_id,msclkid,ttclid,twclid,utm_campaign,utm_content,utm_medium,utm_source,utm_term,hostname,cls,fcp,inp,lcp,ttfb,browser,os,device,screen,language,country,region,city'
const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const csv = (header: string, rows: readonly (readonly string[])[]) => [header, ...rows.map(row => row.map(quoted).join(','))].join('\n')

/** The row that Umami writes for a message (`/api/send`). */
function stored({
  id,
  session,
  at,
  payload,
  agent,
  place,
}: {
  id: string
  session: string
  at: number
  payload: any
  agent: (typeof agents)[number]
  place: { country: string; region: string; city: string }
}) {
  const url = new URL(payload.url, `https://${payload.hostname}`)
  const referrer = payload.referrer ? new URL(payload.referrer) : undefined
  const value = (name: string) => url.searchParams.get(name) ?? ''
  const [browser, os, device, screen] = agent
  const row: Record<string, string> = {
    event_id: id,
    website_id: 'w',
    visit_id: 'v',
    session_id: session,
    created_at: `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')}+00`,
    url_path: decodeURI(url.pathname) + url.hash,
    url_query: url.search.slice(1),
    referrer_path: referrer?.pathname ?? '',
    referrer_query: referrer?.search.slice(1) ?? '',
    referrer_domain: referrer?.hostname.replace(/^www\./, '') ?? '',
    page_title: 'Title, with a comma',
    event_type: payload.name ? '2' : '1',
    event_name: payload.name ?? '',
    tag: payload.tag ?? '',
    hostname: payload.hostname,
    ...place,
    ...{ browser, os, device, screen, language: payload.language },
    ...Object.fromEntries(
      ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid', 'fbclid'].map(name => [name, value(name)]),
    ),
  }
  return columns.split(',').map(name => row[name] ?? '')
}

onAnyEngine('Umami', engine => {
  let service: Importing
  let [live, site]: Site[] = []
  before(async () => {
    service = await startWithCities(engine)
  })
  after(() => service.close())

  test('a visit that was sent live and the same visit imported have the same reports', async () => {
    live = await siteIn(service)
    site = await siteIn(service)
    const chance = chanceOf('umami')
    const start = Date.parse('2026-03-10T06:00:00Z')
    const sent: { at: number; visitor: number; payload: any }[] = []
    for (let visitor = 0; visitor < 30; visitor++) {
      const agent = agents[visitor % agents.length] ?? agents[0]
      let at = start + chance.int(0, 3 * 3600) * 1000
      for (let hits = chance.int(1, 6); hits > 0; hits--) {
        const isEvent = chance.int(0, 3) === 0
        const page = chance.pick(pages)
        const payload: any = {
          website: live.id,
          hostname: 'example.com',
          screen: agent[3],
          language: chance.pick(['de-DE', 'en-US']),
          url: page,
        }
        if (chance.int(0, 2) === 0) payload.referrer = chance.pick(referrers.slice(1))
        if (isEvent) payload.name = chance.pick(['Signup', 'Purchase'])
        if (payload.name === 'Purchase')
          payload.data = {
            revenue: chance.pick([19.99, '5', 120]),
            ...(chance.int(0, 4) > 0 && { currency: chance.pick(['EUR', 'eur']) }),
            items: ['a', 'b'],
            at: '2026-03-01T10:00:00.000Z',
          }
        if (payload.name === 'Signup')
          payload.data = { plan: chance.pick(['pro', 'free, for now']), seats: chance.int(1, 9), 'is.new': true }
        if (chance.int(0, 5) === 0) payload.tag = 'variant-b'
        sent.push({ at, visitor, payload })
        at += chance.pick([15_000, 60_000, 900_000, 2_400_000])
      }
    }
    sent.sort((a, b) => a.at - b.at)
    const rows: string[][] = []
    const data: string[][] = []
    for (const [i, { at, visitor, payload }] of sent.entries()) {
      const agent = agents[visitor % agents.length] ?? agents[0]
      const ip = `${visitor % 2 === 0 ? '81.2.69' : '198.51.100'}.${visitor + 1}`
      const claims = { ip, userAgent: agent[4], timestamp: at / 1000 }
      await sendLive(service, live, '/api/send', { type: 'event', payload: { ...payload, ...claims } })
      rows.push(stored({ id: `e${i}`, session: `s${visitor}`, at, payload, agent, place: cityOf(ip) }))
      for (const [key, value] of Object.entries(payload.data ?? {})) data.push(dataRow(`e${i}`, key, value))
    }
    const zip = await zipOf({
      'website_event.csv': `\ufeff${csv(columns, rows)}`,
      'event_data.csv': csv('website_event_id,data_key,string_value,number_value,date_value,data_type', data),
    })
    const done = await site.load('umami', 'export.zip', zip)
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused], ['completed', rows.length, 0])
    const asked = {
      period: { period: 'custom', from: '2026-03-10', to: '2026-03-10' },
      props: ['plan', 'seats', 'is.new', 'items', 'at', 'currency', 'tag'],
    }
    // Umami has no versions.
    const without = ['browser_version', 'os_version']
    const expected = await reportsOf(live, { ...asked, without })
    assert.ok((expected as any).totals.revenue > 0 && (expected as any).source.length > 3)
    assertSame(await reportsOf(site, { ...asked, without }), expected)
  })

  test('rows that are no visits are left out by name: programs, links, pixels; performance becomes vitals', async () => {
    site = await siteIn(service)
    const row = (more: Record<string, string>) =>
      columns.split(',').map(
        name =>
          ({
            session_id: 's1',
            created_at: '2026-03-10 09:00:00.123456+00',
            url_path: '/',
            event_type: '1',
            browser: 'chrome',
            ...more,
          })[name] ?? '',
      )
    const rows = [
      row({}),
      row({ browser: 'curl' }),
      row({ browser: 'searchbot' }),
      row({ event_type: '3', event_name: 'link' }),
      row({ event_type: '4' }),
      row({ event_type: '4' }),
      row({ event_type: '9' }),
      row({ event_type: '5', lcp: '1200.0', cls: '0.0500', fcp: '800.0', ttfb: '90.0' }),
      row({ event_type: '2', event_name: 'Purchase', event_id: 'e1' }),
    ]
    const data = [dataRow('e1', 'revenue', 5), dataRow('e1', 'nothing', null), ['e1', 'broken']]
    const done = await site.load(
      'umami',
      'export.zip',
      await zipOf({
        'website_event.csv': csv(columns, rows),
        'event_data.csv': csv('website_event_id,data_key,string_value,number_value,date_value,data_type', data),
        'session_data.csv': 'session_id,data_key\ns1,name\n',
      }),
    )
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 9, 3, 0])
    const left = Object.fromEntries(done.ignored.map(({ what, rows: count }: any) => [what, count]))
    const { website_id: _, visit_id: __, page_title: ___, ...found } = left
    assert.deepEqual(found, {
      'session_data.csv': null,
      'event_data.csv': 1,
      'browser: curl': 1,
      'browser: searchbot': 1,
      'event_type: 3': 1,
      'event_type: 4': 2,
      'event_type: 9': 1,
      revenue: 1,
    })
  })
})

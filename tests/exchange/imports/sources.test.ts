/** Files in the documented forms of other products, and what of them reports then show. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { onAnyEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteIn, startImporting, zipOf } from './site.ts'

onAnyEngine('a file of', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
  })
  after(() => service.close())
  const product = (name: string, run: () => Promise<void>) =>
    test(name, async () => {
      site = await siteIn(service)
      await run()
    })
  const period = { period: 'custom', from: '2025-03-01', to: '2025-03-31', include_imported: true }
  const top = async (dimension: string, ...figures: string[]) =>
    (await site.get('stats_breakdown', { dimension, ...period })).data.rows.map((row: any) => [
      row.value,
      ...figures.map(name => row[name]),
    ])
  const totals = async (...figures: string[]) => {
    const { metrics } = (await site.get('stats_aggregate', period)).data
    return figures.map(name => metrics[name])
  }

  product('another format, of which no record can be read, is refused with the fault of its first record', async () => {
    const csv = 'event_date,event_name,event_params\n20210127,page_view,"{\n  ""event_params"": []\n}"\n'
    assert.match(
      await site.refusal('ga4_bigquery', 'ga4.csv', csv),
      /No record of the file can be read\. The first is in line 1: the line is not JSON/,
    )
    const { data } = await site.get('imports_list')
    assert.deepEqual([data[0].status, data[0].rows_read], ['awaiting_upload', 0], 'another file can be uploaded')
  })

  product('Umami: events of sessions, other types skipped', async () => {
    const header =
      'website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,region,city,url_path,url_query,' +
      'utm_source,utm_medium,utm_campaign,utm_content,utm_term,referrer_path,referrer_query,referrer_domain,page_title,gclid,event_type,event_name,tag,created_at'
    const row = (session: string, at: string, path: string, more: Record<string, string> = {}) => {
      const given: Record<string, string> = {
        website_id: 'w',
        session_id: session,
        hostname: 'example.com',
        browser: 'chrome',
        os: 'Mac OS',
        device: 'laptop',
        screen: '1440x900',
        language: 'de-DE',
        country: 'US',
        region: 'TX',
        city: 'Austin',
        url_path: path,
        event_type: '1',
        created_at: at,
        ...more,
      }
      return header
        .split(',')
        .map(name => given[name] ?? '')
        .join(',')
    }
    const csv = [
      header,
      row('s1', '2025-03-02 10:00:00', '/', { referrer_domain: 'www.google.com', referrer_path: '/search', url_query: 'ref=friends' }),
      row('s1', '2025-03-02 10:01:00', '/pricing', { url_query: '?utm_source=mail', utm_source: 'mail' }),
      row('s1', '2025-03-02 10:02:00', '/pricing', { event_type: '2', event_name: 'Signup', event_id: 'e1' }),
      row('s2', '2025-03-03 10:00:00', '/', { region: 'US-CA' }),
      row('s2', '2025-03-03 10:00:05', '/', { event_type: '4' }),
    ].join('\n')
    const data = [
      'website_event_id,data_key,string_value,number_value,date_value,data_type',
      'e1,plan,pro,,,1',
      'e1,seats,5.0000,5.0000,,2',
      'e1,__proto__,x,,,1',
      'e9,plan,of nothing,,,1',
    ].join('\n')
    const done = await site.load('umami', 'export.zip', await zipOf({ 'data/website_event.csv': csv, 'data/event_data.csv': data }))
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 5, 4, 0])
    assert.deepEqual(await totals('visitors', 'visits', 'pageviews'), [2, 2, 3])
    assert.deepEqual(await top('page', 'pageviews'), [
      ['/', 2],
      ['/pricing', 1],
    ])
    assert.deepEqual(await top('event', 'events'), [['Signup', 1]])
    assert.deepEqual(await top('property:plan', 'events'), [['pro', 1]])
    assert.deepEqual(await top('property:seats', 'events'), [['5', 1]])
    assert.deepEqual((await top('region')).sort(), [['US-CA'], ['US-TX']])
    assert.deepEqual(await top('device'), [['desktop']])
    assert.deepEqual((await top('source')).flat().sort(), ['', 'friends'])
    assert.ok(done.ignored.some(({ what }: any) => what === 'page_title'))
  })

  product('GoatCounter: hits, events, robots skipped', async () => {
    const csv = [
      '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date',
      '/a,A,false,,Firefox 128,Windows 10,sess1,0,example.org/x,h,"1920,1080,1",US-TX,true,2025-03-02T10:00:00Z',
      '/b,B,false,,Firefox 128,Windows 10,sess1,0,,,"1920,1080,1",US-TX,true,2025-03-02T10:01:00Z',
      'click-me,,true,,Firefox 128,Windows 10,sess1,0,,,"1920,1080,1",US-TX,true,2025-03-02T10:02:00Z',
      '/a,A,false,,Safari 17.5,macOS 14.1,sess2,0,Google,g,"0,0,0",DE,true,2025-03-02T11:00:00Z',
      '/a,A,false,,Chrome 120,Linux,sess3,0,spring,c,,,true,2025-03-02T12:00:00Z',
      '/a,A,false,,bot,,sess4,3,,,,,true,2025-03-02T12:00:00Z',
    ].join('\n')
    const done = await site.load('goatcounter_csv', 'goatcounter-export.csv.gz', gzipSync(csv))
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 6, 5, 0])
    assert.deepEqual(await totals('visitors', 'pageviews'), [3, 4])
    assert.deepEqual(await top('browser_version'), [['120'], ['128'], ['17']])
    assert.deepEqual(await top('source'), [['Google'], ['example.org'], ['spring']])
    assert.deepEqual((await top('utm_source')).flat().filter(Boolean), ['spring'])
    assert.deepEqual((await top('channel')).flat().sort(), ['Organic Search', 'Referral'])
    assert.deepEqual(await top('event'), [['click-me']])
    assert.deepEqual((await top('screen')).flat().sort(), ['', '1920x1080'])
  })

  product('Simple Analytics: data points with metadata', async () => {
    const csv = [
      'added_iso,hostname,path,query,datapoint,session_id,is_unique,is_robot,document_referrer,utm_source,country_code,device_type,browser_name,browser_version,os_name,os_version,lang_language,lang_region,screen_width,screen_height,duration_seconds,scrolled_percentage,metadata.plan_text',
      '2025-03-02T10:00:00.000Z,example.com,/,,pageview,u1,true,false,https://news.ycombinator.com/item,,DE,desktop,Firefox,128,macOS,14,de,DE,1920,1080,30,80,',
      '2025-03-02T10:01:00.000Z,example.com,/,,signup,u1,false,false,,,DE,desktop,Firefox,128,macOS,14,de,DE,1920,1080,,,pro',
      '2025-03-02T10:01:00.000Z,example.com,/,,pageview,u2,true,true,,,US,desktop,Chrome,1,Linux,,en,US,1,1,,,',
      '2025-03-02T10:05:00.000Z,example.com,/b,,pageview,u3,true,false,duckduckgo.com,,FR,mobile,Safari,17,iOS,17,fr,FR,390,844,10,20,',
    ].join('\r\n')
    const done = await site.load('simple_analytics', 'points.csv', csv)
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 4, 3, 0])
    const robots = done.ignored.find(({ what }: any) => what === 'is_robot')
    assert.equal(robots?.rows, 1, 'a robot is left out by name')
    assert.deepEqual(await totals('visitors', 'pageviews'), [2, 2])
    assert.deepEqual((await top('source')).flat().sort(), ['DuckDuckGo', 'Hacker News'])
    assert.deepEqual(await top('page', 'time_on_page'), [
      ['/', 30_000],
      ['/b', 10_000],
    ])
    assert.deepEqual(await top('property:plan', 'events'), [['pro', 1]])
  })

  product('GoatCounter, as JSON: first views of paths as visits, and no pageviews', async () => {
    const lines = (...rows: object[]) => rows.map(row => JSON.stringify(row)).join('\n')
    const zip = await zipOf({
      'info.json': '{"export_version":"1.0"}',
      'paths.jsonl': lines({ id: 1, path: '/a', title: '', event: 0 }, { id: 2, path: 'click', title: '', event: 1 }),
      'refs.jsonl': lines({ id: 1, ref: '', ref_scheme: 'o' }, { id: 2, ref: 'example.org/x', ref_scheme: 'h' }),
      'browsers.jsonl': lines({ id: 1, name: 'Firefox', version: '128' }),
      'hit_stats.jsonl': lines(
        { hour: '2025-03-02 10:00:00', path_id: 1, ref_id: 2, count: 3 },
        { hour: '2025-03-02 11:00:00', path_id: 1, ref_id: 1, count: 2 },
        { hour: '2025-03-02 11:00:00', path_id: 2, ref_id: 1, count: 4 },
        { hour: 'soon', path_id: 1, ref_id: 1, count: 2 },
        { hour: '2025-03-02 11:00:00', path_id: 9, ref_id: 1, count: 2 },
      ),
      'browser_stats.jsonl': lines({ day: '2025-03-02', path_id: 1, browser_id: 1, count: 5 }),
      'size_stats.jsonl': lines(
        { day: '2025-03-02', path_id: 1, width: 360, count: 2 },
        { day: '2025-03-02', path_id: 1, width: 1280, count: 2 },
        { day: '2025-03-02', path_id: 1, width: 2560, count: 1 },
      ),
      'location_stats.jsonl': lines({ day: '2025-03-02', path_id: 1, location: 'US-TX', count: 5 }),
    })
    const done = await site.load('goatcounter_json', 'export.zip', zip)
    assert.deepEqual([done.status, done.rows_refused], ['completed', 2])
    assert.deepEqual(await totals('visits', 'pageviews'), [5, null])
    assert.deepEqual(await top('page', 'visits'), [['/a', 5]])
    assert.deepEqual((await top('source', 'visits')).sort(), [
      ['', 2],
      ['example.org', 3],
    ])
    assert.deepEqual(await top('event', 'events'), [['click', 4]])
    assert.deepEqual(await top('browser', 'visits'), [['Firefox', 5]])
    assert.deepEqual(await top('region', 'visits'), [['US-TX', 5]])
    assert.deepEqual((await top('device', 'visits')).sort(), [
      ['desktop', 3],
      ['mobile', 2],
    ])
  })

  product('Fathom: hours of pages and events', async () => {
    const csv = [
      'datetime,hostname,pathname,referrer_hostname,referrer_pathname,utm_source,utm_medium,utm_campaign,utm_content,utm_term,browser,operating_system,device_type,country_code,state,city,pageviews',
      '2025-03-02 10:00:00,https://example.com,/,https://www.google.com,/,,,,,,Chrome,macOS,Desktop,DE,,,7',
      '2025-03-02 11:00:00,https://example.com,/b,,,,,,,,Firefox,Linux,Phone,FR,,,2',
    ].join('\n')
    const done = await site.load('fathom', 'pageviews.csv', csv)
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused], ['completed', 2, 0])
    assert.deepEqual(await totals('visits', 'pageviews'), [null, 9])
    assert.deepEqual((await top('page', 'pageviews')).sort(), [
      ['/', 7],
      ['/b', 2],
    ])
    assert.deepEqual((await top('device', 'pageviews')).sort(), [
      ['desktop', 7],
      ['mobile', 2],
    ])
  })

  product('Matomo: visits with their actions', async () => {
    const visit = (id: string, country: string, ...actions: object[]) => ({
      visitorId: id,
      referrerUrl: 'https://duckduckgo.com/',
      countryCode: country,
      regionCode: 'BE',
      city: 'Berlin',
      deviceType: 'Smartphone',
      browserName: 'Firefox',
      browserVersion: '128.0',
      operatingSystemName: 'Android',
      operatingSystemVersion: '14',
      languageCode: 'de-de',
      resolution: '390x844',
      actionDetails: actions,
    })
    const at = Date.parse('2025-03-02T10:00:00Z') / 1000
    const json = JSON.stringify(
      [
        visit(
          'a1',
          'de',
          { type: 'action', url: 'https://example.com/', timestamp: at },
          { type: 'goal', url: 'https://example.com/', timestamp: at },
          {
            type: 'event',
            url: 'https://example.com/',
            timestamp: at + 60,
            eventCategory: 'Video',
            eventAction: 'Play',
            eventName: '{"}',
            eventValue: 3,
          },
          { type: 'outlink', url: 'https://elsewhere.org/x', timestamp: at + 90 },
        ),
        visit('a2', 'fr', { type: 'action', url: 'https://example.com/b', timestamp: at + 10 }),
        visit('a3', 'fr', { type: 'action', url: 'https://example.com/b' }),
      ],
      null,
      1,
    )
    const done = await site.load('matomo', 'visits.json', json)
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 3, 2, 1])
    assert.deepEqual(await totals('visitors', 'pageviews'), [2, 2])
    assert.deepEqual((await top('event', 'events')).sort(), [
      ['Goal', 1],
      ['Outbound Link: Click', 1],
      ['Video Play', 1],
    ])
    assert.deepEqual(await top('source'), [['DuckDuckGo']])
    assert.deepEqual(await top('device'), [['mobile']])
  })

  product('Google Analytics 4, as BigQuery exports it', async () => {
    const event = (name: string, seconds: number, page: string) =>
      JSON.stringify({
        event_timestamp: String(Date.parse('2025-03-02T10:00:00Z') * 1000 + seconds * 1_000_000),
        event_name: name,
        event_params: [
          { key: 'page_location', value: { string_value: page } },
          { key: 'page_referrer', value: { string_value: 'https://www.bing.com/' } },
          { key: 'ga_session_id', value: { int_value: '1' } },
          { key: 'plan', value: { string_value: 'pro' } },
        ],
        user_pseudo_id: '123.456',
        device: {
          category: 'mobile',
          operating_system: 'iOS',
          operating_system_version: '17.1',
          language: 'de-de',
          web_info: { browser: 'Safari', browser_version: '17.1' },
        },
        geo: { country: 'Germany', region: 'Berlin', city: 'Berlin' },
      })
    const lines = [
      event('session_start', 0, 'https://example.com/'),
      event('page_view', 0, 'https://example.com/?x=1'),
      event('sign_up', 30, 'https://example.com/'),
    ]
    const done = await site.load('ga4_bigquery', 'events_20250302.json', lines.join('\n'))
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 3, 2, 0])
    assert.deepEqual(await totals('visitors', 'pageviews'), [1, 1])
    assert.deepEqual(await top('country'), [['DE']])
    assert.deepEqual(await top('source'), [['Bing']])
    assert.deepEqual(await top('property:plan', 'events'), [['pro', 1]])
  })
})

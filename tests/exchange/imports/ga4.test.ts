/** Visits sent to `/api/event`, and the same visits imported as Google Analytics 4 exports them to BigQuery. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chanceOf } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { assertSame, reportsOf, sendLive } from './same-reports.ts'
import { type Importing, siteIn, startWithCities } from './site.ts'

const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
/** Devices as Google exports them, with their user agents. */
const agents: readonly [device: object, userAgent: string][] = [
  [
    device('desktop', 'Windows', 'Windows 10', 'Chrome', '120.0.6099.130'),
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/120.0.0.0 Safari/537.36`,
  ],
  [
    device('desktop', 'Macintosh', 'Macintosh Intel 10.15', 'Safari', '17.2'),
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
  ],
  [
    device('mobile', 'iOS', 'iOS 17.4', 'Safari', '17.4'),
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  ],
  [
    device('mobile', 'Android', 'Android 13', 'Samsung Internet', '23.0'),
    `Mozilla/5.0 (Linux; Android 13; SM-S911B) ${blink} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`,
  ],
  [
    device('mobile', 'Android', 'Android 13', 'Android Webview', '120.0.6099.144'),
    `Mozilla/5.0 (Linux; Android 13; SM-S911B; wv) ${blink} Version/4.0 Chrome/120.0.6099.144 Mobile Safari/537.36`,
  ],
  [device('desktop', 'Linux', '(not set)', 'Firefox', '121.0'), 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0'],
]

function device(category: string, operating_system: string, operating_system_version: string, browser: string, browser_version: string) {
  return { category, operating_system, operating_system_version, language: 'de-de', web_info: { browser, browser_version } }
}

/** A row of the export: whole numbers are texts, and unused kinds of values are null. */
function row(name: string, { at, visitor, params, more = {} }: { at: number; visitor: string; params: object; more?: object }): string {
  return JSON.stringify({
    event_date: '20260310',
    event_timestamp: `${at}000`,
    event_name: name,
    event_params: Object.entries({ ga_session_id: 1, ...params }).map(([key, value]) => ({
      key,
      value: {
        string_value: typeof value === 'string' ? value : null,
        int_value: Number.isInteger(value) ? String(value) : null,
        float_value: null,
        double_value: typeof value === 'number' && !Number.isInteger(value) ? value : null,
      },
    })),
    user_pseudo_id: visitor,
    geo: { country: 'Australia', region: '', city: '(not set)' },
    platform: 'WEB',
    items: [],
    ...more,
  })
}

onAnyEngine('Google Analytics 4', engine => {
  let service: Importing
  before(async () => {
    service = await startWithCities(engine)
  })
  after(() => service.close())

  test('a visit that was sent live and the same visit imported have the same reports', async () => {
    const live = await siteIn(service)
    const site = await siteIn(service)
    const chance = chanceOf('ga4')
    const pages = [
      '/',
      '/pricing?utm_source=mail&utm_medium=email&utm_campaign=May',
      '/a,b',
      '/caf%C3%A9',
      '/x?gclid=abc&q=1',
      '/docs?fbclid=1',
    ]
    const referrers = ['', 'https://www.google.com/', 'https://news.ycombinator.com/item?id=1', 'https://www.example.org/a']
    const events: { at: number; visitor: number; body: any }[] = []
    for (let visitor = 0; visitor < 24; visitor++) {
      let at = Date.parse('2026-03-10T06:00:00Z') + chance.int(0, 3 * 3600) * 1000
      for (let views = chance.int(1, 4); views > 0; views--) {
        const u = `https://example.com${chance.pick(pages)}`
        const r = chance.pick(referrers)
        const base = { u, d: live.world.ids.domain, l: 'de-DE', ...(r !== '' && { r }) }
        events.push({ at, visitor, body: { ...base, n: 'pageview' } })
        at += 10_000
        if (chance.int(0, 3) === 0) events.push({ at, visitor, body: { ...base, n: 'engagement', e: chance.int(1_000, 9_000) } })
        at += 10_000
        const amount = chance.pick([19.99, 5, 120])
        const currency = chance.pick(['EUR', 'EUR', 'USD'])
        if (chance.int(0, 2) === 0)
          events.push({ at, visitor, body: { ...base, n: 'sign_up', p: { method: chance.pick(['mail', 'a, b']), seats: 3 } } })
        if (chance.int(0, 2) === 0)
          events.push({
            at,
            visitor,
            body: { ...base, n: 'purchase', p: { transaction_id: `t${at}`, value: amount, currency }, $: { amount, currency } },
          })
        at += chance.pick([20_000, 300_000, 2_400_000])
      }
    }
    events.sort((a, b) => a.at - b.at)
    const rows: string[] = []
    for (const { at, visitor, body } of events) {
      const isGerman = visitor % 2 === 0
      const geo = isGerman
        ? { country: 'Germany', region: 'Berlin', city: 'Berlin' }
        : { country: 'United States', region: 'California', city: 'Los Angeles' }
      const [sent, user_agent] = agents[visitor % agents.length] ?? agents[0] ?? []
      await sendLive(service, live, '/api/event', {
        ...body,
        ip: `${isGerman ? '81.2.69' : '198.51.100'}.${visitor + 1}`,
        user_agent,
        timestamp: new Date(at).toISOString(),
      })
      const common = { at, visitor: `${visitor}.5`, more: { device: sent, geo } }
      const params = { page_location: body.u, ...(body.r && { page_referrer: body.r }), ...body.p }
      if (body.n === 'pageview') rows.push(row('page_view', { ...common, params }))
      else if (body.n === 'engagement')
        rows.push(row('user_engagement', { ...common, params: { ...params, engagement_time_msec: body.e } }))
      else if (body.n === 'purchase')
        rows.push(
          row('purchase', {
            ...common,
            params,
            more: { ...common.more, ecommerce: { purchase_revenue: body.$.amount, purchase_revenue_in_usd: 1 } },
          }),
        )
      else rows.push(row(body.n, { ...common, params }))
    }
    const done = await site.load('ga4_bigquery', 'events_20260310.json', rows.join('\n'))
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused], ['completed', rows.length, 0])
    const asked = {
      period: { period: 'custom', from: '2026-03-10', to: '2026-03-10' },
      props: ['method', 'seats', 'currency', 'value'],
      without: ['screen'],
    }
    const expected = await reportsOf(live, asked)
    assert.ok((expected as any).totals.revenue > 0 && (expected as any).source.length > 3)
    assertSame(await reportsOf(site, asked), expected)
    const ignored = Object.fromEntries(done.ignored.map(({ what, rows: count }: any) => [what, count]))
    assert.equal(ignored.event_date, rows.length)
    assert.ok(ignored.revenue > 0, 'amounts in another currency are named')
  })

  test('revenue comes from purchases and refunds, in the currency of the event, otherwise in dollars', async () => {
    const site = await siteIn(service)
    const at = Date.parse('2026-03-10T08:00:00Z')
    const params = { page_location: 'https://example.com/' }
    const sale = (name: string, more: object, ecommerce: object = {}) =>
      row(name, { at, visitor: '1.2', params: { ...params, ...more }, more: { ecommerce } })
    const lines = [
      sale('page_view', {}),
      sale('purchase', { currency: 'EUR' }, { purchase_revenue: '100.5', purchase_revenue_in_usd: '110.0', transaction_id: '1' }),
      sale('purchase', { currency: 'EUR', value: 20 }, { purchase_revenue: null, transaction_id: '(not set)' }),
      sale('ecommerce_purchase', { currency: 'EUR', value: 2.25 }),
      sale('refund', { currency: 'EUR', value: 1.25 }),
      sale('add_to_cart', { currency: 'EUR', value: 7 }),
      sale('purchase', { value: 9 }),
      sale('purchase', {}, { purchase_revenue_in_usd: 9 }),
    ]
    const done = await site.load('ga4_bigquery', 'events_20260310.json', lines.join('\n'))
    assert.deepEqual([done.rows_taken, done.rows_refused], [8, 0])
    const { metrics } = (await site.get('stats_aggregate', { period: 'custom', from: '2026-03-10', to: '2026-03-10' })).data
    assert.equal(metrics.revenue, 12150)
    assert.deepEqual(
      done.ignored.filter(({ what }: any) => what === 'revenue').map(({ rows }: any) => rows),
      [1, 1],
    )
  })

  test('attention, scrolling, links and files become hits like from our script; apps, added events and further fields are named', async () => {
    const site = await siteIn(service)
    const at = Date.parse('2026-03-10T08:00:00Z')
    const page = { page_location: 'https://example.com/a' }
    const event = (name: string, seconds: number, params: object = page, more: object = {}) =>
      row(name, { at: at + seconds * 1000, visitor: '1.2', params, more })
    const lines = [
      event('first_visit', 0),
      event('session_start', 0),
      event('page_view', 0),
      event('scroll', 10, { ...page, percent_scrolled: 90, engagement_time_msec: 8000 }),
      event('click', 20, { ...page, link_url: 'https://elsewhere.example/x', outbound: 'true', engagement_time_msec: 2000 }),
      event('file_download', 30, { ...page, link_url: 'https://example.com/a.pdf' }),
      event('user_engagement', 40),
      event('screen_view', 50, { firebase_screen: 'Home' }, { platform: 'ANDROID' }),
      event('generate_lead', 60, page, {
        user_properties: [{ key: 'tier', value: { string_value: 'gold' } }],
        user_id: 'u1',
        items: [{ item_id: '1' }],
        privacy_info: { ads_storage: null },
      }),
    ]
    const done = await site.load('ga4_bigquery', 'events_20260310.json', lines.join('\n'))
    assert.deepEqual([done.rows_read, done.rows_refused], [9, 0])
    const period = { period: 'custom', from: '2026-03-10', to: '2026-03-10' }
    const rows = async (dimension: string, figure: string) =>
      (await site.get('stats_breakdown', { dimension, ...period })).data.rows.map((each: any) => [each.value, each[figure]])
    assert.deepEqual(await rows('page', 'time_on_page'), [['/a', 10_000]])
    assert.deepEqual((await rows('event', 'events')).sort(), [
      ['File Download', 1],
      ['Outbound Link: Click', 1],
      ['generate_lead', 1],
    ])
    assert.deepEqual((await rows('property:url', 'events')).sort(), [
      ['https://elsewhere.example/x', 1],
      ['https://example.com/a.pdf', 1],
    ])
    assert.deepEqual(Object.fromEntries(done.ignored.map(({ what, rows: count }: any) => [what, count])), {
      event_date: 9,
      'event_name: first_visit': 1,
      'event_name: session_start': 1,
      'event_name: user_engagement': 1,
      'platform: ANDROID': 1,
      user_properties: 1,
      user_id: 1,
      items: 1,
    })
  })

  test('a CSV of a report page is refused, as its totals have no days', async () => {
    const site = await siteIn(service)
    const dashes = '-'.repeat(40)
    const file = `# ${dashes}\n# Pages and screens: Page path and screen class\n# ${dashes}\n#\n# All Users\n# Start date: 20240101\n# End date: 20240131\nPage path and screen class,Views\n/,120\n`
    for (const source of ['ga4_report', 'plausible']) {
      assert.match(await site.refusal(source, 'Pages_and_screens.csv', file), /totals of its whole period/)
      assert.match(await site.refusal(source, 'other.csv', 'a,b\n1,2\n'), /is not a file of/)
    }
  })
})

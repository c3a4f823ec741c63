/** Matomo: visits as `Live.getLastVisitsDetails` answers them in JSON. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { matomo } from '../../../operations/exchange/imports/sources/matomo.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { type Able, assertSame, secondsOn, type Visit } from './same-visits.ts'
import { type Importing, type Site, siteIn, startWithCities } from './site.ts'

interface Agent {
  readonly userAgent: string
  /** Name, code and version of browser and system, label and picture of the device, as device-detector knows them. */
  readonly browser: readonly [name: string, code: string, version: string]
  readonly system: readonly [name: string, code: string, version: string]
  readonly device: readonly [label: string, picture: string]
}

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const agents: readonly Agent[] = [
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/120.0.0.0 Safari/537.36`,
    browser: ['Chrome', 'CH', '120.0'],
    system: ['Windows', 'WIN', '10'],
    device: ['Desktop', 'desktop'],
  },
  {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    browser: ['Firefox', 'FF', '128.0'],
    system: ['GNU/Linux', 'LIN', ''],
    device: ['Bureau', 'desktop'],
  },
  {
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
    browser: ['Safari', 'SF', '17.2'],
    system: ['Mac', 'MAC', '10.15'],
    device: ['Desktop', 'desktop'],
  },
  {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Safari/604.1',
    browser: ['Mobile Safari', 'MF', '17.4'],
    system: ['iOS', 'IOS', '17.4.1'],
    device: ['Teléfono inteligente', 'smartphone'],
  },
  {
    userAgent: `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${webKit} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`,
    browser: ['Samsung Browser', 'SB', '23.0'],
    system: ['Android', 'AND', '14'],
    device: ['Smartphone', 'smartphone'],
  },
  {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91`,
    browser: ['Microsoft Edge', 'PS', '120.0.2210.91'],
    system: ['Windows', 'WIN', '10'],
    device: ['Desktop', 'desktop'],
  },
]

const at = 1773050000
const able: Able = {
  userAgents: agents.map(({ userAgent }) => userAgent),
  tags: ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  props: true,
  money: true,
  language: true,
  referrers: ['', 'https://www.google.com/', 'https://news.ycombinator.com/item?id=1', 'https://blog.example.org/a/b'],
}

/** Fields of each visit in Matomo that no report uses. */
const decoration = {
  visitIp: '156.5.0.0',
  siteCurrency: 'EUR',
  siteCurrencySymbol: '€',
  siteName: 'Shop',
  visitorType: 'new',
  visitorTypeIcon: null,
  visitCount: '1',
  userId: null,
  referrerSearchEngineIcon: null,
  continentCode: 'eur',
  visitLocalTime: '12:34:06',
  plugins: 'cookie, pdf',
  pluginsIcons: [{ pluginIcon: 'plugins/Morpheus/icons/dist/plugins/cookie.png', pluginName: 'cookie' }],
  latitude: null,
}

/** A visit as Matomo with the plugin MarketingCampaignsReporting answers it. */
function exported(visit: Visit, domain: string, id: number) {
  const { hits, tags } = visit
  const agent = agents.find(({ userAgent }) => userAgent === visit.userAgent)
  assert.ok(agent)
  let [time, page] = [visit.at, '']
  const actionDetails = hits.map(({ kind, name, after: since, props, amount }, i) => {
    time += since
    if (kind === 'page') page = `https://${domain}${encodeURI(name)}`
    const shared = { timestamp: time, serverTimePretty: 'Mar 9, 2026', idpageview: `p${i}`, icon: '', iconSVG: 'plugins/action.svg' }
    const customVariables = Object.fromEntries(
      Object.entries(props).map(([key, value], k) => [
        k + 1,
        { [`customVariablePageName${k + 1}`]: key, [`customVariablePageValue${k + 1}`]: value },
      ]),
    )
    const own = Object.keys(props).length === 0 ? shared : { ...shared, customVariables }
    const seconds = secondsOn(visit, i)
    if (kind === 'page') return { ...own, type: 'action', url: page, pageTitle: name, pageviewPosition: String(i + 1), timeSpent: seconds }
    if (amount > 0)
      return { ...own, type: 'goal', goalName: name, goalId: '3', revenue: amount.toFixed(2), url: page, goalPageId: '7', timestamp: time }
    return { ...own, type: 'event', eventCategory: name, eventAction: '', url: page }
  })
  const isCampaign = Object.keys(tags).length > 0
  const host = visit.referrer === '' ? '' : new URL(visit.referrer).hostname
  const google = host === 'www.google.com'
  const type = isCampaign ? 'campaign' : host === '' ? 'direct' : google ? 'search' : 'website'
  return {
    ...decoration,
    idSite: 1,
    idVisit: id,
    visitorId: visit.key,
    fingerprint: `f${visit.key}`,
    actionDetails,
    firstActionTimestamp: visit.at,
    referrerType: type,
    referrerName: isCampaign ? (tags.utm_campaign ?? tags.utm_source ?? '') : google ? 'Google' : host,
    referrerKeyword: isCampaign ? (tags.utm_term ?? '') : google ? 'Keyword not defined' : '',
    referrerUrl: visit.referrer || null,
    ...(isCampaign && {
      campaignName: tags.utm_campaign ?? '',
      campaignKeyword: tags.utm_term ?? '',
      campaignSource: tags.utm_source ?? '',
      campaignMedium: tags.utm_medium ?? '',
      campaignContent: tags.utm_content ?? '',
    }),
    languageCode: visit.language.toLowerCase(),
    deviceType: agent.device[0],
    deviceTypeIcon: `plugins/Morpheus/icons/dist/devices/${agent.device[1]}.png`,
    operatingSystemName: agent.system[0],
    operatingSystemCode: agent.system[1],
    operatingSystemVersion: agent.system[2],
    browserName: agent.browser[0],
    browserCode: agent.browser[1],
    browserVersion: agent.browser[2],
    countryCode: visit.country.toLowerCase() || 'xx',
    regionCode: visit.region.slice(3),
    city: visit.city,
    resolution: visit.screen || 'unknown',
  }
}

onAnyEngine('An import of Matomo', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startWithCities(engine)
  })
  after(() => service.close())
  const period = { period: 'custom', from: '2026-03-09', to: '2026-03-10' }
  const top = async (dimension: string, ...figures: string[]) =>
    (await site.get('stats_breakdown', { dimension, ...period })).data.rows.map((row: any) => [
      row.value,
      ...figures.map(name => row[name]),
    ])
  const load = async (visits: readonly object[]) => {
    site = await siteIn(service)
    const done = await site.load('matomo', 'visits.json', JSON.stringify(visits))
    assert.equal(done.status, 'completed')
    return done
  }
  const left = (done: any) => new Map<string, number>(done.ignored.map(({ what, rows }: any) => [what, rows]))
  const page = (path: string, seconds: number, more: object = {}) => ({
    ...{ type: 'action', url: `https://example.com${path}`, timestamp: at + seconds, idpageview: path },
    ...more,
  })
  const visit = (id: number, actionDetails: readonly object[], more: object = {}) => ({
    ...decoration,
    ...{
      idSite: 1,
      idVisit: String(id),
      visitorId: `v${id}`,
      referrerType: 'direct',
      referrerName: '',
      referrerUrl: '',
      countryCode: 'de',
    },
    ...more,
    actionDetails,
  })

  test('gives the reports that the same visits give live', () =>
    assertSame(service, able, {
      source: 'matomo',
      filename: 'visits.json',
      hasTimes: true,
      props: ['plan', 'size'],
      content: (visits, domain) => JSON.stringify(visits.map((each, i) => exported(each, domain, i)).reverse()),
    }))

  test('keeps orders and goals with their revenue, and carts without', async () => {
    const order = { type: 'ecommerceOrder', orderId: '937', revenue: 1111.11, revenueTax: 111, items: '8', itemDetails: [{ itemSKU: 's' }] }
    const done = await load([
      visit(1, [
        page('/', 0),
        { type: 'goal', goalName: 'Newsletter', goalId: '1', revenue: '42.00', url: 'https://example.com/', timestamp: at + 5 },
        { type: 'goal', goalName: null, goalId: '7', revenue: '0', url: '', timestamp: at + 6 },
        { ...order, timestamp: at + 60, referrerType: 'campaign', referrerName: 'older' },
        { type: 'ecommerceAbandonedCart', revenue: 2510.11, items: '4', itemDetails: [], timestamp: at + 90 },
      ]),
      visit(2, [page('/thanks', 0), { type: 'goal', goalName: 'Thanks', goalId: '2', revenue: 0, timestamp: at }]),
      visit(3, [page('/', 0), { ...order, timestamp: at + 60 }], { siteCurrency: 'USD' }),
    ])
    assert.deepEqual((await top('event', 'events', 'revenue')).sort(), [
      ['Abandoned Cart', 1, 0],
      ['Goal 7', 1, 0],
      ['Newsletter', 1, 4200],
      ['Purchase', 2, 111111],
      ['Thanks', 1, 0],
    ])
    assert.deepEqual(await top('property:order_id', 'events'), [['937', 2]])
    const { metrics } = (await site.get('stats_aggregate', period)).data
    assert.deepEqual([metrics.visits, metrics.bounce_rate, metrics.revenue, metrics.purchases], [3, 33.3, 115311, 2])
    const ignored = left(done)
    assert.equal(ignored.get('revenue'), 1)
    assert.equal(ignored.get('actionDetails: itemDetails'), 2)
    assert.equal(ignored.get('actionDetails: referrerType, referrerName'), 1)
  })

  test('names campaigns and sources whose address is not stored', async () => {
    const from = (id: number, referrerType: string, referrerName: string, more: object = {}) =>
      visit(id, [page('/', 0)], { referrerType, referrerName, ...more })
    await load([
      from(1, 'campaign', 'spring sale', { referrerKeyword: 'shoes' }),
      from(2, 'campaign', 'ads', { referrerUrl: 'https://www.google.com/aclk?q=x' }),
      from(3, 'search', 'Google Images'),
      from(4, 'search', 'Ask'),
      from(5, 'search', 'Nigma'),
      from(6, 'social', 'Orkut'),
      from(7, 'website', 'www.example.net'),
      from(8, 'direct', ''),
    ])
    assert.deepEqual((await top('source', 'visits')).sort(), [
      ['', 1],
      ['Ask', 1],
      ['Google', 2],
      ['Nigma', 1],
      ['Orkut', 1],
      ['example.net', 1],
      ['spring sale', 1],
    ])
    assert.deepEqual((await top('channel', 'visits')).sort(), [
      ['Direct', 1],
      ['Organic Search', 4],
      ['Organic Social', 1],
      ['Referral', 2],
    ])
    assert.deepEqual((await top('utm_campaign', 'visits')).sort(), [
      ['', 6],
      ['ads', 1],
      ['spring sale', 1],
    ])
    assert.deepEqual((await top('utm_term')).flat().filter(Boolean), ['shoes'])
  })

  test('reads every kind of action, on the page where it happened, and names those without a report', async () => {
    const first = visit(
      1,
      [
        page('/a', 0, {
          timeSpent: 60,
          pageTitle: 'A',
          customVariables: { 1: { customVariablePageName1: 'lang', customVariablePageValue1: 'de' } },
        }),
        page('/b', 60, { timeSpent: 120, dimension3: 'blue', pageTitle: '', url: 'example.com/b' }), // as Matomo stores it
        {
          type: 'event',
          eventCategory: 'Video',
          eventAction: 'Play',
          eventName: 'Intro',
          eventValue: 3,
          url: 'https://example.com/a',
          timestamp: at + 70,
        },
        {
          type: 'search',
          siteSearchKeyword: 'shoes, red',
          siteSearchCategory: null,
          siteSearchCount: '0',
          url: null,
          timestamp: at + 80,
        },
        { type: 'download', url: 'https://example.com/f.pdf', timestamp: at + 90 },
        { type: 'outlink', url: 'https://elsewhere.org/x', idpageview: '/a', timestamp: at + 100 },
        { type: 13, contentName: 'Banner', timestamp: at + 101 },
        { type: 'media', url: 'https://example.com/v', timestamp: at + 102 },
        { type: 'action', url: null, pageTitle: 'Only a title', timestamp: at + 50 },
      ],
      { customVariables: [{ customVariableName1: 'type', customVariableValue1: 'guest' }], userId: 'ann@example.com', newField: 'x' },
    )
    const done = await load([
      first,
      visit(2, []),
      visit(3, [page('/a', 0)], { operatingSystemName: 'Bot', operatingSystemCode: 'BOT', browserCode: 'UNK' }),
      visit(1, [page('/a', 0)]),
    ])
    assert.deepEqual([done.rows_read, done.rows_taken, done.rows_refused], [4, 1, 0])
    assert.deepEqual((await top('page', 'pageviews', 'time_on_page')).sort(), [
      ['/a', 1, 60_000],
      ['/b', 1, 120_000],
    ])
    assert.deepEqual((await top('event')).flat().sort(), ['File Download', 'Outbound Link: Click', 'Search', 'Video Play'])
    assert.deepEqual(await top('property:keyword', 'events'), [['shoes, red', 1]])
    assert.deepEqual(await top('property:lang', 'visits'), [['de', 1]])
    assert.deepEqual(await top('property:dimension3', 'visits'), [['blue', 1]])
    assert.deepEqual(await top('property:type', 'visits'), [['guest', 1]])
    const hits = matomo.convert?.(first, () => {})
    assert.deepEqual(Array.isArray(hits) && hits.map(({ name, url }) => [name, String(url).slice(-2)]), [
      ['pageview', '/a'],
      ['pageview', 'ed'],
      ['pageview', '/b'],
      ['engagement', '/b'],
      ['Video Play', '/a'],
      ['Search', '/b'],
      ['File Download', '/b'],
      ['Outbound Link: Click', '/a'],
    ])
    assert.equal((await site.get('stats_aggregate', period)).data.metrics.visit_duration, 180_000)
    const ignored = left(done)
    const names = [
      'actionDetails: content',
      'actionDetails: media',
      'actionDetails: pageTitle',
      'actionDetails',
      'idVisit',
      'operatingSystemCode',
      'userId',
      'newField',
    ]
    for (const name of names) assert.equal(ignored.get(name), 1, name)
    assert.equal(ignored.has('visitorType'), false)
  })

  test('knows what Matomo does not: unknown browsers, countries and visitors are not named so', async () => {
    const unknown = {
      browserName: 'Inconnu',
      browserCode: 'UNK',
      operatingSystemName: 'Inconnu',
      operatingSystemCode: 'UNK',
      countryCode: 'xx',
    }
    await load([
      visit(1, [page('/', 0)], {
        ...unknown,
        visitorId: false,
        fingerprint: 'f1',
        deviceType: 'Inconnu',
        deviceTypeIcon: '.../unknown.png',
      }),
      visit(2, [page('/', 0)], { visitorId: false, fingerprint: 'f2', browserName: 'IE Mobile', browserVersion: '11.0', regionCode: 'BE' }),
      visit(3, [page('/', 0)], { countryCode: 'ti', operatingSystem: 'Windows XP', browser: 'Firefox 3.6' }),
    ])
    assert.equal((await site.get('stats_aggregate', period)).data.metrics.visitors, 3)
    assert.deepEqual((await top('browser')).flat().sort(), ['', 'Firefox', 'Internet Explorer'])
    assert.deepEqual((await top('os')).flat().sort(), ['', 'Windows'])
    assert.deepEqual((await top('country')).flat().sort(), ['', 'CN', 'DE'])
    assert.deepEqual((await top('region')).flat().filter(Boolean), ['DE-BE'])
    assert.deepEqual((await top('device')).flat().filter(Boolean), [])
  })
})

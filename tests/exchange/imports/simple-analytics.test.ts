/** Visits sent live, and the same visits imported from a CSV of Simple Analytics, and from raw hits. */
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { type Able, assertSame, secondsOn, type Visit } from './same-visits.ts'
import { type Importing, startWithCities } from './site.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
interface Agent {
  readonly device: string
  readonly browser: readonly [name: string, version: string]
  readonly system: readonly [name: string, version: string]
}
const agents: ReadonlyMap<string, Agent> = new Map([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/120.0.0.0 Safari/537.36`,
    { device: 'desktop', browser: ['Chrome', '120.0.0.0'], system: ['Windows', '10'] },
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91`,
    { device: 'desktop', browser: ['Microsoft Edge', '120.0'], system: ['Windows', '10'] },
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
    { device: 'desktop', browser: ['Safari', '17.2'], system: ['Mac OS', '10.15.7'] },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Safari/604.1',
    { device: 'mobile', browser: ['Mobile Safari', '17.4.1'], system: ['iOS', '17.4.1'] },
  ],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-S911B) ${webKit} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`,
    { device: 'mobile', browser: ['Samsung Browser', '23.0'], system: ['Android', '13'] },
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    { device: 'desktop', browser: ['Firefox', '128.0'], system: ['Linux', ''] },
  ],
])

const able: Able = {
  userAgents: [...agents.keys()],
  tags: ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  props: true,
  money: false,
  language: true,
  referrers: ['', 'https://www.google.com/', 'https://news.ycombinator.com/item?id=1', 'https://blog.example.org/a/b'],
}

const columns = [
  ...['added_iso', 'hostname', 'path', 'query', 'datapoint', 'session_id', 'is_unique', 'is_robot', 'document_referrer'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'country_code', 'device_type'],
  ...['browser_name', 'browser_version', 'os_name', 'os_version', 'lang_language', 'lang_region', 'screen_width', 'screen_height'],
  ...['duration_seconds', 'scrolled_percentage', 'metadata.plan_text', 'metadata.size_text'],
]
const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

function pointsOf(visit: Visit, domain: string): string[] {
  const agent = agents.get(visit.userAgent)
  const [language = '', region = ''] = visit.language.split('-')
  const [width = '', height = ''] = visit.screen.split('x')
  let [time, page] = [visit.at, '']
  return visit.hits.map(({ kind, name, after: since, props }, i) => {
    time += since
    if (kind === 'page') page = encodeURI(name)
    const row: Readonly<Record<string, string>> = {
      added_iso: new Date(time * 1000).toISOString(),
      hostname: domain,
      path: page,
      datapoint: kind === 'page' ? 'pageview' : name,
      session_id: visit.key,
      is_unique: String(i === 0),
      is_robot: 'false',
      document_referrer: i === 0 ? visit.referrer : '',
      ...(i === 0 && visit.tags),
      country_code: visit.country,
      device_type: agent?.device ?? '',
      browser_name: agent?.browser[0] ?? '',
      browser_version: agent?.browser[1] ?? '',
      os_name: agent?.system[0] ?? '',
      os_version: agent?.system[1] ?? '',
      lang_language: language,
      lang_region: region,
      screen_width: width,
      screen_height: height,
      duration_seconds: kind === 'page' && secondsOn(visit, i) > 0 ? String(secondsOn(visit, i)) : '',
      'metadata.plan_text': props.plan ?? '',
      'metadata.size_text': props.size ?? '',
    }
    return columns.map(column => quoted(row[column] ?? '')).join(',')
  })
}

/** A hit with the fields of docs/import.md, and the rest of the address. */
function rawOf(visit: Visit, domain: string): string[] {
  const { tags, key, ip, language, screen } = visit
  const query = new URLSearchParams(tags).toString()
  let [time, page] = [visit.at, '']
  return visit.hits.flatMap(({ kind, name, after: since, props, amount }, i) => {
    time += since
    if (kind === 'page') page = `https://${domain}${encodeURI(name)}`
    const seconds = kind === 'page' ? secondsOn(visit, i) : 0
    return JSON.stringify({
      timestamp: time,
      url: i === 0 && query !== '' ? `${page}?${query}` : page,
      ...(kind === 'event' && { name }),
      ...{ ip, user_agent: `${visit.userAgent} ${key}`, language, screen, props },
      ...(i === 0 && { referrer: visit.referrer }),
      ...(amount > 0 && { revenue: amount }),
      ...(seconds > 0 && { engaged_ms: seconds * 1000 }),
    })
  })
}

onAnyEngine('Visits that were sent live have the same reports', engine => {
  let service: Importing
  before(async () => {
    service = await startWithCities(engine)
  })
  after(() => service.close())

  test('as a CSV of Simple Analytics, which has neither regions nor cities', () =>
    assertSame(service, able, {
      ...{ source: 'simple_analytics', filename: 'points.csv', hasTimes: true, props: ['plan', 'size'], except: ['region', 'city'] },
      content: (visits, domain) => [columns.join(','), ...visits.flatMap(each => pointsOf(each, domain))].join('\r\n'),
    }))

  test('as raw hits', () =>
    assertSame(
      service,
      { ...able, money: true },
      {
        ...{ source: 'footfall', filename: 'hits.ndjson', hasTimes: true, props: ['plan', 'size'] },
        content: (visits, domain) => visits.flatMap(each => rawOf(each, domain)).join('\n'),
      },
    ))
})

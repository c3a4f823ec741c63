/** Visits that a site receives live, and that another imports as a product exported them: both reports must be the same. */
import assert from 'node:assert/strict'
import fc from '../../support/properties.ts'
import { isFull } from '../../support/full.ts'
import { request } from '../../support/world.ts'
import { assertSame as assertSameReports, reportsOf } from './same-reports.ts'
import { cityOf, type Importing, type Site, siteBeside, siteIn } from './site.ts'

export interface Hit {
  readonly kind: 'page' | 'event'
  /** The path of the page, or the name of the event. */
  readonly name: string
  /** Seconds since the hit before it. */
  readonly after: number
  readonly props: Readonly<Record<string, string>>
  /** Amount in major units of the site's currency; 0 for none. */
  readonly amount: number
}

export interface Visit {
  readonly key: string
  /** Epoch seconds. */
  readonly at: number
  readonly userAgent: string
  readonly ip: string
  readonly country: string
  readonly region: string
  readonly city: string
  readonly language: string
  readonly screen: string
  readonly referrer: string
  /** Query of the landing page, by name. */
  readonly tags: Readonly<Record<string, string>>
  /** Begins with a page. */
  readonly hits: readonly Hit[]
}

/** Parts of a visit that a product can export. */
export interface Able {
  readonly userAgents: readonly string[]
  readonly tags: readonly string[]
  readonly props: boolean
  readonly money: boolean
  readonly language: boolean
  readonly referrers: readonly string[]
}

const addresses = ['81.2.69.160', '2.125.160.216', '89.160.20.112', '1.1.1.1', '193.99.144.80', '202.196.224.1', '127.0.0.1']
/** 9 March 2026, 08:00 in Berlin; no visit reaches midnight. */
const MORNING = Date.parse('2026-03-09T07:00:00Z') / 1000

const screenOf = ({ userAgent, screen }: Pick<Visit, 'userAgent' | 'screen'>) =>
  screen === '' ? '' : / Mobile\b/.test(userAgent) ? '390x844' : '1920x1080'

/** A seeded sample of visits. */
export function visitsOf(able: Able, count: number): readonly Visit[] {
  const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
  const hit = (kind: 'page' | 'event'): fc.Arbitrary<Hit> =>
    fc.record({
      kind: fc.constant(kind),
      name: kind === 'page' ? oneOf(['/', '/pricing', '/docs/a,b', '/docs/ü ß', '/cart']) : oneOf(['Signup', 'Play "intro"', 'a, b; c']),
      after: fc.integer({ min: 11, max: 900 }),
      props: able.props ? fc.dictionary(oneOf(['plan', 'size']), oneOf(['pro', '1', 'a "b", c'])) : fc.constant({}),
      amount: kind === 'event' && able.money ? oneOf([0, 9.99, 1200]) : fc.constant(0),
    })
  const further = fc.array(fc.oneof(hit('page'), hit('event')), { maxLength: 5 })
  const visit = fc
    .record({
      at: fc.integer({ min: 0, max: 10 * 3600 }),
      userAgent: oneOf(able.userAgents),
      ip: oneOf(addresses),
      language: able.language ? oneOf(['de-DE', 'en', 'pt-BR', 'fr']) : fc.constant(''),
      screen: oneOf(['1920x1080', '']),
      referrer: oneOf(able.referrers),
      tags: fc.oneof(
        fc.constant({}),
        fc.dictionary(oneOf(able.tags), oneOf(['newsletter', 'google', 'spring sale', 'email']), { minKeys: 1 }),
      ),
      hits: fc.tuple(hit('page'), further).map(([first, others]) => [{ ...first, after: 0 }, ...others]),
    })
    .map(each => ({ ...each, screen: screenOf(each), key: '', at: MORNING + each.at, ...cityOf(each.ip) }))
  return fc.sample(visit, count).map((each, i) => ({ ...each, key: (0x1000000 + i * 7919).toString(16) }))
}

/** Sends the visits as a server would: pages with the time on them, and events. */
export async function sendLive(service: Importing, site: Site, visits: readonly Visit[], domain: string, hasTimes: boolean): Promise<void> {
  const send = async ({ ip, userAgent, language, screen, key }: Visit, at: number, body: Record<string, unknown>) => {
    const claims = { ip, user_agent: userAgent, timestamp: new Date(at * 1000).toISOString() }
    // One address may have several visitors, who differ by the end of their user agent.
    const answer = await request(service, 'POST', '/api/event', {
      body: { d: domain, l: language, sc: screen, ...claims, user_agent: `${userAgent} ${key}`, ...body },
      headers: { 'Content-Type': 'text/plain', Authorization: `Bearer ${site.world.token}` },
    })
    assert.deepEqual([answer.status, answer.headers.get('x-footfall-dropped')], [202, null], answer.text)
  }
  for (const visit of visits) {
    let { at } = visit
    let page = ''
    const messages = visit.hits.flatMap(({ kind, name, after, props, amount }, i) => {
      at += after
      if (kind === 'page') page = `https://${domain}${encodeURI(name)}`
      const u = i === 0 ? `${page}?${new URLSearchParams(visit.tags)}` : page
      const money = amount === 0 ? {} : { $: { currency: 'EUR', amount } }
      const body = { n: kind === 'page' ? 'pageview' : name, u, r: i === 0 ? visit.referrer : '', p: props, ...money }
      const seconds = hasTimes && kind === 'page' ? secondsOn(visit, i) : 0
      const engagement = { at: at + seconds, body: { n: 'engagement', u: page, e: seconds * 1000 } }
      return seconds > 0 ? [{ at, body }, engagement] : [{ at, body }]
    })
    for (const message of messages.toSorted((a, b) => a.at - b.at)) await send(visit, message.at, message.body)
  }
}

/** Seconds from a page to the next one; 0 for the last. */
export function secondsOn({ hits }: Visit, i: number): number {
  const next = hits.findIndex((hit, k) => k > i && hit.kind === 'page')
  return next < 0 ? 0 : hits.slice(i + 1, next + 1).reduce((sum, { after }) => sum + after, 0)
}

/** Sends the visits to one site, imports them into another, and compares every report but the named ones. */
export async function assertSame(
  service: Importing,
  able: Able,
  { source, filename, content, props = [], except = [], hasTimes = false, count = isFull ? 80 : 40 }: Compared,
): Promise<void> {
  const workspace = await siteIn(service)
  const [live, imported] = [await siteBeside(service, workspace), await siteBeside(service, workspace)]
  const domainOf = async (site: Site) => (await site.get('sites_get')).data.domain
  const visits = visitsOf(able, count)
  await sendLive(service, live, visits, await domainOf(live), hasTimes)
  const done = await imported.load(source, filename, content(visits, await domainOf(imported)))
  assert.deepEqual([done.status, done.rows_refused], ['completed', 0])
  const asked = { period: { period: 'custom', from: '2026-03-09', to: '2026-03-09' }, props, without: ['hostname', ...except] }
  const expected = await reportsOf(live, asked)
  assert.ok(['channel', 'country', 'browser', 'goal'].every(name => (expected[name] as readonly string[]).length > 1))
  assertSameReports(await reportsOf(imported, asked), expected)
}

interface Compared {
  readonly source: string
  readonly filename: string
  readonly content: (visits: readonly Visit[], domain: string) => string | Uint8Array
  /** Properties of events to compare. */
  readonly props?: readonly string[]
  /** Reports of what the product does not export. */
  readonly except?: readonly string[]
  /** Whether the product exports the time on a page. */
  readonly hasTimes?: boolean
  readonly count?: number
}
